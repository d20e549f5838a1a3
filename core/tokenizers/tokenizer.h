// Converts text to the tokens of a model's own vocabulary, exactly as the original tokenizer does.
#pragma once

#include "core/result.h"
#include "core/tokenizers/text/token.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// Whether to add the tokens that begin and end a model's texts, such as [CLS] and [SEP].
enum class SpecialTokens { LeftOut, Added };

/// Two texts encoded as one model input.
struct TokenPair {
    std::vector<Token> tokens; ///< spans refer to the text that the token comes from
    std::vector<Index> types;  ///< token type of each token
    std::vector<int> texts;    ///< 0 first text, 1 second text, -1 added
};

class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// Returns tokens with id and vocabulary text. Tokens from the text have a span at character
    /// boundaries. An empty text yields no tokens of its own. Errors: invalid UTF-8 (with the byte
    /// offset), a text longer than kMaxTextBytes, a character that this tokenizer cannot
    /// encode, a regular expression that takes too long; "cancelled" once `stop` is requested.
    virtual Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                              std::stop_token stop = {}) const = 0;

    /// Encodes both texts separately, with the special tokens around and between them. Errors: see
    /// encode().
    virtual Result<TokenPair> encodePair(std::string_view first, std::string_view second,
                                         SpecialTokens special,
                                         std::stop_token stop = {}) const = 0;
    /// Returns the special tokens between the texts of a pair, which mark the start of the second;
    /// empty if there are none.
    virtual std::vector<Index> betweenPair() const = 0;

    /// Returns the text of tokens, without special tokens if `special` is LeftOut. Skips unknown
    /// ids. The result is valid UTF-8: invalid bytes become U+FFFD. Errors: a regular expression
    /// that takes too long, a text longer than kMaxPieceBytes; "cancelled".
    virtual Result<std::string> decode(std::span<const Index> ids, SpecialTokens special,
                                       std::stop_token stop = {}) const = 0;

    /// Returns the largest id plus one.
    virtual Index size() const = 0;
    /// Returns the vocabulary text, or an empty string for an unknown id.
    virtual std::string textOf(Index id) const = 0;
};
using TokenizerPointer = std::shared_ptr<const Tokenizer>;

/// Checks length and UTF-8, as every tokenizer does.
Outcome checkText(std::string_view text);

} // namespace headlight::core
