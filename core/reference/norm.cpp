// Normalisation: Y = (X − mean) / √(variance + ε) · γ + β.
#include "core/reference/pass.h"

namespace headlight::core::reference {

namespace {

/// Returns 1/√(variance + ε) of each row or column; 0 if the root is 0.
ArrayXXd inverseDeviation(const ArrayXXd &variance, double epsilon) {
    return (variance + epsilon > 0).select((variance + epsilon).sqrt().inverse(), 0);
}

/// Returns the rows of X that are not padding.
MatrixXd realRows(const MatrixXd &X, const Batch &batch) {
    MatrixXd real(0, X.cols());
    for (Index b = 0; b < batch.count(); ++b) {
        const Index before = real.rows(), length = batch[b].length;
        real.conservativeResize(before + length, Eigen::NoChange);
        real.bottomRows(length) = X.middleRows(b * batch.length(), length);
    }
    return real;
}

} // namespace

MatrixXd normalised(const Config &config, const MatrixXd &X, const NormParameters &parameters,
                    const Batch &batch) {
    const auto epsilon = static_cast<double>(config.norm.epsilon);
    const auto C = static_cast<double>(X.cols());
    MatrixXd Y = X;
    switch (config.norm.kind) {
    case NormKind::None:
        return X;
    case NormKind::Layer: { // Ba et al. (2016): mean and variance of each token
        Y = X.colwise() - X.rowwise().mean();
        const ArrayXXd variance = Y.rowwise().squaredNorm() / C;
        Y = inverseDeviation(variance, epsilon).matrix().col(0).asDiagonal() * Y;
        break;
    }
    case NormKind::RootMeanSquare: { // Zhang and Sennrich (2019): no mean
        const ArrayXXd meanSquare = X.rowwise().squaredNorm() / C;
        Y = inverseDeviation(meanSquare, epsilon).matrix().col(0).asDiagonal() * X;
        break;
    }
    case NormKind::Batch: { // Ioffe and Szegedy (2015): mean and variance of each dimension
        const MatrixXd real = realRows(X, batch);
        const RowVectorXd mean = real.colwise().mean();
        const ArrayXXd variance =
            (real.rowwise() - mean).colwise().squaredNorm() / static_cast<double>(real.rows());
        Y = (X.rowwise() - mean) * inverseDeviation(variance, epsilon).matrix().row(0).asDiagonal();
        break;
    }
    }
    if (parameters.gain)
        Y *= numbersOf(parameters.gain).row(0).asDiagonal();
    if (parameters.bias && config.normHasBias())
        Y.rowwise() += RowVectorXd(numbersOf(parameters.bias));
    return Y;
}

MatrixXd rmsNormalised(const MatrixXd &X, const Parameter &gain, double epsilon) {
    const ArrayXXd meanSquare = X.rowwise().squaredNorm() / static_cast<double>(X.cols());
    MatrixXd Y = inverseDeviation(meanSquare, epsilon).matrix().col(0).asDiagonal() * X;
    if (gain)
        Y = Y * RowVectorXd(numbersOf(gain)).asDiagonal();
    return Y;
}

} // namespace headlight::core::reference
