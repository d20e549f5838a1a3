// Vectors of any width in a plane: two axes through an origin, and what they keep.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// A point of the plane: where a vector lies along the two axes.
struct PlanePoint {
    double x = 0, y = 0;
    bool operator==(const PlanePoint &) const = default;
};

/// Two orthonormal axes of `width` numbers each, and the point that becomes (0, 0).
struct Projection {
    enum class Kind {
        Exact,      ///< width 2 (or 1): the dimensions themselves, nothing is lost
        Principal,  ///< the two directions in which the vectors vary most, around their mean
        DotProduct, ///< x is the dot product with a query ÷ the query's length; uncentred
    };
    Kind kind = Kind::Exact;
    std::vector<double> origin;
    std::array<std::vector<double>, 2> axes; ///< the second may be all zero: there is no more
    /// The share of the variance (Principal) or of the squared lengths (DotProduct) along each
    /// axis, 0 … 1. Empty if the vectors have no variance or no length: 0 of 0 is no share. Exact
    /// loses nothing, so both shares add up to 1.
    std::optional<std::array<double, 2>> share = std::array<double, 2>{1, 0};

    Index width() const { return static_cast<Index>(origin.size()); }
    PlanePoint of(std::span<const float> vector) const;
    /// The vector that moves by (dx, dy) in the plane and stays as it is in all other directions.
    std::vector<float> moved(std::span<const float> vector, double dx, double dy) const;
};

/// The dimensions themselves. Width 1 or 2.
Projection exactPlane(Index width);

/// Principal component analysis (Pearson 1901; Jolliffe 2002, chapter 3) of the rows [n, width]:
/// centred on their mean. The sign of an axis is such that its largest component is positive. Rows
/// that are all the same give axes of zero and no shares.
Projection principalPlane(MatrixView rows);

/// x is the vector's dot product with `query` ÷ ‖query‖, so a key's x is its score ÷ ‖query‖; y the
/// direction, at right angles to it, along which the rows are longest. Nothing is centred. Errors:
/// a query of zeros has no direction.
Result<Projection> dotProductPlane(std::span<const float> query, MatrixView rows);

/// How two vectors lie to each other.
struct VectorPair {
    double dot = 0;
    double lengthA = 0, lengthB = 0;
    double cosine = 0; ///< 0 where one has no length; see `angled`
    double degrees = 0;
    bool angled = false;   ///< both have a length, so there is an angle
    double projection = 0; ///< of b on a's direction: dot ÷ ‖a‖; 0 where a has no length
};
VectorPair comparedVectors(std::span<const float> a, std::span<const float> b);

} // namespace headlight::core
