// The arithmetic of one number laid open: the rows of numbers that meet, what is made of them
// column by column, and what that comes to. The numbers are those of its derivation.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

struct OpenedRow {
    std::string sign; ///< what is done with it to the row above: "·", "+", "="
    Line name;        ///< whose numbers they are
    Role role = Role::Residual;
    bool isMade = false; ///< here, of the rows above; else it is read
    std::vector<double> numbers;
};

struct OpenedArithmetic {
    std::vector<OpenedRow> rows; ///< all as long; none: the lines say it all
    /// What its columns are called: tokens or words (ColumnName), rows, or by their numbers
    /// (Plain).
    Piece::Kind columns = Piece::Kind::Plain;
    Index firstColumn = 0;
    std::optional<Index> stressed; ///< the number's own column
    bool adds = false;             ///< the last row's numbers are added up
    std::vector<Line> lines;       ///< what it comes to; the last one has the number in it

    Index columnCount() const { return rows.empty() ? 0 : std::ssize(rows.front().numbers); }
};

/// The selection's cell where it has one; else the largest number of its row, which is the first
/// one where none is selected. None: the trace has no such matrix.
std::optional<Selection> openedCell(const Trace &trace, const Selection &selection);

/// Of a cell; without rows and lines where the trace has no such cell.
OpenedArithmetic openedArithmetic(const Trace &trace, const Selection &cell);

/// How many decimals the numbers of a row need for most of them to be read: 2 to 4.
int decimalsOf(const OpenedRow &row);

} // namespace headlight::core
