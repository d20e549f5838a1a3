// Training texts from users: the tasks built from them, and refusals.
#include "core/cancelled.h"
#include "core/training/recipe/architecture.h"
#include "core/training/recipe/character_reader.h"
#include "core/training/run/trainer.h"
#include "core/training/tasks/own_text.h"
#include "core_test.h"
#include "task_texts.h"

namespace {

/// Returns lines "line 0 of a text.", "line 1 of a text.", …
std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "line " + std::to_string(i) + " of a text.\n";
    return text;
}

std::string fileWith(const std::string &name, const std::string &bytes) {
    const std::filesystem::path folder = HEADLIGHT_TEST_SCRATCH;
    std::filesystem::create_directories(folder);
    const std::string path = (folder / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

std::string refusalOf(const std::string &text, TextUnits units) {
    const auto task = ownTextTask(text, units);
    return task ? "" : task.error().text();
}

std::string joined(const std::vector<std::string> &words, const char *between = "") {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

} // namespace

TEST_CASE("characters: windows of the text, and at each character the next") {
    std::string text = lines(200), shown;
    for (const char c : text)
        shown += shownCharacter(std::string_view(&c, 1));
    const auto made = valueOf(ownTextTask(text, TextUnits::Characters));
    const Task &task = *made;
    CHECK(task.info().id == "characters");
    for (const Split split : {Split::Train, Split::HeldOut})
        for (const Example &example : examplesOf(task, split, 1, 0, 200)) {
            REQUIRE(std::ssize(example.tokens) == task.info().length);
            const std::string window = joined(wordsOf(example.tokens, task.info().words));
            REQUIRE(shown.find(window) != shown.npos);
            std::vector<Index> next(example.tokens.begin() + 1, example.tokens.end());
            next.push_back(example.answers.back());
            REQUIRE(example.answers == next);
            REQUIRE(shown.find(joined(wordsOf(example.answers, task.info().words))) != shown.npos);
        }
}

TEST_CASE("the last tenth is held out, to the character") {
    // Ten thousand characters. The letters of the last tenth do not occur before it.
    std::string text;
    for (int i = 0; i < 10000; ++i)
        text += i < 9000 ? static_cast<char>('a' + i % 13) : static_cast<char>('n' + i % 13);
    const auto task = valueOf(ownTextTask(text, TextUnits::Characters));
    for (const Split split : {Split::Train, Split::HeldOut})
        for (const Example &example : examplesOf(*task, split, 1, 0, 2000)) {
            auto ids = example.tokens;
            ids.push_back(example.answers.back()); // the last target is also from this part
            for (const std::string &letter : wordsOf(ids, task->info().words))
                REQUIRE((letter < "n") == (split == Split::Train));
        }
}

TEST_CASE("words: as they are typed, with [UNK] for rare ones") {
    std::string text;
    for (int i = 0; i < 2200; ++i)
        text += "the word" + std::to_string(i) + " often, ";
    const auto made = valueOf(ownTextTask(text, TextUnits::Words));
    const auto &words = made->info().words;
    CHECK(words.size() == 2000);
    CHECK(words[1] == "[UNK]");
    CHECK(std::set(words.begin() + 2, words.begin() + 5) ==
          std::set<std::string>{"the", "often", ","});
    bool hasRare = false;
    for (const Example &example : examplesOf(*made, Split::HeldOut, 1, 0, 50))
        hasRare |= std::ranges::count(example.tokens, 1) > 0;
    CHECK(hasRare); // among equally rare words, those seen first get ids
}

TEST_CASE("long texts of words are split piece by piece, without a word coming apart") {
    std::string text;
    while (text.size() < 3'000'000)
        text += "twelve different words stand here again and again on every single line\n";
    const auto made = valueOf(ownTextTask(text, TextUnits::Words));
    CHECK(made->info().words.size() == 2 + 11); // "again" occurs twice
    const std::string oneLine = [&] {
        std::string line = text;
        std::ranges::replace(line, '\n', ' ');
        return line;
    }();
    CHECK((*ownTextTask(oneLine, TextUnits::Words))->info().words.size() == 2 + 11);
}

TEST_CASE("characters of any script, line ends of any system, and a byte order mark") {
    std::string text = "\xEF\xBB\xBF";
    for (int i = 0; i < 300; ++i)
        text += "日本語 é😀\r\n";
    const auto made = valueOf(ownTextTask(text, TextUnits::Characters));
    const auto &words = made->info().words;
    CHECK(std::set(words.begin(), words.end()) ==
          std::set<std::string>{"[PAD]", "[UNK]", "日", "本", "語", "␣", "é", "😀", "↵"});
}

TEST_CASE("a model of characters reads what is typed, and gives it back") {
    const auto task = ownTextTask(lines(100), TextUnits::Characters);
    const Model model = *initialModel((*task)->info(), {}, 1);
    REQUIRE(model.reader);
    const auto text = valueOf(tokenized(model, Stack::Main, "line 3\n"));
    CHECK(joined(textsOf(text.tokens), "|") == "l|i|n|e|␣|3|↵");
    CHECK(text.tokens[4].span == TextSpan{4, 5});
    std::vector<Index> ids;
    for (const Token &token : text.tokens)
        ids.push_back(*model.vocabulary->idOf(token));
    CHECK(model.reader->textOf(Stack::Main, ids) == "line 3\n");
    CHECK_FALSE(tokenized(model, Stack::Main, "").ok());
    CHECK_FALSE(tokenized(model, Stack::Main, "\xFF").ok());
}

TEST_CASE("texts from which nothing can be learned are refused, with the reason") {
    for (const TextUnits units : {TextUnits::Characters, TextUnits::Words}) {
        CHECK(refusalOf("", units).find("it is empty") != std::string::npos);
        CHECK(refusalOf(lines(100) + '\0', units).find("zero bytes") != std::string::npos);
        CHECK(refusalOf(lines(100) + "\xC3(", units).find("not UTF-8") != std::string::npos);
        CHECK(refusalOf("short", units) != "");
    }
    CHECK(refusalOf("a", TextUnits::Characters).find("only character is \"a\"") !=
          std::string::npos);
    CHECK(refusalOf(std::string(100000, 'a'), TextUnits::Characters)
              .find("only character is \"a\"") != std::string::npos);
    CHECK(refusalOf("ab", TextUnits::Characters).find("at least 650 characters") !=
          std::string::npos);
    CHECK(refusalOf(std::string(1000, '\n'), TextUnits::Words) != "");
    std::string same;
    for (int i = 0; i < 1000; ++i)
        same += "word ";
    CHECK(refusalOf(same, TextUnits::Words).find("only word") != std::string::npos);
    CHECK(refusalOf("ab ab", TextUnits::Words).find("only word") != std::string::npos);
    CHECK(refusalOf("ab cd", TextUnits::Words).find("at least 330 words") != std::string::npos);
}

TEST_CASE("the shortest text that is taken has a window in each split") {
    std::string text;
    while (text.size() < 650)
        text += "ab";
    const auto task = valueOf(ownTextTask(text, TextUnits::Characters));
    CHECK(examplesOf(*task, Split::HeldOut, 1, 0, 10).size() == 10);
    CHECK_FALSE(ownTextTask(text.substr(1), TextUnits::Characters).ok());
}

TEST_CASE("files: the error names them, and one that is too large is not read") {
    const std::string good = fileWith("good.txt", lines(100));
    CHECK(readOwnTextTask(good, TextUnits::Characters).ok());
    const std::string empty = fileWith("empty.txt", "");
    CHECK(readOwnTextTask(empty, TextUnits::Characters).error().where == empty);
    CHECK(readOwnTextTask("/no/such/file", TextUnits::Words).error().where == "/no/such/file");
    CHECK_FALSE(readOwnTextTask(HEADLIGHT_TEST_SCRATCH, TextUnits::Words).ok());
    const std::string large = fileWith("large.txt", "");
    std::filesystem::resize_file(large, std::uintmax_t(10)
                                            << 30); // a sparse file, which takes no disk space
    const auto refused = readOwnTextTask(large, TextUnits::Words);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().text().find("larger than 16 MB") != std::string::npos);
    std::filesystem::remove(large);
}

TEST_CASE("reading can be stopped") {
    std::stop_source stop;
    stop.request_stop();
    for (const TextUnits units : {TextUnits::Characters, TextUnits::Words}) {
        const auto task = ownTextTask(lines(100), units, stop.get_token());
        REQUIRE_FALSE(task.ok());
        CHECK(isCancelled(task.error()));
    }
}

TEST_CASE("accuracy is the share of single answers, because no complete window is predictable") {
    CHECK(ownTextInfo(TextUnits::Characters).description.text().find("makes no sense") !=
          std::string::npos); // the description names what a small model cannot learn
    CHECK(ownTextInfo(TextUnits::Words).description.text().find("far more text") !=
          std::string::npos);
    for (const bool masked : {true, false}) {
        const auto task = valueOf(ownTextTask(lines(400), TextUnits::Characters));
        CHECK(task->info().counts == AccuracyUnit::Answers);
        CHECK(task->info().chance ==
              doctest::Approx(1.0 / static_cast<double>(task->info().words.size())));
        Recipe recipe = task->info().recipe;
        recipe.architecture.masked = masked;
        recipe.steps = 60;
        recipe.batch = 8;
        auto trainer = valueOf(Trainer::create(recipe, task));
        while (!trainer.isDone())
            REQUIRE(trainer.advance().ok());
        // Most of each line is the same and can be predicted, but its number cannot.
        CHECK(trainer.history().back().accuracy > 0.4);
        const auto heldOut = valueOf(trainer.measure());
        CHECK(heldOut.accuracy > 0.4);
        CHECK(heldOut.accuracy < 1);
        CHECK(heldOut.written.has_value() == !masked);
        if (heldOut.written) {
            CHECK(*heldOut.written > 0);
            CHECK(*heldOut.written < 1);
        }
    }
}
