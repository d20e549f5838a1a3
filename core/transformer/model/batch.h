// What is read: sequences of tokens, filled up with [PAD] to one length.
#pragma once

#include "core/tokenizers/text/token.h"
#include "core/transformer/model/parameters.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight::core {

class Vocabulary;

/// A text and its tokens, whoever made one of the other.
struct TokenizedText {
    std::vector<Token> tokens;
    std::string text{}; ///< empty: it is not known
    /// The tokens are the words of the text: splitIntoWords() gives them again.
    bool isSplit = false;
    std::vector<Index> types{}; ///< as of Sequence; empty: all 0
};

struct Sequence {
    std::vector<Token> tokens;       ///< T of them, [PAD] at the end where the text was shorter
    Index length = 0;                ///< how many are not padding
    std::string text;                ///< as it was typed, where it was; else empty
    bool isSplit = false;            ///< the tokens are the words of `text`
    Parameter embeddings;            ///< [T, E] instead of the words' own vectors, or null
    std::vector<Index> tokenTypes{}; ///< T of them, rows of the model's matrix; empty: all 0
    const Token &operator[](Index token) const { return tokens[static_cast<std::size_t>(token)]; }
    /// Its text and tokens without padding, and without types, which withEmbeddingsOf() keeps.
    TokenizedText tokenized() const;
    bool isPadding(Index token) const { return token >= length; }
    bool operator==(const Sequence &) const = default;
};

/// B ≥ 1 sequences of the same length T ≥ 1.
class Batch {
  public:
    /// Fills every sequence up to the longest, or to `atLeast` if that is more. [PAD] written at a
    /// sequence's end counts as padding. A sequence without a token is an error; so is one of
    /// padding alone.
    static Result<std::shared_ptr<const Batch>> create(std::vector<TokenizedText> sequences,
                                                       Index atLeast = 0);
    /// Of tokens of which nothing else is known. `texts` are what they were split from, one a
    /// sequence; empty where there was none.
    static Result<std::shared_ptr<const Batch>>
    ofWords(const std::vector<std::vector<std::string>> &tokens, Index atLeast = 0,
            std::vector<std::string> texts = {});

    const std::vector<Sequence> &sequences() const { return m_sequences; }
    Index count() const { return static_cast<Index>(m_sequences.size()); } ///< B
    Index length() const { return m_length; }                              ///< T
    const Sequence &operator[](Index index) const {
        return m_sequences[static_cast<std::size_t>(index)];
    }
    bool operator==(const Batch &) const = default;

    /// A copy whose sequence has its own [T, E] embeddings.
    std::shared_ptr<const Batch> withEmbeddings(Index sequence, Parameter embeddings) const;
    /// A copy whose sequence has these types for its first tokens, and 0 for the others.
    std::shared_ptr<const Batch> withTokenTypes(Index sequence, std::vector<Index> types) const;
    /// Both for all of its sequences in one copy: one entry each, null or empty where it stays as
    /// it is.
    std::shared_ptr<const Batch> withEach(std::vector<Parameter> embeddings,
                                          std::vector<std::vector<Index>> types) const;
    /// A copy in which no token has the id that the vocabulary has for its text: it goes without
    /// saying.
    std::shared_ptr<const Batch> withNeededIds(const Vocabulary &vocabulary) const;
    /// One of its sequences, without padding.
    std::shared_ptr<const Batch> only(Index sequence) const;
    /// A copy of a batch of one sequence, without padding and vectors of its own, with one token
    /// more, which has the last one's type. The text that they stand in is no longer known.
    std::shared_ptr<const Batch> withAppended(Token token) const;

  private:
    std::vector<Sequence> m_sequences;
    Index m_length = 0;
};

using BatchPointer = std::shared_ptr<const Batch>;

/// The same tokens, texts, types and embeddings, or no batch twice, whichever objects hold them.
bool sameNumbers(const BatchPointer &a, const BatchPointer &b);

/// As many sequences, and in each as many tokens that are not padding.
bool sameLengths(const Batch &a, const Batch &b);

/// `batch` with the sequences' own embeddings and token types of `before`, for every sequence but
/// `retyped`; rows that padding added are zero. Sequences behind those of `before` have none.
BatchPointer withEmbeddingsOf(BatchPointer batch, const Batch &before, Index retyped);

} // namespace headlight::core
