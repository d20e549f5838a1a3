// Text into the tokens of a model's own vocabulary, exactly as its makers' tokenizer does.
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

/// Whether the tokens that a model's texts begin and end with, such as [CLS] and [SEP], are put
/// around a text.
enum class SpecialTokens { LeftOut, Added };

/// Two texts as a model reads them, one behind the other.
struct TokenPair {
    std::vector<Token> tokens; ///< each with its place in the text that it is from
    std::vector<Index> types;  ///< of each: which kind of text it belongs to
    std::vector<int> texts;    ///< of each: 0 the first, 1 the second, -1 put around them
};

class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// Each with its id and its text in the vocabulary; what was not added, with its place in the
    /// text, at the edges of characters. An empty text has no tokens of its own. Errors: invalid
    /// UTF-8 (it says at which byte), a text longer than kMaximumTextBytes, a character that this
    /// tokenizer cannot say, an expression that takes too long; "cancelled" once `stop` is
    /// requested.
    virtual Result<std::vector<Token>> encode(std::string_view text, SpecialTokens special,
                                              std::stop_token stop = {}) const = 0;

    /// Both by themselves, with what is put around and between them. Errors: as encode().
    virtual Result<TokenPair> encodePair(std::string_view first, std::string_view second,
                                         SpecialTokens special,
                                         std::stop_token stop = {}) const = 0;
    /// What is put between the two texts of a pair, which tells a model where the second begins;
    /// empty where nothing is.
    virtual std::vector<Index> betweenPair() const = 0;

    /// The text of tokens, without the special ones where these are left out. Ids that no token has
    /// add nothing. It is valid UTF-8: bytes of no character are U+FFFD. Errors: an expression that
    /// takes too long, a text that would be longer than kMaximumPieceBytes; "cancelled".
    virtual Result<std::string> decode(std::span<const Index> ids, SpecialTokens special,
                                       std::stop_token stop = {}) const = 0;

    /// One more than the largest id.
    virtual Index size() const = 0;
    /// As the vocabulary has it; empty where no token has this id.
    virtual std::string textOf(Index id) const = 0;
};
using TokenizerPointer = std::shared_ptr<const Tokenizer>;

/// What every tokenizer refuses: too long, or not UTF-8.
Outcome checkText(std::string_view text);

} // namespace headlight::core
