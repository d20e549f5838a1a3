// Lists the weights of a head that reach a threshold. The Lines view draws a line for each.
#pragma once

#include "core/analysis/rows_of_heads.h"

#include <cstdint>

namespace headlight::core {

/// The attention weight of a query for a key.
struct StrongWeight {
    std::int32_t query = 0, key = 0;
    float weight = 0;
    bool operator==(const StrongWeight &) const = default;
};

struct StrongWeights {
    std::vector<StrongWeight> weights; ///< sorted by query, then by key
    Index found = 0;   ///< number of weights that reach the threshold, including unlisted ones
    float largest = 0; ///< largest absolute weight
};

/// Collects weights from rows of a head's matrix. Compares absolute values, because weights may be
/// negative without a softmax. Never collects exact zeros or NaN.
class StrongWeightCollector {
  public:
    /// `least`: the threshold, ≥ 0. Keeps at least the strongest `most` weights.
    StrongWeightCollector(double least, std::size_t most);
    /// Adds a query's row.
    void add(Index query, std::span<const float> row);
    /// Returns the `most` strongest weights. Call it once, after the last row.
    StrongWeights take();

  private:
    void dropWeakest();

    float m_least;
    std::size_t m_most;
    StrongWeights m_strong;
};

/// Returns the strong weights of the first `queries` rows and `keys` columns. The others are
/// padding.
StrongWeights strongWeightsOf(MatrixView weights, Index queries, Index keys, double least,
                              std::size_t most);

/// Finds strong weights of heads whose matrix the trace does not have. Computes a few rows at a
/// time and never holds a full matrix. Another thread can call of(), because it shares no lock with
/// the trace.
class StrongWeightFinder {
  public:
    /// The trace must have the weights of the attention module, and its layer must be ready.
    StrongWeightFinder(const Trace &trace, AttentionId attention, Index sequence);

    /// Returns the strong weights of one head. Errors: as makeRows().
    Result<StrongWeights> of(Index head, double least, std::size_t most,
                             const std::stop_token &stop) const;

  private:
    RowsOfHeads m_weights;
    Index m_queries, m_keys;
};

} // namespace headlight::core
