// Attention rollout: how much of each input token has reached a token of the last layer, if the
// layers did nothing but average.
//
// Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3: each layer's
// attention with its residual connection, multiplied through the layers.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

/// The most tokens that are mixed: several square matrices of double are in memory at once.
inline constexpr Index kMaxMixedTokens = 4096;

/// A square matrix in double: from tokens (rows) to tokens (columns) of one text.
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

/// Adds the weights of the heads of one layer, one head at a time, and mixes them with the residual
/// connection.
class LayerMixing {
  public:
    /// `tokens`: the number of tokens that are not padding.
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

/// Computes the rollout of a trace and keeps only one layer at a time. Errors: as mixedLayers().
Result<TokenMixing> attentionRollout(const Trace &trace, Stack stack, Index sequence,
                                     const std::stop_token &stop = {});

} // namespace headlight::core
