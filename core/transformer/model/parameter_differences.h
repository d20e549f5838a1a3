// The differences of two matrices of the same shape, which undo steps and sessions store for an
// edit.
#pragma once

#include "core/transformer/model/parameter_block.h"

#include <optional>
#include <vector>

namespace headlight::core {

struct CellDifference {
    Index row = 0;
    Index column = 0;
    float before = 0;
    float after = 0;
};

/// Returns all cells that differ, compared bit by bit, in row-major order. Compares only the edits
/// if both have the same base. Nullopt if the shapes differ, a value cannot be read, or there are
/// more than `most` differences.
std::optional<std::vector<CellDifference>> differencesOf(const ParameterMatrix &before,
                                                         const ParameterMatrix &after, Index most);

/// The smallest range of columns, first … last, that contains all differences in a row.
struct RowDifference {
    Index row = 0;
    Index first = 0;
    Index last = 0;
};

/// Returns the rows that differ between two blocks of the same shape, without a limit. Rows that
/// cannot be read count as different.
std::vector<RowDifference> rowsThatDiffer(const ParameterBlock &before,
                                          const ParameterBlock &after);

} // namespace headlight::core
