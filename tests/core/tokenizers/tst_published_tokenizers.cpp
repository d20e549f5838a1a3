// Tokenizers of published models, beside the project (../shared/models): the ids that their makers'
// own libraries give; else nothing is tested, and that is said.
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "pieces.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace headlight::core;
using namespace headlight::core::test;
using Json = nlohmann::json;

namespace {

const std::string kModels = std::string(HEADLIGHT_TEST_DATA) + "/../../../shared/models";

bool hasModels() {
    const bool there = std::filesystem::is_directory(kModels + "/tokenizers");
    if (!there)
        MESSAGE("skipped: there are no tokenizers in ../shared/models");
    return there;
}

std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TokenizerPointer read(const std::string &path, std::optional<std::string> expression = {}) {
    auto tokenizer = readTokenizer({kModels + "/" + path, std::move(expression)});
    REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? "" : tokenizer.error().text()));
    return *tokenizer;
}

/// The ids; and that each token is from a stretch of whole characters.
std::vector<Index> ids(const TokenizerPointer &tokenizer, const std::string &text,
                       SpecialTokens special = SpecialTokens::LeftOut) {
    const auto tokens = tokenizer->encode(text, special);
    REQUIRE_MESSAGE(tokens.ok(), (tokens.ok() ? "" : tokens.error().text()));
    const auto isEdge = [&text](Index at) {
        const auto byte = static_cast<std::size_t>(at);
        return byte == text.size() || (static_cast<unsigned char>(text[byte]) & 0xC0) != 0x80;
    };
    for (const Token &token : *tokens) {
        CHECK(token.text == tokenizer->textOf(token.id.value_or(-1)));
        if (!token.span)
            continue;
        REQUIRE(token.span->begin >= 0);
        REQUIRE(token.span->begin <= token.span->end);
        REQUIRE(token.span->end <= std::ssize(text));
        CHECK(isEdge(token.span->begin));
        CHECK(isEdge(token.span->end));
    }
    return idsOf(*tokens);
}

std::vector<std::string> split(const std::string &text, const std::string &between) {
    std::vector<std::string> parts;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(between, at);
        parts.push_back(text.substr(at, end - at));
        if (end == std::string::npos)
            return parts;
        at = end + between.size();
    }
}

std::vector<Index> numbersIn(const std::string &line) {
    std::istringstream numbers(line);
    return {std::istream_iterator<Index>(numbers), {}};
}

} // namespace

TEST_CASE("the strings and ids of llama.cpp") {
    if (!hasModels())
        return;
    for (const auto &[name, folder] :
         {std::pair("gpt-2", "gpt2-byte-bpe"), std::pair("bert-bge", "bert-wordpiece"),
          std::pair("bert-bge", "bert-wordpiece/vocab.txt")}) {
        const TokenizerPointer tokenizer = read(std::string("tokenizers/") + folder);
        const std::string base = kModels + "/tokenizers/expected/ggml-vocab-" + name + ".gguf";
        const auto texts = split(contentOf(base + ".inp"), "\n__ggml_vocab_test__\n");
        const auto expected = split(contentOf(base + ".out"), "\n");
        REQUIRE(texts.size() > 40);
        REQUIRE(expected.size() >= texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i) {
            CAPTURE(texts[i]);
            CHECK(ids(tokenizer, texts[i]) == numbersIn(expected[i]));
        }
    }
}

TEST_CASE("texts in many scripts, by the makers' own libraries") {
    if (!hasModels())
        return;
    const Json expected =
        Json::parse(contentOf(std::string(HEADLIGHT_TEST_DATA) + "/tokenizers/expected.json"));
    const std::vector<std::string> texts = expected["texts"];
    REQUIRE(texts.size() > 50);
    for (const auto &[name, path] :
         {std::pair("gpt2", "tokenizers/gpt2-byte-bpe"),
          std::pair("bert", "tokenizers/bert-wordpiece"), std::pair("llama", "stories260k"),
          std::pair("t5", "tokenizers/t5-unigram"),
          std::pair("albert", "tokenizers/albert-sp-unigram"),
          std::pair("sentencepiece", "tokenizers/albert-sp-unigram/"
                                     "test_sentencepiece.model")}) {
        const TokenizerPointer tokenizer = read(path);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (expected[name][i].is_null())
                continue;
            CAPTURE(name);
            CAPTURE(texts[i]);
            CHECK(ids(tokenizer, texts[i]) == expected[name][i].get<std::vector<Index>>());
            ++compared;
        }
        CHECK(compared > 50);
    }
}

TEST_CASE("what the trained models were given") {
    if (!hasModels())
        return;
    const auto golden = [](const char *name) {
        return Json::parse(contentOf(kModels + "/golden/" + name + ".json"));
    };
    const Json story = golden("stories260k");
    std::string text = story["text"];
    text.erase(0, text.find_first_not_of(' '));
    const std::vector<Index> told = story["input_ids"];
    std::vector<Index> begun = ids(read("stories260k"), text, SpecialTokens::Added);
    REQUIRE(begun.size() > 10);
    // The golden text ends within a word: its last token may be another one.
    begun.pop_back();
    REQUIRE(begun.size() <= told.size());
    CHECK(std::equal(begun.begin(), begun.end(), told.begin()));

    const std::string smiles = R"((\[[^\]]+]|Br?|Cl?|N|O|S|P|F|I|b|c|n|o|s|p|\(|\)|\.|=|#|-|\+|\\|)"
                               R"(\/|:|~|@|\?|>>?|\*|\$|\%[0-9]{2}|[0-9]))";
    const Json reaction = golden("rxnmapper-albert");
    CHECK(ids(read("rxnmapper-albert", smiles), reaction["reaction"], SpecialTokens::Added) ==
          reaction["input_ids"].get<std::vector<Index>>());
    const Json word = golden("bart-g2p-us");
    CHECK(ids(read("bart-g2p-us"), word["word"], SpecialTokens::Added) ==
          word["encoder_ids"].get<std::vector<Index>>());
    const Json words = golden("english-lm");
    std::string sentence;
    for (std::size_t i = 1; i < words["tokens"].size(); ++i)
        sentence += (i > 1 ? " " : "") + words["tokens"][i].get<std::string>();
    std::vector<Index> expected = words["input_ids"];
    expected.erase(expected.begin());
    CHECK(ids(read("english-lm"), sentence) == expected);
}
