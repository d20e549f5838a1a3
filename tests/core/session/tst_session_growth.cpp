// Reading takes linear time and can be stopped. Input of four times the size must take less than
// eight times as long, because quadratic time would take sixteen. If reading never ends, the test
// does not end either.
#include "core/cancelled.h"
#include "core/checks/session_check.h"
#include "core/formats/capture/capture.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/word_vectors.h"
#include "core/tokenizers/text/unicode.h"
#include "core/tokenizers/word_tokenizer.h"
#include "core_test.h"
#include "support.h"

#include <ctime>

namespace {

/// Returns the minimum CPU time of three runs, for this thread only, so that other programs do not
/// count.
double secondsOf(const std::function<void()> &work) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        timespec begin{}, end{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        work();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        best = std::min(best, static_cast<double>(end.tv_sec - begin.tv_sec) +
                                  1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec));
    }
    return best;
}

using Made = std::function<std::string(std::size_t)>;
using Reads = std::function<void(const std::string &)>;

/// Checks that reading takes linear time, by sizes n and 4n.
void growsLikeItsSize(std::size_t n, const Made &made, const Reads &reads) {
    const std::string small = made(n), large = made(4 * n);
    const double before = secondsOf([&] { reads(small); });
    const double after = secondsOf([&] { reads(large); });
    INFO("seconds: " << before << ", " << after);
    CHECK(after < 8 * before + 0.05);
}

std::string repeated(const std::string &piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i)
        text += piece;
    return text;
}

const std::string kModel =
    R"("width": 1, "heads": 1, "head_size": 1, "layers": [{"self_attention":
    {"query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1}}}])";

std::string wordsList(std::size_t count) {
    std::string words;
    for (std::size_t i = 0; i < count; ++i)
        words += (i ? ", \"w" : "\"w") + std::to_string(i) + "\": [1]";
    return words;
}

std::string sessionWith(const std::string &more, const std::string &inModel = "",
                        const std::string &text = "a") {
    return "{\"headlight\": 1, \"batch\": {\"sequences\": [{\"tokens\": [\"" + text +
           "\"]}]}, \"model\": {" + kModel + inModel + "}" + more + "}";
}

std::string lessonOf(std::size_t count, const std::function<std::string(std::size_t)> &set) {
    std::string steps;
    for (std::size_t i = 0; i < count; ++i)
        steps += (i ? "," : "") + (R"({"title": "t", "text": [], "set": {)" + set(i) + "}}");
    return sessionWith(R"(, "lesson": {"summary": "s", "steps": [)" + steps + "]}",
                       ", \"embeddings\": {\"words\": {" + wordsList(count) + "}}");
}

void good(const std::string &json) {
    const auto session = readSession(json);
    CHECK_MESSAGE(session, (session ? "" : session.error().text()));
}

std::string pngWith(const std::string &text) {
    // Only the signature, the text and the end chunk matter here.
    const std::string end = std::string("\0\0\0\0IEND\xAE\x42\x60\x82", 12);
    return withTextInPng("\x89PNG\r\n\x1a\n" + end, text);
}

} // namespace

TEST_CASE("embeddings.words") {
    growsLikeItsSize(
        20000,
        [](std::size_t n) {
            return sessionWith("", ", \"embeddings\": {\"words\": {" + wordsList(n) + "}}");
        },
        good);
}

TEST_CASE("steps that set a text, or words") {
    growsLikeItsSize(
        2000,
        [](std::size_t n) {
            return lessonOf(
                n, [](std::size_t i) { return "\"text\": \"a" + std::to_string(i) + "\""; });
        },
        good);
    growsLikeItsSize(
        2000,
        [](std::size_t n) {
            return lessonOf(n, [](std::size_t i) {
                return "\"words\": {\"w" + std::to_string(i) + "\": [2]}";
            });
        },
        good);
}

TEST_CASE("check, of steps that set words") {
    growsLikeItsSize(
        500,
        [](std::size_t n) {
            return lessonOf(n, [](std::size_t i) {
                return "\"words\": {\"w" + std::to_string(i) + "\": [2]}";
            });
        },
        [](const std::string &json) { CHECK(checkSession(json).empty()); });
}

TEST_CASE("sequences with their own embeddings and types") {
    growsLikeItsSize(
        1000,
        [](std::size_t n) {
            std::string sequences;
            for (std::size_t i = 0; i < n; ++i)
                sequences +=
                    (i ? "," : "") + std::string(R"({"tokens": ["a"], "embeddings": [[1]]})");
            return "{\"headlight\": 1, \"batch\": {\"sequences\": [" + sequences +
                   "]}, \"model\": {" + kModel + "}}";
        },
        good);
}

TEST_CASE("one token of combining marks") {
    // Marks of two alternating combining classes. Sorting moves each past half of the others.
    const Made marks = [](std::size_t n) { return "a" + repeated("\xCC\x81\xCC\xA3", n); };
    growsLikeItsSize(75000, marks,
                     [](const std::string &text) { CHECK_FALSE(normalized(text).empty()); });
    growsLikeItsSize(75000, marks,
                     [](const std::string &text) { CHECK_FALSE(foldCase(text).empty()); });
    growsLikeItsSize(75000, marks,
                     [](const std::string &text) { CHECK(splitIntoWords(text)->size() == 1); });
    good(sessionWith("", "", marks(300000)));
    good(sessionWith("", ", \"embeddings\": {\"words\": {\"" + marks(300000) + "\": [1]}}"));
}

TEST_CASE("many marks are normalized like few") {
    // ICU normalizes the text with few marks, our own code the text with many.
    std::string few = "e", many = "e";
    for (int i = 0; i < 20; ++i)
        few += "\xCC\x81\xCC\xA3\xCD\x84"; // acute, dot below, and a mark that decomposes into two
    for (int i = 0; i < 100; ++i)
        many += "\xCC\x81\xCC\xA3\xCD\x84";
    const std::string composedFew = normalized(few), composedMany = normalized(many);
    const auto count = [](const std::string &text, const std::string &piece) {
        std::size_t found = 0;
        for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1))
            ++found;
        return found;
    };
    for (const char *mark : {"\xCC\x81", "\xCC\xA3", "\xCC\x88"}) {
        CAPTURE(mark);
        // The first dot below is composed with the letter.
        const std::size_t own = std::string_view(mark) == "\xCC\xA3" ? 1 : 0;
        CHECK(count(composedFew, mark) + own == (std::string_view(mark) == "\xCC\x81" ? 40u : 20u));
        CHECK(count(composedMany, mark) + own ==
              (std::string_view(mark) == "\xCC\x81" ? 200u : 100u));
    }
    CHECK(composedMany.substr(0, 3) == composedFew.substr(0, 3));
    CHECK(normalized(composedMany) == composedMany);
}

TEST_CASE("text of padding alone, in pieces") {
    growsLikeItsSize(
        20000, [](std::size_t n) { return "a " + repeated("[PAD]", n); },
        [](const std::string &text) { CHECK(splitIntoWords(text)->size() > 2); });
}

TEST_CASE("metadata that opens and never closes") {
    for (const char *piece : {"<metadata", "<metadata<", "<metadata id=\"headlight-figure\""})
        growsLikeItsSize(
            200000,
            [piece](std::size_t n) {
                return "<svg " + repeated(piece, n) + ">" + repeated("<metadata", n);
            },
            [](const std::string &svg) { CHECK_FALSE(readFigure(svg)); });
}

TEST_CASE("a picture with many arguments") {
    growsLikeItsSize(
        100000, // above this size, the allocator's system calls dominate the time
        [](std::size_t n) {
            return pngWith("{\"headlight_figure\": 1, \"arguments\": [\"a\"" +
                           repeated(",\"a\"", n) + "], \"session\": {}}");
        },
        [](const std::string &png) { CHECK_FALSE(readFigure(png)); });
    const std::string words =
        "{\"headlight_figure\": 1, \"arguments\": [\"a\"" + repeated(",\"a\"", 99);
    CHECK(readFigure(pngWith(words + "], \"session\": {}}")));
    CHECK_FALSE(readFigure(pngWith(words + ",\"a\"], \"session\": {}}")));
}

TEST_CASE("the batches of all steps count together against the limit") {
    std::string steps;
    for (int i = 0; i < 200; ++i)
        steps += (i ? "," : "") + std::string(R"({"title": "t", "text": [], "set": {"batch":
            {"length": 1048576, "sequences": [{"text": "a"}]}}})");
    const auto session =
        readSession(sessionWith(", \"lesson\": {\"summary\": \"s\", \"steps\": [" + steps + "]}"));
    REQUIRE_FALSE(session);
    CHECK(session.error().what.text().find("tokens together") != std::string::npos);
}

TEST_CASE("reading that is stopped before it begins") {
    std::stop_source source;
    source.request_stop();
    const std::stop_token stop = source.get_token();
    const std::string json = smallSession().dump();
    CHECK(isCancelled(readSession(json, {}, stop).error()));
    REQUIRE(checkSession(json, stop).size() == 1);
    CHECK(isCancelled(checkSession(json, stop).front()));
    CHECK(isCancelled(readSessionFile(sessionFiles().front(), {}, stop).error()));
    CHECK(isCancelled(splitIntoWords("a b", stop).error()));
    const std::string png = pngWith(figureText({{}, json}));
    CHECK(readFigure(png));
    CHECK(isCancelled(readFigure(png, stop).error()));
    const std::string path = HEADLIGHT_TEST_SCRATCH "/figure.png";
    std::filesystem::create_directories(HEADLIGHT_TEST_SCRATCH);
    std::ofstream(path, std::ios::binary) << png;
    CHECK(isCancelled(readFigureFile(path, stop).error()));
    CHECK(isCancelled(readCapture(path, stop).error()));
    CHECK(isCancelled(readWordVectors(path, {"a"}, false, {}, stop).error()));
    std::filesystem::remove(path);
}

TEST_CASE("reading that another thread stops") {
    // This takes over a minute in a debug build unless reading stops early. A reader that ignores
    // the stop token would return a session.
    const std::string json =
        lessonOf(20000, [](std::size_t i) { return "\"text\": \"a" + std::to_string(i) + "\""; });
    std::stop_source source;
    std::thread other([&source] { source.request_stop(); });
    bool stopped = false;
    for (int i = 0; i < 1000 && !stopped; ++i)
        if (const auto session = readSession(json, {}, source.get_token()); !session)
            stopped = isCancelled(session.error());
    other.join();
    CHECK(stopped);
}
