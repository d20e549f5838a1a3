// Converts parameters to matrices of doubles, and passes stages to the caller.
#include "core/reference/pass.h"

#include <algorithm>

namespace headlight::core::reference {

namespace {

using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Number of values of a large matrix that are converted at a time. Cancellation is checked between
/// them.
constexpr Index kAtOnce = Index(1) << 20;

/// Returns X·W + b, or X·Wᵀ + b.
MatrixXd product(const Pass &pass, const MatrixXd &X, const Parameter &W, const Parameter &b,
                 bool isTransposed) {
    const Index depth = X.cols(), columns = isTransposed ? W->rows() : W->columns();
    const Index piece = std::max<Index>(1, kAtOnce / std::max<Index>(1, depth));
    MatrixXd Y(X.rows(), columns);
    for (Index first = 0; first < columns; first += piece) {
        throwIfCancelled(pass.stop);
        const Index count = std::min(piece, columns - first);
        if (isTransposed)
            Y.middleCols(first, count) = X * numbersOf(W, {first, 0, count, depth}).transpose();
        else
            Y.middleCols(first, count) = X * numbersOf(W, {0, first, depth, count});
    }
    if (b)
        Y.rowwise() += RowVectorXd(numbersOf(b));
    return Y;
}

} // namespace

void Pass::show(StageId at, Index sequence, Index head, Eigen::Ref<MatrixXd> x) const {
    throwIfCancelled(stop);
    const Outcome taken =
        onStage({at, sequence, head, x.rows(), x.cols(), x.data(), x.outerStride()});
    if (!taken)
        throw Failure{taken.error()};
}

void Pass::showHeads(StageId at, MatrixXd &X, Index heads) const {
    const Index length = X.rows() / sequences(), size = X.cols() / heads;
    for (Index b = 0; b < sequences(); ++b)
        for (Index h = 0; h < heads; ++h)
            show(at, b, h, headOf(X, b, h, length, size));
}

MatrixXd Pass::shown(StageId at, MatrixXd X, Index heads) const {
    showHeads(at, X, heads);
    return X;
}

MatrixXd Pass::shown(StageId at, Index sequence, Index head, MatrixXd X) const {
    show(at, sequence, head, X);
    return X;
}

MatrixXd numbersOf(const Parameter &parameter, const MatrixBlock &block) {
    FloatRows numbers(block.rows, block.columns);
    const Outcome read =
        parameter->copy(block, {numbers.data(), block.rows, block.columns, block.columns});
    if (!read)
        throw Failure{read.error()};
    return numbers.cast<double>();
}

MatrixXd numbersOf(const Parameter &parameter) {
    return numbersOf(parameter, parameter->whole());
}

MatrixXd linear(const Pass &pass, const MatrixXd &X, const Parameter &W, const Parameter &b) {
    return product(pass, X, W, b, false);
}

MatrixXd linearTransposed(const Pass &pass, const MatrixXd &X, const Parameter &W,
                          const Parameter &b) {
    return product(pass, X, W, b, true);
}

} // namespace headlight::core::reference
