// Two texts of a batch written as numbers in every way, from counting to attention, and how alike
// each way makes them.
#pragma once

#include "core/analysis/cosine_similarity.h"
#include "core/transformer/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

/// A way of writing a text as numbers.
enum class TextEncoding {
    OneHot,     ///< a 1 at the word's place in the vocabulary
    BagOfWords, ///< how often each word stands in the text
    TfIdf,      ///< the same, worth the more the fewer texts have the word
    Embeddings, ///< each word's own vector
    Contextual, ///< what the last layer makes of each word
};
inline constexpr std::array kTextEncodings{TextEncoding::OneHot, TextEncoding::BagOfWords,
                                           TextEncoding::TfIdf, TextEncoding::Embeddings,
                                           TextEncoding::Contextual};
/// A vector for each word; else one for each text.
constexpr bool isOfWords(TextEncoding way) {
    return way != TextEncoding::BagOfWords && way != TextEncoding::TfIdf;
}
/// Its columns are words; else dimensions.
constexpr bool isOverWords(TextEncoding way) {
    return way != TextEncoding::Embeddings && way != TextEncoding::Contextual;
}

/// So much is worked out word by word, however long the texts are.
inline constexpr Index kMostWrittenTokens = 24;  ///< the first of each text
inline constexpr Index kMostWrittenColumns = 64; ///< the first of what a vector has

struct EncodedText {
    enum class Absence {
        None,
        NoSuchStage, ///< the model does not make it, or it was not captured
        NotMade      ///< of a long text: it is made once somebody looks at that layer
    };
    Absence absence = Absence::None; ///< what follows is empty then
    StageId stage{};                 ///< of embeddings and what the last layer makes
    Index columns = 0;               ///< how many a vector has
    /// The first of each vector, row by row: of words the shown ones of the first text and then
    /// those of the second; else one a text.
    Matrix numbers;
    /// Of words: each of the first text with each of the second, by all of their vectors.
    std::optional<CrossSimilarity> words;
    /// Of the two texts: of counts, or of the means of their words' vectors. None of one-hot
    /// vectors, whose sum is the bag of words.
    std::optional<Cosine> texts;
};

struct EncodedTexts {
    std::vector<Index> sequences; ///< two of the batch, or the only one
    std::vector<Index> lengths;   ///< how many tokens each has, without padding
    /// Of each the first ones, which are shown.
    std::vector<std::vector<std::string>> tokens;
    std::vector<std::string> vocabulary; ///< all words of both texts, as they first appear
    std::vector<double> idf;             ///< one a word: see inverseDocumentFrequency()
    std::array<EncodedText, kTextEncodings.size()> ways;

    const EncodedText &of(TextEncoding way) const { return ways[static_cast<std::size_t>(way)]; }
    Index shownTokens(std::size_t text) const { return std::ssize(tokens[text]); }
    /// Of a row of numbers of words: which text it is of, and which of its tokens.
    std::pair<std::size_t, Index> tokenOf(Index row) const;
    /// The other way round; none where the token is not shown.
    std::optional<Index> rowOf(std::size_t text, Index token) const;
    /// Which of the two a sequence is; none: neither.
    std::optional<std::size_t> textOf(Index sequence) const;
};

/// 0 and 1, or 2 and 3: the two of which the sequence is one. The last of an odd number stands
/// beside the one before it.
std::vector<Index> writtenPair(Index sequence, Index count);

/// Of a stack of the model: where there are two, of the one whose tokens the selection is at.
EncodedTexts encodedTextsOf(const Trace &trace, Index sequence, Stack stack);

} // namespace headlight::core
