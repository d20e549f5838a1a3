// Multiplies a query's components by each key's components, and finds the dimensions that determine
// where the query attends.
#pragma once

#include "core/analysis/attention_row.h"

namespace headlight::core {

struct QueryKeyProducts {
    Matrix products;            ///< [keys, d]: q_d · k_jd
    std::vector<double> scores; ///< one per key: the sum of its products, before scaling
    std::vector<bool> hidden;   ///< one per key: true if a mask hides it; empty: none is hidden
    Index chosen = 0;           ///< the key whose products the dimensions are sorted by
    double mean = 0;            ///< mean score of the visible keys
    /// One per dimension: the product for the chosen key minus the mean product for the visible
    /// keys. Only differences of scores affect a softmax. The values sum to the chosen key's score
    /// − `mean`.
    std::vector<double> decided;
    std::vector<Index> order; ///< dimensions, the largest absolute `decided` first
};

/// Returns the products of the row's query. `key`: the chosen key; unset: the visible key with the
/// largest score. Leaves out padding and keys after the last visible one. There are no products if
/// the queries and keys are not in the trace or not computed yet.
QueryKeyProducts queryKeyProducts(const Trace &trace, const AttentionRowId &row,
                                  std::optional<Index> key);

} // namespace headlight::core
