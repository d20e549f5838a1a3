// Access to the values of a trace at a selection.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns the selected row of the stage: the key for stages of keys or values, the sequence for
/// stages with one row per sequence, the distance for vectors of distances, else the query.
std::optional<Index> selectedRow(const Selection &selection);
/// Returns the key or the distance if the stage's columns are keys or distances, else the
/// dimension.
std::optional<Index> selectedColumn(const Selection &selection);

/// Returns the selected matrix; empty if the trace does not have it or the selection is out of
/// range.
SharedMatrix matrixAt(const Trace &trace, const Selection &selection);

/// Returns one row of the selected matrix, [1, columns], and computes only this row if the matrix
/// is not available. Empty if the trace does not have it.
SharedMatrix rowAt(const Trace &trace, const Selection &selection, Index row);

/// Size of the selected matrix, even if it is not computed yet. Zero if the trace does not have it.
struct MatrixSize {
    Index rows = 0;
    Index columns = 0;
};
MatrixSize sizeAt(const Trace &trace, const Selection &selection);

/// Returns the value of the selected cell. Errors: the selection is out of range, or no row or
/// column is selected.
Result<float> valueAt(const Trace &trace, const Selection &selection);

} // namespace headlight::core
