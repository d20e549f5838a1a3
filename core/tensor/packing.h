// Copies parts of a matrix to the order in which a kernel reads them.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// to[c · toStride + r] = from[r, c] for the first `rows` rows. Prefetches the rows after these,
/// which the next call usually reads.
void transpose(MatrixView from, Index rows, float *to, Index toStride);

/// Copies `from` to a panel without gaps, padded with zeros to `width` columns. Row r of the panel
/// starts at r · width.
void packPanel(MatrixView from, Index width, float *to);

/// Like packPanel(), but for the transpose: the panel's columns are the first `columns` rows of
/// `from`.
void packTransposedPanel(MatrixView from, Index columns, Index width, float *to);

} // namespace headlight::core
