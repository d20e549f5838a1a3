// How a piece of text becomes tokens of a vocabulary.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/models/token_list.h"

#include <memory>
#include <vector>

namespace headlight::core {

/// A token of a piece, by its bytes there.
struct PieceToken {
    Index id = 0;
    std::size_t begin = 0;
    std::size_t end = 0; ///< behind it
    bool operator==(const PieceToken &) const = default;
};

class TokenModel {
  public:
    explicit TokenModel(TokenList tokens) : m_tokens(std::move(tokens)) {}
    virtual ~TokenModel() = default;

    /// Of a text that is not empty. Errors: it has a character that the model cannot say. Throws
    /// Cancelled.
    virtual Result<std::vector<PieceToken>> tokenize(std::string_view text,
                                                     StopCheck &stop) const = 0;
    const TokenList &tokens() const { return m_tokens; }

  private:
    TokenList m_tokens;
};
using TokenModelPointer = std::shared_ptr<const TokenModel>;

/// What all of them may do with a character that they do not have.
struct Unknowns {
    std::optional<Index> id; ///< the token for it; none: it is left out, or an error
    bool byBytes = false;    ///< "<0xE2>", … where the vocabulary has these
    bool isFused = true;     ///< several in a row are one token
};

/// The ids of <0x00> to <0xFF>; none unless all are there.
std::optional<std::vector<Index>> byteTokensOf(const TokenList &tokens);

/// github.com/openai/gpt-2: the two neighbours whose merge was learned first become one, again and
/// again.
struct Merge {
    Index left = 0;
    Index right = 0;
    Index made = 0;
};
struct BpeRules {
    std::vector<Merge> merges; ///< the first are preferred
    Unknowns unknowns{{}, false, false};
    std::string continuingPrefix; ///< of all characters of a word but its first
    std::string endSuffix;        ///< of its last one
    bool takesWholeWords = false; ///< a word of the vocabulary needs no merge
};
TokenModelPointer bpeModel(TokenList tokens, BpeRules rules);
/// The merge of two tokens by their texts; all three are in the list. `prefix` is what the second
/// loses (BpeRules::continuingPrefix).
Result<Merge> mergeOf(std::string_view left, std::string_view right, const TokenList &tokens,
                      std::string_view prefix);

/// BERT's: from the left, the longest token that fits.
struct WordPieceRules {
    Index unknown = 0;
    std::string continuingPrefix = "##";
    std::size_t longestWord = 100; ///< characters; a longer one is unknown
};
TokenModelPointer wordPieceModel(TokenList tokens, WordPieceRules rules);

/// Kudo 2018 (arXiv:1804.10959): the tokens whose scores have the largest sum. One score a token.
TokenModelPointer unigramModel(TokenList tokens, std::vector<double> scores, Unknowns unknowns);

/// Each piece is a token, or unknown.
TokenModelPointer wordLevelModel(TokenList tokens, std::optional<Index> unknown);

} // namespace headlight::core
