// How the input matrices of a step combine: the operator between them in a figure, and the edges
// that they share with the result.
#pragma once

#include "core/explain/expression.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

enum class Meeting {
    CellByCell, ///< a number comes from those in the same cell
    Product,    ///< a sum of products: rows times columns
    ByRows,     ///< from a whole row or column: norms, softmax, means, rotations
    SideBySide, ///< heads, or columns of two matrices, are joined
    LookUp,     ///< a row of a table
};

/// No value if it reads no matrix and has no parameter.
std::optional<Meeting> meetingOf(const Expression &x);

/// "×" for a matrix product without a transposition, "+" or "⊙" for two matrices that meet cell by
/// cell, else empty.
std::string signBetween(const Expression &x);

/// An operand of a step and the edges that it shares with the result: QKᵀ has the rows of Q, and
/// the rows of K as its columns.
struct MeetingMatrix {
    enum class Shares {
        Cells,   ///< each cell belongs to the same cell of the result
        Rows,    ///< each row belongs to a row of the result
        Columns, ///< each column belongs to a column of the result; see isTransposed
        Nothing, ///< all of it belongs to each number
    };
    /// The number that meets a number of the result: a Read, a Learned, a Table, or an
    /// intermediate result.
    Expression part{};
    Shares shares = Shares::Cells;
    bool isTransposed = false; ///< its rows belong to the result's columns
    bool isSummed = false;     ///< the result sums over its other axis
    std::optional<Quantity> name{};
    std::string symbol{};         ///< as in the formula, if the expression gives it: "γ"
    std::optional<Index> block{}; ///< joined heads: the head

    /// True if it is neither read nor a parameter.
    bool isMade() const {
        return !part.is(Expression::Kind::Read) && !part.is(Expression::Kind::Learned);
    }
};

/// Returns the matrices in the order in which the expression is written, each once.
std::vector<MeetingMatrix> meetingMatrices(const Expression &x);

} // namespace headlight::core
