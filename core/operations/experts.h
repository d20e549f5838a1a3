// A mixture of experts: each network computes only the tokens for which a router has chosen it
// (Shazeer et al. 2017; Jiang et al. 2024, Mixtral of Experts, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <vector>

namespace headlight::core {

/// Chooses the numbers with the largest scores, as a router chooses experts. Of equal scores, the
/// first one wins.
struct KeepLargest {
    Index count = 1;         ///< number of values to choose
    bool normalises = false; ///< divides the chosen numbers by their sum
    /// Number of groups of equal size. Numbers are chosen only from the `keptGroups` groups with
    /// the largest sums of their two largest scores (DeepSeek-V3). These groups must have at least
    /// `count` numbers.
    Index groups = 1;
    Index keptGroups = 1;
    float factor = 1; ///< multiplies the chosen numbers
    bool operator==(const KeepLargest &) const = default;
};

/// Copies the chosen numbers of x to `out` and sets all others to 0. All sizes are equal, and at
/// least `count`. `scores` may be x.
void keepLargest(const KeepLargest &of, std::span<const float> x, std::span<const float> scores,
                 std::span<float> out);

/// out[c] = Σ weights[e] · outputs[e·size + c] over the experts e with a nonzero weight, in order.
/// `outputs` has one block of out.size() values for each weight.
void mixExperts(std::span<const float> outputs, std::span<const float> weights,
                std::span<float> out);
/// Like mixExperts(), but without the factor weights[e].
void addExperts(std::span<const float> outputs, std::span<const float> weights,
                std::span<float> out);

/// out[e·size + c] = weights[e] · x[c], where x has `size` numbers. 0 for experts whose weight is
/// 0.
void scaleForExperts(std::span<const float> x, std::span<const float> weights,
                     std::span<float> out);

/// The rows that an expert computes: those with a nonzero weight.
class ChosenRows {
  public:
    /// `weights` has a row for each token and a column for each expert.
    ChosenRows(MatrixView weights, Index expert);

    bool empty() const { return m_rows.empty(); }
    Index count() const { return static_cast<Index>(m_rows.size()); }
    /// Returns the chosen rows of x as a matrix.
    Matrix gathered(MatrixView x) const;
    /// Writes the rows of `made` to the chosen rows of `out`, and 0 to all others.
    void scatter(MatrixView made, MutableMatrixView out) const;

  private:
    std::vector<Index> m_rows;
};

} // namespace headlight::core
