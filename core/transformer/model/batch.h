// The input of the model: token sequences, padded with [PAD] to the same length.
#pragma once

#include "core/tokenizers/text/token.h"
#include "core/transformer/model/parameters.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight::core {

class Vocabulary;

/// A text and its tokens. Either can be derived from the other.
struct TokenizedText {
    std::vector<Token> tokens;
    std::string text{}; ///< empty if unknown
    /// True if the tokens are the words of the text, as splitIntoWords() returns them.
    bool isSplit = false;
    std::vector<Index> types{}; ///< like Sequence::tokenTypes
};

struct Sequence {
    std::vector<Token> tokens; ///< T tokens; shorter texts end with [PAD]
    Index length = 0;          ///< number of tokens that are not padding
    std::string text;          ///< empty if unknown
    bool isSplit = false;      ///< true if the tokens are the words of `text`
    Parameter embeddings;      ///< [T, E], used in place of the model's embeddings; may be null
    std::vector<Index> tokenTypes{}; ///< T rows of the token type matrix; empty: all 0
    const Token &operator[](Index token) const { return tokens[static_cast<std::size_t>(token)]; }
    /// Returns the text, and the tokens without padding and token types.
    TokenizedText tokenized() const;
    bool isPadding(Index token) const { return token >= length; }
    bool operator==(const Sequence &) const = default;
};

/// A batch of B ≥ 1 sequences of the same length T ≥ 1.
class Batch {
  public:
    /// Pads all sequences to the length of the longest one, or to `atLeast` if that is longer.
    /// [PAD] tokens at the end of a sequence count as padding. Errors: a sequence without tokens,
    /// or with only padding.
    static Result<std::shared_ptr<const Batch>> create(std::vector<TokenizedText> sequences,
                                                       Index atLeast = 0);
    /// Creates a batch from plain tokens. `texts` are the texts of the sequences; empty if unknown.
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

    /// Returns a copy in which the sequence has its own embeddings [T, E].
    std::shared_ptr<const Batch> withEmbeddings(Index sequence, Parameter embeddings) const;
    /// Returns a copy in which the first tokens of the sequence have these types. All others have
    /// type 0.
    std::shared_ptr<const Batch> withTokenTypes(Index sequence, std::vector<Index> types) const;
    /// Returns a copy with new embeddings and token types for all sequences. There must be one
    /// entry per sequence. A null or empty entry leaves the sequence unchanged.
    std::shared_ptr<const Batch> withEach(std::vector<Parameter> embeddings,
                                          std::vector<std::vector<Index>> types) const;
    /// Returns a copy without redundant token ids, which the vocabulary finds from the token's
    /// text.
    std::shared_ptr<const Batch> withNeededIds(const Vocabulary &vocabulary) const;
    /// Returns a batch with only this sequence, without padding.
    std::shared_ptr<const Batch> only(Index sequence) const;
    /// Returns a batch that contains this sequence and its padding `times` times.
    std::shared_ptr<const Batch> repeated(Index sequence, Index times) const;
    /// Returns a copy with one more token of the same type as the last one. The copy has no text.
    /// The batch must have a single sequence, without padding and without its own embeddings.
    std::shared_ptr<const Batch> withAppended(Token token) const;

  private:
    std::vector<Sequence> m_sequences;
    Index m_length = 0;
};

using BatchPointer = std::shared_ptr<const Batch>;

/// True if tokens, texts, types and embeddings are equal, or if both are null. Compares values, not
/// pointers.
bool sameNumbers(const BatchPointer &a, const BatchPointer &b);

/// True if both have the same number of sequences with the same lengths, not counting padding.
bool sameLengths(const Batch &a, const Batch &b);

/// Returns `batch` with the embeddings and token types of the sequences of `before`, except for the
/// sequence `retyped`. The embeddings of additional tokens are zero. Additional sequences have
/// neither embeddings nor token types.
BatchPointer withEmbeddingsOf(BatchPointer batch, const Batch &before, Index retyped);

} // namespace headlight::core
