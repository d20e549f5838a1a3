// Readable text of tokens of published vocabularies.
#include "core/tokenizers/token_words.h"

#include <doctest/doctest.h>

using namespace headlight::core;

namespace {

class Listed final : public Tokenizer {
  public:
    explicit Listed(std::vector<std::string> words) : m_words(std::move(words)) {}
    Result<std::vector<Token>> encode(std::string_view, SpecialTokens,
                                      std::stop_token) const override {
        return std::vector<Token>();
    }
    Result<TokenPair> encodePair(std::string_view, std::string_view, SpecialTokens,
                                 std::stop_token) const override {
        return TokenPair();
    }
    std::vector<Index> betweenPair() const override { return {}; }
    Result<std::string> decode(std::span<const Index>, SpecialTokens,
                               std::stop_token) const override {
        return std::string();
    }
    Index size() const override { return static_cast<Index>(m_words.size()); }
    std::string textOf(Index id) const override { return m_words[static_cast<std::size_t>(id)]; }

  private:
    std::vector<std::string> m_words;
};

} // namespace

TEST_CASE("bytes are read as text") {
    const Listed tokens({"\u0120the", "caf\u00C3\u00A9", "\u00E4\u00BD\u0142", "\u00E4\u00BD",
                         "\u010A", "<|endoftext|>", "\u0100"});
    CHECK(wordsOf(&tokens, 8) == std::vector<std::string>{" the", "café", "你", "<0xE4><0xBD>",
                                                          "\n", "<|endoftext|>", "<0x00>", "<7>"});
}

TEST_CASE("SentencePiece's spaces are spaces") {
    const Listed tokens({"<s>", "\u2581Once", "\u2581", "<0x0A>", "", "\xFF"});
    CHECK(wordsOf(&tokens, 6) ==
          std::vector<std::string>{"<s>", " Once", " ", "<0x0A>", "<4>", "<0xFF>"});
}

TEST_CASE("words in any language stay as they are") {
    std::vector<std::string> words{"caf\u00E9", "\u0120uda", "##ing"}; // Maltese has this letter
    for (int i = 0; i < 200; ++i)
        words.push_back("w" + std::to_string(i));
    CHECK(wordsOf(std::make_unique<Listed>(words).get(), 203) == words);
}

TEST_CASE("without a tokenizer words are ids") {
    CHECK(wordsOf(nullptr, 3) == std::vector<std::string>{"0", "1", "2"});
}
