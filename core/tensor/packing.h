// Pieces of a matrix, put together in the order in which a kernel reads them.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// to[c · toStride + r] = from[r, c] for its first `rows` rows. The rows behind them are not read,
/// but fetched into the cache, because they are mostly asked for next.
void transpose(MatrixView from, Index rows, float *to, Index toStride);

/// A panel: `from` without gaps, filled up with zeros to `width` columns. Row r of it starts at
/// r · width.
void packPanel(MatrixView from, Index width, float *to);

/// The same of its transpose: its columns are the first `columns` rows of `from`.
void packTransposedPanel(MatrixView from, Index columns, Index width, float *to);

} // namespace headlight::core
