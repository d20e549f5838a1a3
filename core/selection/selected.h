// The numbers of a trace that a selection means.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// The row that the selection means at its stage: the key's where the stage holds keys or values,
/// the sequence where a row is one, else the query's.
std::optional<Index> selectedRow(const Selection &selection);
/// The key where the stage's columns are keys, else the dimension.
std::optional<Index> selectedColumn(const Selection &selection);

/// The matrix that the selection is in; empty where the trace does not have it, or no such place.
SharedMatrix matrixAt(const Trace &trace, const Selection &selection);

/// Its size, whether it has been made or not; none where matrixAt() is empty.
struct MatrixSize {
    Index rows = 0;
    Index columns = 0;
};
MatrixSize sizeAt(const Trace &trace, const Selection &selection);

/// The number at the selection's cell. Errors: a place outside, or only half a place.
Result<float> valueAt(const Trace &trace, const Selection &selection);

} // namespace headlight::core
