// Models that convert a piece of text to tokens of a vocabulary.
#pragma once

#include "core/cancelled.h"
#include "core/tokenizers/models/token_list.h"

#include <memory>
#include <vector>

namespace headlight::core {

/// A token and its byte range in the piece.
struct PieceToken {
    Index id = 0;
    std::size_t begin = 0;
    std::size_t end = 0; ///< end (exclusive)
    bool operator==(const PieceToken &) const = default;
};

class TokenModel {
  public:
    explicit TokenModel(TokenList tokens) : m_tokens(std::move(tokens)) {}
    virtual ~TokenModel() = default;

    /// Tokenizes a non-empty text. Errors: a character that the model cannot encode. Throws
    /// Cancelled.
    virtual Result<std::vector<PieceToken>> tokenize(std::string_view text,
                                                     StopCheck &stop) const = 0;
    const TokenList &tokens() const { return m_tokens; }

  private:
    TokenList m_tokens;
};
using TokenModelPointer = std::shared_ptr<const TokenModel>;

/// Handling of characters that have no token.
struct Unknowns {
    std::optional<Index> id; ///< id of the unknown token; unset: the character is lost or an error
    bool byBytes = false;    ///< uses tokens "<0xE2>", … if the vocabulary has them
    bool isFused = true;     ///< replaces consecutive unknown characters with one token
};

/// As in GPT-2 (github.com/openai/gpt-2): repeatedly merges the adjacent pair whose merge was
/// learned first.
struct Merge {
    Index left = 0;
    Index right = 0;
    Index made = 0;
};
struct BpeRules {
    std::vector<Merge> merges; ///< in order of priority
    Unknowns unknowns{{}, false, false};
    std::string continuingPrefix; ///< prefix of every character of a word but the first
    std::string endSuffix;        ///< suffix of the last character of a word
    bool takesWholeWords = false; ///< a word that is in the vocabulary needs no merges
};
TokenModelPointer bpeModel(TokenList tokens, BpeRules rules);
/// Returns the merge of two tokens with these texts. Both tokens and the merged one must be in the
/// list. `prefix` is removed from the second text (BpeRules::continuingPrefix).
Result<Merge> mergeOf(std::string_view left, std::string_view right, const TokenList &tokens,
                      std::string_view prefix);

/// BERT's WordPiece: repeatedly takes the longest matching token, from left to right.
struct WordPieceRules {
    Index unknown = 0;
    std::string continuingPrefix = "##";
    std::size_t longestWord = 100; ///< in characters; longer words become unknown
};
TokenModelPointer wordPieceModel(TokenList tokens, WordPieceRules rules);

/// Kudo 2018 (arXiv:1804.10959): takes the segmentation with the largest sum of scores. `scores`
/// has one entry per token.
TokenModelPointer unigramModel(TokenList tokens, std::vector<double> scores, Unknowns unknowns);

/// Converts each piece to one token, or to the unknown token.
TokenModelPointer wordLevelModel(TokenList tokens, std::optional<Index> unknown);

} // namespace headlight::core
