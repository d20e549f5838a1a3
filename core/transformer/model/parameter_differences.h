// Differences of two matrices of the same shape, which undo steps and sessions store for an edit.
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

/// Returns all differing cells in row-major order, compared bit by bit. Compares only the edits if
/// both have the same base. Nullopt if the shapes differ, a number cannot be read, or there are
/// more than `most` differences.
std::optional<std::vector<CellDifference>> differencesOf(const ParameterMatrix &before,
                                                         const ParameterMatrix &after, Index most);

/// The smallest column range first … last that has all differences of a row.
struct RowDifference {
    Index row = 0;
    Index first = 0;
    Index last = 0;
};

/// Returns the differing rows of two blocks of the same shape, without a limit. A row that cannot
/// be read counts as different.
std::vector<RowDifference> rowsThatDiffer(const ParameterBlock &before,
                                          const ParameterBlock &after);

} // namespace headlight::core
