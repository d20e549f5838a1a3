// Where two matrices of one shape differ: what an undo step and a saved session keep of an edit.
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

/// Row by row, by their bits; of matrices over one base only the edits are looked at. None: the
/// shapes differ, more than `most` cells do, or a number cannot be read.
std::optional<std::vector<CellDifference>> differencesOf(const ParameterMatrix &before,
                                                         const ParameterMatrix &after, Index most);

/// Columns first … last of a row, between which all differences of the row are.
struct RowDifference {
    Index row = 0;
    Index first = 0;
    Index last = 0;
};

/// The same of two blocks of one shape, however many they are; a row that cannot be read differs.
std::vector<RowDifference> rowsThatDiffer(const ParameterBlock &before,
                                          const ParameterBlock &after);

} // namespace headlight::core
