// Vectors of texts from before embeddings: which words there are and how often, without order or
// meaning.
//
// A vocabulary is a list of V words; two words are one if they are spelled with the same bytes, and
// a word that stands twice in the list is counted where it stands first. Words that are not in it,
// and padding, count for nothing: their one-hot vector is zero, and no count contains them.
#pragma once

#include "core/tensor/matrix.h"
#include "core/transformer/model/batch.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// The distinct words of the texts in the order in which they first appear, without padding.
std::vector<std::string> vocabularyOf(std::span<const Sequence> texts);

/// [T, V]: row t is 1 at the place of token t and 0 elsewhere. Times an embedding matrix [V, C] it
/// is the look-up of the tokens' rows.
Matrix oneHot(std::span<const std::string> tokens, std::span<const std::string> vocabulary);

/// [V]: how often each word stands in the text.
std::vector<float> bagOfWords(std::span<const std::string> tokens,
                              std::span<const std::string> vocabulary);

/// [V]: ln((1 + n) / (1 + df)) + 1, where df of the n texts contain the word. That words are the
/// more telling the fewer texts have them is of Spärck Jones, "A statistical interpretation of term
/// specificity and its application in retrieval" (1972); the ones, as if one more text had every
/// word, and the sum, which keeps words of all texts, are those of scikit-learn's TfidfTransformer
/// with smooth_idf.
std::vector<double> inverseDocumentFrequency(std::span<const Sequence> texts,
                                             std::span<const std::string> vocabulary);

/// How long the vectors of tf-idf are: as they come out, or all 1 (Euclidean), so that a long text
/// is like a short one of the same words.
enum class TextVectorLength { Raw, Unit };

/// [n, V]: how often the word stands in the text, times its inverse document frequency. Salton and
/// Buckley, "Term-weighting approaches in automatic text retrieval" (1988): "nfx", of unit length
/// "nfc". The row of a text without a word of the vocabulary is zero.
Matrix tfIdf(std::span<const Sequence> texts, std::span<const std::string> vocabulary,
             TextVectorLength length = TextVectorLength::Unit);

} // namespace headlight::core
