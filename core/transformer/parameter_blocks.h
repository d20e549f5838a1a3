// Which heads' blocks of a parameter hold the same numbers as before an edit.
#pragma once

#include "core/transformer/weights.h"

namespace headlight::core {

/// For each head, whether its block of columns is the same in both: head h owns one of `heads`
/// equal blocks. Both or one may be null; two of the same identity are not read.
std::vector<bool> sameColumns(const Parameter &before, const Parameter &now, Index heads);

/// The same for blocks of rows.
std::vector<bool> sameRows(const Parameter &before, const Parameter &now, Index heads);

} // namespace headlight::core
