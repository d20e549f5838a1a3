// Converts parameters to matrices of doubles, and passes stages to the caller.
#include "core/reference/pass.h"

#include <algorithm>

namespace headlight::core::reference {

namespace {

using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Number of values of a large matrix that are converted at a time. Cancellation is checked between
/// them.
constexpr Index kAtOnce = Index(1) << 20;

/// Calls `work` with the first index and the count for each piece of `length` rows or columns.
template <typename Work>
void inPieces(const Pass &pass, Index length, Index across, Work work) {
    const Index piece = std::max<Index>(1, kAtOnce / std::max<Index>(1, across));
    for (Index first = 0; first < length; first += piece) {
        throwIfCancelled(pass.stop);
        work(first, std::min(piece, length - first));
    }
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
    MatrixXd Y(X.rows(), W->columns());
    inPieces(pass, W->columns(), W->rows(), [&](Index first, Index count) {
        Y.middleCols(first, count) = X * numbersOf(W, {0, first, W->rows(), count});
    });
    if (b)
        Y.rowwise() += RowVectorXd(numbersOf(b));
    return Y;
}

MatrixXd linearTransposed(const Pass &pass, const MatrixXd &X, const Parameter &W,
                          const Parameter &b) {
    MatrixXd Y(X.rows(), W->rows());
    inPieces(pass, W->rows(), W->columns(), [&](Index first, Index count) {
        Y.middleCols(first, count) = X * numbersOf(W, {first, 0, count, W->columns()}).transpose();
    });
    if (b)
        Y.rowwise() += RowVectorXd(numbersOf(b));
    return Y;
}

} // namespace headlight::core::reference
