// How the input matrices of a step combine: the operator between them in a figure.
#pragma once

#include "core/explain/expression.h"

#include <optional>

namespace headlight::core {

enum class Meeting {
    CellByCell, ///< a number comes from those in the same cell
    Product,    ///< a sum of products: rows times columns
    ByRows,     ///< from a whole row or column: norms, softmax, means, rotations
    SideBySide, ///< heads are joined
    LookUp,     ///< a row of a table
};

/// No value if it reads no matrix and has no parameter.
std::optional<Meeting> meetingOf(const Expression &x);

/// "×" for a matrix product without a transposition, "+" or "⊙" for two matrices that meet cell by
/// cell, else empty.
std::string signBetween(const Expression &x);

} // namespace headlight::core
