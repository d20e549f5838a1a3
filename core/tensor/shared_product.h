// A matrix product divided among threads.
#pragma once

#include "core/tensor/product_block.h"

namespace headlight::core {

/// out = a · b, or out += a · b. If stopped, the contents of `out` are invalid. Throws
/// std::bad_alloc.
void sharedProduct(const ProductKernel &kernel, const Factor &a, const Factor &b,
                   Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
