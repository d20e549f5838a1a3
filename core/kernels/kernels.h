// The inner loops of the program, one set for each instruction set: matrix products and row
// operations of a pass, and all loops of training.
#pragma once

#include "core/kernels/product_kernel.h"
#include "core/kernels/row_kernels.h"
#include "core/kernels/training_kernels.h"

#include <span>

namespace headlight::core {

struct Kernels {
    const char *name; ///< name of the instruction set
    ProductKernel product;
    RowKernels rows;
    TrainingKernels training;
};

/// Returns the sets that this processor supports, starting with the portable one. The fastest comes
/// last.
std::span<const Kernels *const> supportedKernels();

/// Returns the fastest set that this processor supports.
const Kernels &fastestKernels();

} // namespace headlight::core
