// Text vectors without embeddings: words and their counts, without order or meaning.
//
// A vocabulary is a list of V words. Words are equal if their bytes are equal. A word that is
// listed twice is counted at its first position. Padding and words outside the vocabulary are
// ignored: their one-hot vectors are zero, and they are not counted.
#pragma once

#include "core/tensor/matrix.h"
#include "core/transformer/model/batch.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// Returns the distinct words of the texts in order of first appearance, without padding.
std::vector<std::string> vocabularyOf(std::span<const Sequence> texts);

/// Returns [T, V]: row t is 1 in the column of token t and 0 elsewhere. Its product with an
/// embedding matrix [V, C] is the embedding lookup.
Matrix oneHot(std::span<const std::string> tokens, std::span<const std::string> vocabulary);

/// Returns [V]: the number of occurrences of each word in the text.
std::vector<float> bagOfWords(std::span<const std::string> tokens,
                              std::span<const std::string> vocabulary);

/// Returns [V]: ln((1 + n) / (1 + df)) + 1, where df of the n texts contain the word. Inverse
/// document frequency was introduced by Spärck Jones, "A statistical interpretation of term
/// specificity and its application in retrieval" (1972). The smoothing (as if one more text
/// contained every word) and the final + 1 (which keeps words that occur in all texts) follow
/// scikit-learn's TfidfTransformer with smooth_idf.
std::vector<double> inverseDocumentFrequency(std::span<const Sequence> texts,
                                             std::span<const std::string> vocabulary);

/// Normalisation of tf-idf vectors: none, or Euclidean length 1, which makes texts of different
/// lengths comparable.
enum class TextVectorLength { Raw, Unit };

/// Returns [n, V]: the word count times the inverse document frequency. Salton and Buckley,
/// "Term-weighting approaches in automatic text retrieval" (1988): "nfx", with unit length "nfc".
/// The row of a text without words of the vocabulary is zero.
Matrix tfIdf(std::span<const Sequence> texts, std::span<const std::string> vocabulary,
             TextVectorLength length = TextVectorLength::Unit);

} // namespace headlight::core
