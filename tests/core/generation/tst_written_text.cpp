// Texts in which tokens were generated or chosen: the tokens and their spans.
#include "core/formats/pretrained/folder_reader.h"
#include "core/formats/tokenizer/tokenizer_json.h"
#include "core/generation/chosen_text.h"
#include "core/generation/written_text.h"
#include "core/tokenizers/word_tokenizer.h"
#include "core_test.h"

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
    const auto tokenizer = valueOf(readTokenizerJson(json.dump()));
    Model model;
    model.vocabulary = *Vocabulary::create(texts);
    const StackTexts of{tokenizer, model.vocabulary, model.vocabulary};
    model.reader = makeTextReader({"", of, of, {}});
    return model;
}

BatchPointer behind(const Model &model, const std::vector<Index> &ids) {
    TokenizedText text;
    for (const Index id : ids)
        text.tokens.push_back(model.vocabulary->token(id));
    return valueOf(Batch::create({std::move(text)}));
}

/// Returns the text that each token adds, followed by the rest.
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
    // The text before the tokens ends within a character.
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

TEST_CASE("an end of a word that only the next token reveals") {
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

namespace {

Model modelOf(std::vector<std::string> words) {
    Model model;
    model.config.outputLayer.kind = OutputLayerKind::Language;
    model.vocabulary = *Vocabulary::create(std::move(words));
    return model;
}

TokenizedText typed(const std::string &text) {
    return {*splitIntoWords(text), text, true};
}

std::vector<std::string> wordsOf(const TokenizedText &text) {
    return textsOf(text.tokens);
}

using TextWords = std::vector<std::string>;

/// A reader that turns each letter into a lower-case token. Its decoder cannot write "e".
class LettersReader final : public TextReader {
  public:
    explicit LettersReader(VocabularyPointer words) : m_words(std::move(words)) {}
    Result<TokenizedText> read(Stack, std::string_view text, std::stop_token) const override {
        TokenizedText made{{}, std::string(text), false};
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto place = static_cast<Index>(i);
            made.tokens.push_back({std::string(1, text[i]), {}, TextSpan{place, place + 1}});
        }
        return made;
    }
    std::string textOf(Stack, std::span<const Index> ids) const override {
        std::string text;
        for (const Index id : ids)
            if (m_words->word(id) != "e")
                text += m_words->word(id);
        return text;
    }

  private:
    VocabularyPointer m_words;
};

} // namespace

TEST_CASE("a generated word is in the text as a user would type it") {
    const Model model = modelOf({"the", "cat", "sat", "."});
    TokenizedText text = typed("the cat");
    text = withWritten(model, Stack::Main, std::move(text), 2);
    CHECK(text.text == "the cat sat");
    text = withWritten(model, Stack::Main, std::move(text), 3);
    CHECK(text.text == "the cat sat.");
    CHECK(text.isSplit);
    CHECK(wordsOf(text) == TextWords{"the", "cat", "sat", "."});
    CHECK(text.tokens[3].span == TextSpan{11, 12});
    CHECK_FALSE(text.tokens[1].isWritten);
    CHECK(text.tokens[2].isWritten);
    CHECK(text.tokens[3].isWritten);
}

TEST_CASE("if no text gives these tokens, only the tokens are stored") {
    const Model model = modelOf({"the", "<two words>"});
    const TokenizedText text = withWritten(model, Stack::Main, typed("the"), 1);
    CHECK(wordsOf(text) == TextWords{"the", "<two words>"});
    CHECK(text.text.empty());
    CHECK_FALSE(text.isSplit);
    CHECK_FALSE(text.tokens[0].span.has_value());
    const TokenizedText more = withWritten(model, Stack::Main, text, 0);
    CHECK(wordsOf(more) == TextWords{"the", "<two words>", "the"});
    CHECK(more.text.empty());
}

TEST_CASE("among tokens with the same text, the chosen one is kept") {
    const Model model = modelOf({"bank", "river", "bank"});
    const TokenizedText text = withWritten(model, Stack::Main, typed("river"), 2);
    CHECK(text.tokens[1].id == 2);
    CHECK_FALSE(text.isSplit); // splitting the text would give the first token with this text
}

TEST_CASE("a chosen token replaces one, and the following ones are dropped or kept") {
    const Model model = modelOf({"the", "cat", "sat", "dog", "slept"});
    const TokenizedText old = typed("the cat  sat");
    const TokenizedText cut = withToken(model, Stack::Main, old, 1, 3, FollowingTokens::Drop);
    CHECK(cut.text == "the dog");
    CHECK_FALSE(cut.tokens[1].isWritten);
    const TokenizedText replaced = withToken(model, Stack::Main, old, 1, 3, FollowingTokens::Keep);
    CHECK(replaced.text == "the dog  sat");
    CHECK(wordsOf(replaced) == TextWords{"the", "dog", "sat"});
    CHECK(withToken(model, Stack::Main, old, 0, 3, FollowingTokens::Drop).text == "dog");
    CHECK(withToken(model, Stack::Main, old, 3, 4, FollowingTokens::Drop).text ==
          "the cat  sat slept");
    CHECK(withToken(model, Stack::Main, old, 2, 4, FollowingTokens::Keep).text == "the cat  slept");
}

TEST_CASE("a model's reader decodes the text, even if it would read other tokens from it") {
    Model model = modelOf({"a", "b", "e", "bb"});
    model.reader = std::make_shared<LettersReader>(model.vocabulary);
    TokenizedText text = *tokenized(model, Stack::Main, "ab");
    text = withWritten(model, Stack::Main, std::move(text), 2);
    CHECK(text.text == "abe");
    CHECK(text.tokens[2].span == TextSpan{2, 3});
    CHECK(text.tokens[2].isWritten);
    text = withWritten(model, Stack::Main, std::move(text),
                       3); // reading the text again would give two tokens "b"
    CHECK(wordsOf(text) == TextWords{"a", "b", "e", "bb"});
    CHECK(text.text == "abbb");
    CHECK_FALSE(text.tokens[0].span.has_value());
    CHECK(text.tokens[2].isWritten);
    CHECK(text.tokens[3].isWritten);
}

TEST_CASE("typing after generated tokens keeps their marks") {
    const Model model = modelOf({"the", "cat", "sat"});
    TokenizedText text = withWritten(model, Stack::Main, typed("the"), 1);
    text = withWritten(model, Stack::Main, std::move(text), 2);
    const TokenizedText more = withMarksOf(text, typed("the cat sat down"));
    CHECK(more.tokens[1].isWritten);
    CHECK(more.tokens[2].isWritten);
    CHECK_FALSE(more.tokens[3].isWritten);
    const TokenizedText other = withMarksOf(text, typed("the dog sat"));
    CHECK_FALSE(other.tokens[1].isWritten);
    CHECK_FALSE(other.tokens[2].isWritten); // the tokens before it have changed
}
