// Simplifies attention weights for pictures: combines heads, merges pieces of words, leaves out
// keys, or keeps only the largest weights. All functions return a new matrix.
#pragma once

#include "core/analysis/head_summary.h"
#include "core/tokenizers/text/token.h"

#include <span>
#include <vector>

namespace headlight::core {

/// Returns the mean or the maximum of each cell over the heads. Requires at least one head; all are
/// [T, S]. Rows of a mean of weights still sum to 1; those of a maximum do not.
Matrix combinedHeads(std::span<const MatrixView> heads, HeadSummary summary);

/// Tokens begin … end − 1 of a sequence, which form one word.
struct TokenRange {
    Index begin = 0;
    Index end = 0;
    bool operator==(const TokenRange &) const = default;
};

/// Returns the words that the first `length` tokens form, in order; each token is in exactly one. A
/// token starts a word if it begins with "Ġ", "▁" or a space, and continues a word if it begins
/// with "##". Otherwise it continues a word if the two tokens are adjacent in the text, with a
/// letter, digit or mark on both sides of the boundary. Special tokens are separate words, and so
/// are tokens without a position in the text, unless the tokenizer marks the beginnings of words.
std::vector<TokenRange> wordsOf(std::span<const Token> tokens, Index length);

/// Merges the rows and the columns of weights [T, S] (Clark et al. 2019, "What Does BERT Look At?",
/// section 2). The weight on a word is the sum over its pieces. A word's own row is the mean over
/// its pieces. Rows that sum to 1 still do. Ranges are within the matrix. Returns [number of
/// queries, number of keys].
Matrix mergedIntoWords(MatrixView weights, std::span<const TokenRange> queries,
                       std::span<const TokenRange> keys);

/// Keys to leave out of a picture of the weights.
struct LeftOutKeys {
    bool specialTokens = false; ///< written like [SEP] or </s>
    bool firstToken = false;    ///< which many decoders use as an attention sink
    bool operator==(const LeftOutKeys &) const = default;
};

/// Returns which of the keys are left out.
std::vector<bool> leftOutKeys(std::span<const Token> keys, const LeftOutKeys &which);

/// Sets the weights of `keys` (S entries) to 0 and scales each row so that its sum of absolute
/// values stays the same. A row with all its weight on these keys becomes 0.
Matrix withoutKeys(MatrixView weights, const std::vector<bool> &keys);

/// Keeps weights whose absolute value is at least `least`; the others become 0.
Matrix keptAtLeast(MatrixView weights, float least);

/// Keeps in each row the fewest weights whose absolute values sum to at least this share (0 … 1) of
/// the row's total; the others become 0. Of equal weights, the earlier key is kept.
Matrix keptShare(MatrixView weights, double share);

} // namespace headlight::core
