// Attention rollout: the share of each input token in each token of the last layer, if layers only
// averaged their inputs.
//
// Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3: each layer's
// attention, averaged with its residual connection, multiplied through the layers.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

/// Maximum number of tokens. Several square matrices of doubles are in memory at once.
inline constexpr Index kMaxMixedTokens = 4096;

/// A square matrix of doubles: the share of each token (column) in each token (row) of one text.
struct TokenMixing {
    Index size = 0;
    std::vector<double> values; ///< row-major, size · size

    explicit TokenMixing(Index tokens = 0)
        : size(tokens), values(static_cast<std::size_t>(tokens * tokens)) {}
    double operator()(Index row, Index column) const {
        return values[static_cast<std::size_t>(row * size + column)];
    }
    double &operator()(Index row, Index column) {
        return values[static_cast<std::size_t>(row * size + column)];
    }
    std::span<const double> row(Index index) const {
        return std::span(values).subspan(static_cast<std::size_t>(index * size),
                                         static_cast<std::size_t>(size));
    }
    bool operator==(const TokenMixing &) const = default;
};

/// Averages the attention weights of a layer's heads, added one at a time, and then averages the
/// result with the residual connection.
class LayerMixing {
  public:
    /// `tokens`: number of tokens that are not padding.
    explicit LayerMixing(Index tokens) : m_sum(tokens) {}
    /// `weights` [T, T], T ≥ tokens. Adds the shares |w| ÷ Σ|w| of each row; after a softmax
    /// without a sink these are the weights. A row of zeros adds nothing.
    void add(MatrixView weights);
    /// Returns Ā = ½ (mean of the heads + I), each row divided by its sum. A query that attends to
    /// nothing keeps its own token.
    TokenMixing mixed() const;

  private:
    TokenMixing m_sum;
    Index m_heads = 0;
};

/// Returns Ā of the self-attention of each layer of the stack. Reads one head at a time. Errors:
/// the stack does not exist, a layer has no self-attention or a capture lacks its weights, or there
/// are more than kMaxMixedTokens tokens; those of Trace::madeMatrix(); "cancelled".
Result<std::vector<TokenMixing>> mixedLayers(const Trace &trace, Stack stack, Index sequence,
                                             const std::stop_token &stop = {});

/// Returns Ā of the last layer · … · Ā of layer 0. There must be at least one layer. Error:
/// "cancelled".
Result<TokenMixing> rolloutOf(std::span<const TokenMixing> layers,
                              const std::stop_token &stop = {});

/// Computes the rollout of a trace with only one layer in memory at a time. Errors: as
/// mixedLayers().
Result<TokenMixing> attentionRollout(const Trace &trace, Stack stack, Index sequence,
                                     const std::stop_token &stop = {});

} // namespace headlight::core
