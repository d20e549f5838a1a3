// Decodes parts of an encoded matrix for a kernel. They are small enough to stay in the L1 cache.
#pragma once

#include "core/kernels/product_kernel.h"
#include "core/tensor/product_block.h"

namespace headlight::core {

/// Returns the kernel of an encoded factor. If it is null, lines are decoded one by one.
const EncodedKernel *encodedKernel(const ProductKernel &kernel, const Factor &b);

/// Decodes b, an encoded factor with at most `kernel.columns` columns, to a panel without gaps.
/// Fills missing columns with arbitrary numbers. Row r of the panel starts at r · kernel.columns.
/// `spare` must have the size of the panel.
void decodePanel(const ProductKernel &kernel, const Factor &b, float *spare, float *panel);

/// Returns the lines that are columns `first` … `first` + kEncodedLines − 1 of b, an encoded and
/// transposed factor. Repeats the last line if there are fewer.
EncodedLines encodedLines(const Factor &b, Index first, const std::uint8_t *ahead = nullptr);

/// Moves the lines forward by `count` numbers, which must be whole blocks.
void skipNumbers(const NumberEncoding &encoding, Index count, EncodedLines &lines);

/// Returns the address from which to prefetch `count` lines that start at column `first`. Each part
/// of the depth prefetches its share of these lines, so the address depends on b.number. Null if
/// the lines do not exist or are not contiguous.
const std::uint8_t *encodedAhead(const Factor &b, Index first, Index count);

} // namespace headlight::core
