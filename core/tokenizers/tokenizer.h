// Converts text to the tokens of a model's own vocabulary, exactly like the original tokenizer.
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

/// Specifies whether to add the tokens at the start and end of a model's texts, such as [CLS] and
/// [SEP].
enum class SpecialTokens { LeftOut, Added };

/// Two texts encoded as one model input.
struct TokenPair {
    std::vector<Token> tokens; ///< spans refer to the text that contains the token
    std::vector<Index> types;  ///< token type of each token
    std::vector<int> texts;    ///< 0: token of the first text; 1: of the second; −1: added
};

class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// Returns tokens with their ids and texts in the vocabulary. Tokens from the text also have a
    /// span, which starts and ends at character boundaries. An empty text has only special tokens.
    /// Errors: invalid UTF-8 (with the byte offset), a text longer than kMaxTextBytes, a character
    /// that this tokenizer cannot encode, a regular expression that takes too long; "cancelled"
    /// once `stop` is requested.
    virtual Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                              std::stop_token stop = {}) const = 0;

    /// Encodes both texts separately, with special tokens around and between them. Errors: see
    /// encode().
    virtual Result<TokenPair> encodePair(std::string_view first, std::string_view second,
                                         SpecialTokens special,
                                         std::stop_token stop = {}) const = 0;
    /// Returns the special tokens between the texts of a pair, which mark the start of the second
    /// text; empty if there are none.
    virtual std::vector<Index> betweenPair() const = 0;

    /// Decodes tokens to text, without special tokens if `special` is LeftOut. Skips unknown ids.
    /// Invalid bytes become U+FFFD, so the result is valid UTF-8. Errors: a regular expression that
    /// takes too long, a text longer than kMaxPieceBytes; "cancelled".
    virtual Result<std::string> decode(std::span<const Index> ids, SpecialTokens special,
                                       std::stop_token stop = {}) const = 0;

    /// Returns the largest id plus one.
    virtual Index size() const = 0;
    /// Returns the token's text in the vocabulary; an empty text for an unknown id.
    virtual std::string textOf(Index id) const = 0;
};
using TokenizerPointer = std::shared_ptr<const Tokenizer>;

/// Checks the length and that the text is valid UTF-8, as every tokenizer requires.
Outcome checkText(std::string_view text);

} // namespace headlight::core
