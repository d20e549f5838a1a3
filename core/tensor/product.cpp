#include "core/tensor/product.h"

#include "core/kernels/kernels.h"
#include "core/tensor/shared_product.h"

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

void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop) {
    assert(a.rows == b.rows && out.rows == a.columns && out.columns == b.columns);
    product({a, true}, {b}, Accumulate::Add, out, stop);
}

} // namespace headlight::core
