#include "core/tensor/product.h"

#include "core/kernels/kernels.h"
#include "core/tensor/shared_product.h"

#include <bit>

namespace headlight::core {

namespace {

void product(const Factor &a, const Factor &b, Accumulate accumulate, MutableMatrixView out,
             const std::stop_token &stop) {
    sharedProduct(fastestKernels().product, a, b, accumulate, out, stop);
}

} // namespace

void multiply(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop) {
    assert(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
    product({a}, {b}, Accumulate::Replace, out, stop);
}

void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                        const std::stop_token &stop) {
    assert(a.columns == b.columns && out.rows == a.rows && out.columns == b.rows);
    product({a}, {b, true}, Accumulate::Replace, out, stop);
}

void addProduct(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop) {
    assert(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
    product({a}, {b}, Accumulate::Add, out, stop);
}

void addProductTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop) {
    assert(a.columns == b.columns && out.rows == a.rows && out.columns == b.rows);
    product({a}, {b, true}, Accumulate::Add, out, stop);
}

void multiplyEncoded(MatrixView a, const EncodedMatrix &b, bool transposed, MutableMatrixView out,
                     const std::stop_token &stop) {
    assert(a.columns == (transposed ? b.numbers : b.lines) && out.rows == a.rows &&
           out.columns == (transposed ? b.lines : b.numbers));
    assert(transposed || !b.encoding->isOfBlocks());
    // Floats need no decoding. But if b is transposed, or for one or two rows, the kernels for
    // encoded lines are faster, because they prefetch.
    const bool areFloats = std::endian::native == std::endian::little && b.each.empty() &&
                           b.encoding->kernel == Encoding::F32 &&
                           b.stride % Index(sizeof(float)) == 0 &&
                           reinterpret_cast<std::uintptr_t>(b.first) % alignof(float) == 0;
    const bool haveKernels = fastestKernels().product.encoded != nullptr;
    if (areFloats && !transposed && (out.rows > kEncodedDotRows || !haveKernels))
        return product({a},
                       {{reinterpret_cast<const float *>(b.first), b.lines, b.numbers,
                         b.stride / Index(sizeof(float))}},
                       Accumulate::Replace, out, stop);
    product({a}, {{nullptr, b.lines, b.numbers, 0}, transposed, &b}, Accumulate::Replace, out,
            stop);
}

void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop) {
    assert(a.rows == b.rows && out.rows == a.columns && out.columns == b.columns);
    product({a, true}, {b}, Accumulate::Add, out, stop);
}

} // namespace headlight::core
