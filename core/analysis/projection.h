// Projects vectors of any width onto a plane: two axes, an origin, and the share of the variance
// that they preserve.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// Coordinates of a vector along the two axes.
struct PlanePoint {
    double x = 0, y = 0;
    bool operator==(const PlanePoint &) const = default;
};

/// Two orthonormal axes of `width` numbers each, and the point that maps to (0, 0).
struct Projection {
    enum class Kind {
        Exact,      ///< width 2 (or 1): the dimensions themselves, lossless
        Principal,  ///< the two directions of largest variance, around the mean
        DotProduct, ///< x: dot product with a query ÷ the query's length; not centred
    };
    Kind kind = Kind::Exact;
    std::vector<double> origin;
    std::array<std::vector<double>, 2> axes; ///< the second is zero if there is only one direction
    /// Share of the variance (Principal) or of the squared lengths (DotProduct) along each axis, 0
    /// … 1. Empty if the vectors have no variance or no length. Exact is lossless, so the shares
    /// sum to 1.
    std::optional<std::array<double, 2>> share = std::array<double, 2>{1, 0};

    Index width() const { return static_cast<Index>(origin.size()); }
    PlanePoint of(std::span<const float> vector) const;
    /// Returns the vector moved by (dx, dy) in the plane and unchanged in all other directions.
    std::vector<float> moved(std::span<const float> vector, double dx, double dy) const;
};

/// Uses the dimensions themselves as axes. Width 1 or 2.
Projection exactPlane(Index width);

/// Principal component analysis (Pearson 1901; Jolliffe 2002, chapter 3) of the rows [n, width],
/// centred on their mean. The largest component of each axis is positive. If all rows are equal,
/// axes are zero and there are no shares.
Projection principalPlane(MatrixView rows);

/// x is the dot product with `query` ÷ ‖query‖, so a key's x is its score ÷ ‖query‖. y is the
/// orthogonal direction along which the rows are longest. Not centred. Error: a zero query has no
/// direction.
Result<Projection> dotProductPlane(std::span<const float> query, MatrixView rows);

/// Comparison of two vectors.
struct VectorPair {
    double dot = 0;
    double lengthA = 0, lengthB = 0;
    double cosine = 0; ///< 0 if a vector is zero; see `angled`
    double degrees = 0;
    bool angled = false;   ///< both are nonzero, so the angle exists
    double projection = 0; ///< length of b's projection on a: dot ÷ ‖a‖; 0 if a is zero
};
VectorPair comparedVectors(std::span<const float> a, std::span<const float> b);

} // namespace headlight::core
