// How the inputs of a step combine to its result: the operator between them in a figure, and the
// edges that they share with the result.
#pragma once

#include "core/explain/expression.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight::core {

enum class Meeting {
    CellByCell, ///< a value depends on the same cell of each input
    Product,    ///< a sum of products: rows times columns
    ByRows,     ///< a value depends on a whole row or column: norms, softmax, means, rotations
    SideBySide, ///< heads, or columns of two matrices, are joined
    LookUp,     ///< a row of a table
};

/// Returns no value if the expression reads no matrix and has no parameter.
std::optional<Meeting> meetingOf(const Expression &x);

/// Returns "×" for a matrix product without a transposition, "+" or "⊙" for two matrices that
/// combine cell by cell, else an empty string.
std::string signBetween(const Expression &x);

/// An operand of a step and the edges that it shares with the result: QKᵀ has the rows of Q, and
/// the rows of K as its columns.
struct MeetingMatrix {
    enum class Shares {
        Cells,   ///< each cell belongs to the same cell of the result
        Rows,    ///< each row belongs to a row of the result
        Columns, ///< each column (row if isTransposed) belongs to a column of the result
        Nothing, ///< every value of the result depends on the whole matrix
    };
    /// A Read, a Learned, a Table, or an intermediate result.
    Expression part{};
    Shares shares = Shares::Cells;
    bool isTransposed = false; ///< the matrix's rows belong to the result's columns
    bool isSummed = false;     ///< the result sums over the matrix's other axis
    std::optional<Quantity> name{};
    std::string symbol{};         ///< symbol in the formula, such as "γ"; empty: none
    std::optional<Index> block{}; ///< index among matrices that are joined side by side

    /// True if the matrix is neither an input nor a parameter.
    bool isMade() const {
        return !part.is(Expression::Kind::Read) && !part.is(Expression::Kind::Learned);
    }
};

/// Returns the matrices in written order, each once.
std::vector<MeetingMatrix> meetingMatrices(const Expression &x);

} // namespace headlight::core
