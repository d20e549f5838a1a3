// A mixture of experts: networks that compute only the tokens for which a router has chosen them
// (Shazeer et al. 2017; Jiang et al. 2024, Mixtral of Experts, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <vector>

namespace headlight::core {

/// out = the `count` largest numbers of x, the first of equal ones, and 0 in place of all others;
/// divided by their sum if `normalises`. Sizes are equal, 1 ≤ count ≤ size.
void keepLargest(std::span<const float> x, Index count, bool normalises, std::span<float> out);

/// out[c] = Σ weights[e] · outputs[e·size + c] over the experts e whose weight is not 0, in their
/// order. `outputs` has one block of out.size() numbers for each weight.
void mixExperts(std::span<const float> outputs, std::span<const float> weights,
                std::span<float> out);

/// The rows that an expert computes: those for which its weight is not 0.
class ChosenRows {
  public:
    /// `weights` has a row for each token and a column for each expert.
    ChosenRows(MatrixView weights, Index expert);

    bool empty() const { return m_rows.empty(); }
    Index count() const { return static_cast<Index>(m_rows.size()); }
    /// Returns these rows of x, without those between them.
    Matrix gathered(MatrixView x) const;
    /// Writes one row of `made` to each of these rows of `out`, and 0 to all others.
    void scatter(MatrixView made, MutableMatrixView out) const;

  private:
    std::vector<Index> m_rows;
};

} // namespace headlight::core
