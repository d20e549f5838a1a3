// The products of a query's numbers with those of each key, by dimension, and which dimensions
// decide where the query attends.
#pragma once

#include "core/analysis/attention_row.h"

namespace headlight::core {

struct QueryKeyProducts {
    Matrix products;            ///< [keys, d]: q_d · k_jd
    std::vector<double> scores; ///< by key: the sum of its products, before scaling
    std::vector<bool> hidden;   ///< by key: hidden by a mask; empty: none is
    Index chosen = 0;           ///< the key that the dimensions are sorted for
    double mean = 0;            ///< mean score of the visible keys
    /// For each dimension: the product with the chosen key − the mean product with the visible
    /// keys. Only differences of scores affect a softmax. Their sum is the chosen key's score −
    /// `mean`.
    std::vector<double> decided;
    std::vector<Index> order; ///< dimensions, the largest absolute `decided` first
};

/// Returns the products of the query's row. `key`: the chosen key; unset: the visible key with the
/// largest score. Padding is left out, and so are keys after the last visible one. Empty products
/// if the trace does not hold the queries and the keys: computes nothing.
QueryKeyProducts queryKeyProducts(const Trace &trace, const AttentionRowId &row,
                                  std::optional<Index> key);

} // namespace headlight::core
