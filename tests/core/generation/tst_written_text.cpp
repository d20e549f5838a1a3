// The text of tokens that arrive one at a time: only text that will not change is returned.
#include "core/generation/written_text.h"

#include "core/formats/pretrained/folder_reader.h"
#include "core/formats/tokenizer/tokenizer_json.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace headlight::core;
using Json = nlohmann::ordered_json;

namespace {

/// Returns a model with only a vocabulary, and a tokenizer with this decoder.
Model modelOf(const std::vector<std::string> &texts, const Json &decoder) {
    Json vocabulary;
    for (std::size_t i = 0; i < texts.size(); ++i)
        vocabulary[texts[i]] = i;
    const Json json{
        {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}}},
        {"decoder", decoder},
        {"added_tokens",
         Json::array({{{"id", texts.size() - 1}, {"content", texts.back()}, {"special", true}}})}};
    const auto tokenizer = readTokenizerJson(json.dump());
    REQUIRE_MESSAGE(tokenizer.ok(), (tokenizer.ok() ? "" : tokenizer.error().text()));
    Model model;
    model.vocabulary = *Vocabulary::create(texts);
    const StackTexts of{*tokenizer, model.vocabulary, model.vocabulary};
    model.reader = makeTextReader({"", of, of, {}});
    return model;
}

BatchPointer behind(const Model &model, const std::vector<Index> &ids) {
    TokenizedText text;
    for (const Index id : ids)
        text.tokens.push_back(model.vocabulary->token(id));
    auto batch = Batch::create({std::move(text)});
    REQUIRE(batch.ok());
    return *batch;
}

/// Returns the text that each token adds, and the rest at the end.
std::vector<std::string> given(const Model &model, const std::vector<Index> &before,
                               const std::vector<Index> &ids) {
    WrittenText written(model, *behind(model, before));
    std::vector<std::string> parts;
    for (const Index id : ids)
        parts.push_back(written.add(id));
    parts.push_back(written.rest());
    CHECK(written.rest().empty());
    return parts;
}

using Parts = std::vector<std::string>;

} // namespace

TEST_CASE("bytes wait for their character") {
    const Json llama = Json::parse(R"({"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
        {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})");
    const Model model = modelOf({"▁a", "▁b", "<0xC3>", "<0xA9>", "<0x0A>", "c", "</s>"}, llama);
    CHECK(given(model, {0}, {1, 5, 1}) == Parts{" b", "c", " b", ""});
    CHECK(given(model, {0}, {2, 3, 5}) == Parts{"", "", "éc", ""});
    CHECK(given(model, {0}, {4, 2, 3}) == Parts{"", "", "", "\né"});
    CHECK(given(model, {0}, {4, 2, 1}) == Parts{"", "", "\uFFFD\uFFFD b", ""}); // invalid UTF-8
    CHECK(given(model, {0}, {2}) == Parts{"", "\uFFFD"});
    // The text before ends within a character.
    CHECK(given(model, {0, 2}, {3, 5}) == Parts{"", "éc", ""});
    // Special tokens add no text, and the first token's space is dropped.
    CHECK(given(model, {6}, {0, 1, 6, 1}) == Parts{"a", " b", "", " b", ""});
}

TEST_CASE("parts of characters in a byte-level vocabulary wait") {
    const Model model =
        modelOf({"a", "Ġb", "Ã", "©", "âĤ", "¬x", "<|endoftext|>"}, {{"type", "ByteLevel"}});
    CHECK(given(model, {0}, {1, 2, 3, 1}) == Parts{" b", "", "é", " b", ""});
    CHECK(given(model, {0}, {4, 5}) == Parts{"", "€x", ""});
    CHECK(given(model, {0}, {2, 1}) == Parts{"", "\uFFFD b", ""});
}

TEST_CASE("an end of a word that only shows with the next one") {
    const Model model = modelOf({"a", "b</w>", "c</w>", "</s>"}, {{"type", "BPEDecoder"}});
    CHECK(given(model, {3}, {0, 1, 2, 0}) == Parts{"a", "b", " c", " a", ""});
}

TEST_CASE("without a tokenizer the words are the text") {
    Model model;
    model.vocabulary = *Vocabulary::create({"the", "cat", "sat"});
    CHECK(given(model, {0}, {1, 2}) == Parts{"cat", " sat", ""});
    model.vocabulary = *Vocabulary::create({"the", " cat", "s"});
    CHECK(given(model, {0}, {1, 2}) == Parts{" cat", "s", ""});
}
