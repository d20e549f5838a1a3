// Encodes two texts of a batch in five ways, from word counts to attention, and measures their
// similarity in each.
#pragma once

#include "core/analysis/cosine_similarity.h"
#include "core/operations/pooling.h"
#include "core/transformer/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// A numeric encoding of a text.
enum class TextEncoding {
    OneHot,     ///< 1 in the word's column of the vocabulary
    BagOfWords, ///< number of occurrences of each word
    TfIdf,      ///< word counts weighted by how rare the word is among the texts
    Embeddings, ///< the embedding of each word
    Contextual, ///< the last layer's output for each word
};
inline constexpr std::array kTextEncodings{TextEncoding::OneHot, TextEncoding::BagOfWords,
                                           TextEncoding::TfIdf, TextEncoding::Embeddings,
                                           TextEncoding::Contextual};
/// True for encodings with one vector per word. The others have one vector per text.
constexpr bool isOfWords(TextEncoding way) {
    return way != TextEncoding::BagOfWords && way != TextEncoding::TfIdf;
}
/// True if the columns are words. Otherwise they are dimensions.
constexpr bool isOverWords(TextEncoding way) {
    return way != TextEncoding::Embeddings && way != TextEncoding::Contextual;
}

/// Limits of the tables, because texts can be of any length.
inline constexpr Index kMaxWrittenTokens = 24;  ///< the first tokens of each text
inline constexpr Index kMaxWrittenColumns = 64; ///< the first components of each vector

struct EncodedText {
    enum class Absence {
        None,
        NoSuchStage, ///< the model does not have the stage, or it was not captured
        NotMade      ///< not computed yet (long texts); selecting the layer computes it
    };
    Absence absence = Absence::None; ///< if not None, the members below are not set
    StageId stage{};                 ///< the encoded stage, for Embeddings and Contextual
    Index columns = 0;               ///< number of components of a vector
    /// The first components of each vector, one per row. Word encodings: the shown words of the
    /// first text, then those of the second. Otherwise one row per text.
    Matrix numbers;
    /// Word encodings: similarity of each word of the first text with each of the second, from all
    /// components.
    std::optional<CrossSimilarity> words;
    /// Similarity of the two texts, from their counts, or from the pooled vectors of their words.
    /// None for one-hot vectors, whose sum is the bag of words.
    std::optional<Cosine> texts;
    /// Pooling of the words' vectors. Contextual uses Model::sentencePooling.
    Pooling pooling = Pooling::Mean;
};

struct EncodedTexts {
    std::vector<Index> sequences; ///< two sequences of the batch, or the only one
    std::vector<Index> lengths;   ///< number of tokens of each, without padding
    /// The tokens that are shown: the first ones of each text.
    std::vector<std::vector<std::string>> tokens;
    std::vector<std::string> vocabulary; ///< all words of both texts, in order of first appearance
    std::vector<double> idf;             ///< per word, see inverseDocumentFrequency()
    std::array<EncodedText, kTextEncodings.size()> ways;

    const EncodedText &of(TextEncoding way) const { return ways[static_cast<std::size_t>(way)]; }
    Index shownTokens(std::size_t text) const { return std::ssize(tokens[text]); }
    /// Returns the text and the token of a row of a word encoding.
    std::pair<std::size_t, Index> tokenOf(Index row) const;
    /// Returns the row of a token; none if the token is not shown.
    std::optional<Index> rowOf(std::size_t text, Index token) const;
    /// Returns the index of a sequence among the two texts; none if it is neither.
    std::optional<std::size_t> textOf(Index sequence) const;
};

/// Returns the pair (0, 1), (2, 3), … that contains the sequence. If the number of sequences is
/// odd, the last one forms a pair with the one before it.
std::vector<Index> writtenPair(Index sequence, Index count);

/// Encodes both sequences of the writtenPair() that contains `sequence`. `stack`: in an
/// encoder-decoder model, the stack whose tokens are encoded.
EncodedTexts encodedTextsOf(const Trace &trace, Index sequence, Stack stack);

} // namespace headlight::core
