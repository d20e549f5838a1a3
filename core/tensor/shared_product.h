// A matrix product, divided among threads.
#pragma once

#include "core/tensor/product_block.h"

namespace headlight::core {

/// All but one core, so that the window stays quick; but both of two, because a window that mostly
/// sleeps gets a core at once when it wakes.
Index mostProductThreads();

/// out = a · b, or out += a · b. What a stopped product leaves in `out` is of no use. Throws
/// std::bad_alloc.
void sharedProduct(const ProductKernel &kernel, Index mostThreads, const Factor &a, const Factor &b,
                   Into into, MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
