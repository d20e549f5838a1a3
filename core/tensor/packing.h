// Pieces of a matrix, put together in the order in which a kernel reads them.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// to[c · toStride + r] = from[r, c] for its first `rows` rows. The rows behind them are not read,
/// but fetched into the cache, because they are mostly asked for next.
void transpose(MatrixView from, Index rows, float *to, Index toStride);

/// The first `columns` columns of `from` as panels, one after the other: `width` columns each, a
/// multiple of four, and the last one filled up with zeros. Row r of a panel starts at r · width.
void packPanels(MatrixView from, Index columns, Index width, float *to);

/// The same of its transpose, whose columns are the rows of `from`.
void packTransposedPanels(MatrixView from, Index columns, Index width, float *to);

} // namespace headlight::core
