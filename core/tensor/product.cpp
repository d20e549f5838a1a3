#include "core/tensor/product.h"

#include "core/tensor/large_product.h"

#include <Eigen/Core>

namespace headlight::core {

namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<Eigen::Dynamic>;

auto mapped(MatrixView view) {
    return Eigen::Map<const RowMajor, 0, Stride>(view.data, view.rows, view.columns,
                                                 Stride(view.stride));
}

auto mapped(MutableMatrixView view) {
    return Eigen::Map<RowMajor, 0, Stride>(view.data, view.rows, view.columns, Stride(view.stride));
}

} // namespace

void multiply(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop) {
    assert(a.columns == b.rows && out.rows == a.rows && out.columns == b.columns);
    if (isLargeProduct(a.rows, a.columns, b.columns))
        return largeProduct({a}, {b}, Into::Replace, out, stop);
    mapped(out).noalias() = mapped(a) * mapped(b);
}

void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                        const std::stop_token &stop) {
    assert(a.columns == b.columns && out.rows == a.rows && out.columns == b.rows);
    if (isLargeProduct(a.rows, a.columns, b.rows))
        return largeProduct({a}, {b, true}, Into::Replace, out, stop);
    mapped(out).noalias() = mapped(a) * mapped(b).transpose();
}

void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop) {
    assert(a.rows == b.rows && out.rows == a.columns && out.columns == b.columns);
    if (isLargeProduct(a.columns, a.rows, b.columns))
        return largeProduct({a, true}, {b}, Into::Add, out, stop);
    mapped(out).noalias() += mapped(a).transpose() * mapped(b);
}

} // namespace headlight::core
