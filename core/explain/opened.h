// The arithmetic of one value as a table: rows of operands, the result of each column and,
// for sums, their total.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

struct OpenedRow {
    std::string sign; ///< operator between the row above and this one: "·", "+", "="
    Line name;        ///< name of the row
    Role role = Role::Residual;
    bool isMade = false; ///< computed from the rows above; otherwise read
    std::vector<double> numbers;
};

struct OpenedArithmetic {
    std::vector<OpenedRow> rows; ///< rows of equal length; empty if the lines suffice
    /// Column headers: tokens or words (ColumnName), rows, or numbers (Plain).
    Piece::Kind columns = Piece::Kind::Plain;
    Index firstColumn = 0;
    std::optional<Index> stressed; ///< the column of the value
    bool adds = false;             ///< the last row is summed
    std::vector<Line> lines;       ///< lines of arithmetic; the last one contains the value

    Index columnCount() const { return rows.empty() ? 0 : std::ssize(rows.front().numbers); }
};

/// Returns the selected cell, or the largest value of the selected row, or of the first row if none
/// is selected. In rows over dimensions, absolute values are compared. No value if the trace does
/// not have the matrix.
std::optional<Selection> openedCell(const Trace &trace, const Selection &selection);

/// Returns the arithmetic of a cell; without rows and lines if the trace does not have the cell.
OpenedArithmetic openedArithmetic(const Trace &trace, const Selection &cell);

/// Returns the number of decimals of each row, 2 to 4, so that most of its values are readable.
/// Factors have more decimals if the printed factors would otherwise not give the printed products.
std::vector<int> decimalsOf(const OpenedArithmetic &opened);

} // namespace headlight::core
