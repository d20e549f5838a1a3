// Normalisation: Y = (X − mean) / √(variance + ε) · γ + β.
#include "core/reference/pass.h"

namespace headlight::core::reference {

namespace {

/// Returns 1/√(variance + ε) of each row or column; 0 if the root is 0.
MatrixXd inverseDeviation(const ArrayXXd &variance, double epsilon) {
    return (variance + epsilon > 0).select((variance + epsilon).sqrt().inverse(), 0);
}

/// Returns each row of X divided by its root mean square.
MatrixXd overRootMeanSquare(const MatrixXd &X, double epsilon) {
    const ArrayXXd meanSquare = X.rowwise().squaredNorm() / double(X.cols());
    return inverseDeviation(meanSquare, epsilon).col(0).asDiagonal() * X;
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
    const double epsilon = double(config.norm.epsilon);
    MatrixXd Y;
    switch (config.norm.kind) {
    case NormKind::None:
        return X;
    case NormKind::Layer: // Ba et al. (2016): mean and variance of each token
        Y = overRootMeanSquare(X.colwise() - X.rowwise().mean(), epsilon);
        break;
    case NormKind::RootMeanSquare: // Zhang and Sennrich (2019): no mean
        Y = overRootMeanSquare(X, epsilon);
        break;
    case NormKind::Batch: { // Ioffe and Szegedy (2015): mean and variance of each dimension
        const MatrixXd real = realRows(X, batch);
        const RowVectorXd mean = real.colwise().mean();
        const ArrayXXd variance =
            (real.rowwise() - mean).colwise().squaredNorm() / double(real.rows());
        Y = (X.rowwise() - mean) * inverseDeviation(variance, epsilon).row(0).asDiagonal();
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
    const MatrixXd Y = overRootMeanSquare(X, epsilon);
    return gain ? MatrixXd(Y * numbersOf(gain).row(0).asDiagonal()) : Y;
}

} // namespace headlight::core::reference
