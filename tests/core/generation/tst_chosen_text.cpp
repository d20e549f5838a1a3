// A text after a token has been chosen in it: its tokens and their spans.
#include "core/generation/chosen_text.h"
#include "core/tokenizers/word_tokenizer.h"

#include <doctest/doctest.h>

using namespace headlight::core;

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

using Words = std::vector<std::string>;

/// Reads each letter as a token in lower case. Its decoder has no "e".
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

TEST_CASE("a word that is written stands in the text as one would write it") {
    const Model model = modelOf({"the", "cat", "sat", "."});
    TokenizedText text = typed("the cat");
    text = withWritten(model, Stack::Main, std::move(text), 2);
    CHECK(text.text == "the cat sat");
    text = withWritten(model, Stack::Main, std::move(text), 3);
    CHECK(text.text == "the cat sat.");
    CHECK(text.isSplit);
    CHECK(wordsOf(text) == Words{"the", "cat", "sat", "."});
    CHECK(text.tokens[3].span == TextSpan{11, 12});
    CHECK_FALSE(text.tokens[1].isWritten);
    CHECK(text.tokens[2].isWritten);
    CHECK(text.tokens[3].isWritten);
}

TEST_CASE("where no text has these tokens, the tokens are all there is") {
    const Model model = modelOf({"the", "<two words>"});
    const TokenizedText text = withWritten(model, Stack::Main, typed("the"), 1);
    CHECK(wordsOf(text) == Words{"the", "<two words>"});
    CHECK(text.text.empty());
    CHECK_FALSE(text.isSplit);
    CHECK_FALSE(text.tokens[0].span.has_value());
    const TokenizedText more = withWritten(model, Stack::Main, text, 0);
    CHECK(wordsOf(more) == Words{"the", "<two words>", "the"});
    CHECK(more.text.empty());
}

TEST_CASE("of words that read alike the one that was chosen is kept") {
    const Model model = modelOf({"bank", "river", "bank"});
    const TokenizedText text = withWritten(model, Stack::Main, typed("river"), 2);
    CHECK(text.tokens[1].id == 2);
    CHECK_FALSE(text.isSplit); // splitting would give the first of them
}

TEST_CASE("a word that a person chooses takes a place, and what followed goes or stays") {
    const Model model = modelOf({"the", "cat", "sat", "dog", "slept"});
    const TokenizedText old = typed("the cat  sat");
    const TokenizedText cut = withToken(model, Stack::Main, old, 1, 3, FollowingTokens::Drop);
    CHECK(cut.text == "the dog");
    CHECK_FALSE(cut.tokens[1].isWritten);
    const TokenizedText replaced = withToken(model, Stack::Main, old, 1, 3, FollowingTokens::Keep);
    CHECK(replaced.text == "the dog  sat");
    CHECK(wordsOf(replaced) == Words{"the", "dog", "sat"});
    CHECK(withToken(model, Stack::Main, old, 0, 3, FollowingTokens::Drop).text == "dog");
    CHECK(withToken(model, Stack::Main, old, 3, 4, FollowingTokens::Drop).text ==
          "the cat  sat slept");
    CHECK(withToken(model, Stack::Main, old, 2, 4, FollowingTokens::Keep).text == "the cat  slept");
}

TEST_CASE("a model's reader says the text, also where it would read other tokens") {
    Model model = modelOf({"a", "b", "e", "bb"});
    model.reader = std::make_shared<LettersReader>(model.vocabulary);
    TokenizedText text = *tokenized(model, Stack::Main, "ab");
    text = withWritten(model, Stack::Main, std::move(text), 2);
    CHECK(text.text == "abe");
    CHECK(text.tokens[2].span == TextSpan{2, 3});
    CHECK(text.tokens[2].isWritten);
    text = withWritten(model, Stack::Main, std::move(text),
                       3); // reading the text again would give two letters
    CHECK(wordsOf(text) == Words{"a", "b", "e", "bb"});
    CHECK(text.text == "abbb");
    CHECK_FALSE(text.tokens[0].span.has_value());
    CHECK(text.tokens[2].isWritten);
    CHECK(text.tokens[3].isWritten);
}

TEST_CASE("typing behind what was written leaves its marks") {
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
