// Every lesson, and a session with every field, is damaged everywhere: the result is an error
// message or a valid session. Memory is limited during the test.
#include "core/checks/session_check.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "support.h"
#include "tests/support/long.h"

#include <sys/resource.h>

namespace {

/// Limits the address space, so that a reader that trusts a file's sizes fails instead of the
/// machine. Sanitizers need their own address space.
void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit limit{rlim_t(3) << 30, rlim_t(3) << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Returns true for a valid session. Checks it, or the error message.
bool judged(const std::string &json) {
    const auto session = readSession(json);
    if (session) {
        CHECK(session->input.batch);
        CHECK(session->model.embeddings);
        CHECK(Computable::of(session->model, session->input));
        // A view that does not fit is dropped, so it is not written either.
        const std::string written = writeSession(*session, session->now.value_or(SavedState()));
        if (session->warnings.empty())
            CHECK(written == json);
        else
            CHECK(readSession(written));
        return true;
    }
    CHECK_FALSE(session.error().what.empty());
    CHECK(session.error().text().find('\n') == std::string::npos);
    return false;
}

std::vector<Json> documents() {
    std::vector<Json> all{smallSession()};
    for (const std::string &path : sessionFiles())
        all.push_back(Json::parse(contentOf(path)));
    return all;
}

/// Collects the paths of all values, including containers. Long texts and matrices are sampled.
void visit(const Json &value, const Json::json_pointer &place,
           std::vector<Json::json_pointer> &all) {
    all.push_back(place);
    if (value.is_object())
        for (const auto &[name, member] : value.items())
            visit(member, place / name, all);
    if (value.is_array())
        for (std::size_t index = 0; index < std::min<std::size_t>(value.size(), 3); ++index)
            visit(value[index], place / index, all);
}

/// Returns all paths of the small session, which has every field, and one in nineteen of the
/// others, with a different start in each file.
std::vector<Json::json_pointer> placesIn(const Json &document) {
    std::vector<Json::json_pointer> all;
    visit(document, Json::json_pointer(), all);
    if (document == smallSession())
        return all;
    std::vector<Json::json_pointer> tried;
    for (std::size_t at = 0; at < all.size(); ++at)
        if (headlight::test::isTried(at + all.size(), 19))
            tried.push_back(all[at]);
    return tried;
}

} // namespace

TEST_CASE("every field removed") {
    limitMemory();
    for (const Json &document : documents())
        for (const Json::json_pointer &place : placesIn(document)) {
            if (place.empty())
                continue;
            CAPTURE(place.to_string());
            Json changed = document;
            Json &parent = changed[place.parent_pointer()];
            if (parent.is_array())
                parent.erase(std::stoul(place.back()));
            else
                parent.erase(place.back());
            judged(changed.dump());
        }
}

TEST_CASE("every field of another kind, or huge") {
    limitMemory();
    const Json wrong = Json::parse(R"([null, true, 0, -1, 1e9, 1e18, 1e300, -1e39, "wrong", "",
        "-Infinity", [], {}, [1e9, 1e9], {"identity": 1}, {"random": {"seed": 1}},
        {"base64": "AAAA", "rows": 1e9, "columns": 1e9}])");
    std::size_t refused = 0;
    for (const Json &document : documents())
        for (const Json::json_pointer &place : placesIn(document)) {
            CAPTURE(place.to_string());
            Json changed = document;
            for (const Json &value : wrong) {
                changed[place] = value;
                refused += judged(changed.dump()) ? 0 : 1;
            }
        }
    CHECK(refused > 500);
}

TEST_CASE("numbers out of range, and duplicate names, in every object") {
    limitMemory();
    for (const Json &document : documents())
        for (const Json::json_pointer &place : placesIn(document)) {
            const Json &value = document[place];
            CAPTURE(place.to_string());
            Json changed = document;
            if (value.is_number())
                for (const char *number : {"1e400", "-1e400", "NaN", "Infinity", "-Infinity"}) {
                    changed[place] = "THE PLACE";
                    std::string json = changed.dump();
                    json.replace(json.find("\"THE PLACE\""), 11, number);
                    CHECK_FALSE(judged(json));
                }
            if (value.is_object() && !value.empty()) {
                changed[place]["THE PLACE"] = 1;
                std::string json = changed.dump();
                const std::string name = Json(value.begin().key()).dump();
                json.replace(json.find("\"THE PLACE\""), 11, name);
                CHECK_FALSE(judged(json));
            }
        }
}

TEST_CASE("truncated anywhere, and bytes that are not text") {
    limitMemory();
    for (const Json &document : documents()) {
        const std::string whole = document.dump();
        const std::size_t step = headlight::test::isLong() ? 1 : 1 + whole.size() / 1000;
        for (std::size_t length = 0; length < whole.size(); length += step)
            if (readSession(std::string_view(whole).substr(0, length)))
                FAIL(length);
        for (std::size_t at = 0; at < whole.size(); at += 7 * step) {
            if (static_cast<unsigned char>(whole[at]) >= 0x80)
                continue; // the damaged byte could begin another valid character
            std::string changed = whole;
            changed[at] = static_cast<char>(0xC0 + at % 64); // a lone lead byte is invalid UTF-8
            CHECK_FALSE(judged(changed));
        }
    }
    for (const char *bracket : {"[", "{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 1'000'000; ++i)
            deep += bracket;
        CHECK_FALSE(judged(deep));
        CHECK_FALSE(judged("{\"headlight\": 1, \"unknown\": " + deep));
    }
}

TEST_CASE("an index that overflows is reported once") {
    for (const double number : {1e20, -1e20, 1e300, 0.5}) {
        const auto problems = checkSession(with("/interventions/heads/0/head", number));
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].where == "interventions.heads[0].head");
        CHECK(problems[0].what.text().find("9223372036854775808") == std::string::npos);
    }
}
