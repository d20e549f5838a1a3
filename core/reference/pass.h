// The parts of the reference, the notation they share, and parameters as matrices. Only the .cpp
// files of this folder include this header, and with it Eigen.
//
// Notation: X has a row for each token, sequence after sequence, [B·T, C]. Q, K and V have a column
// for each dimension, head after head, [B·T, H·d]. headOf() is the block of one sequence and head.
#pragma once

#include "core/cancelled.h"
#include "core/reference/reference.h"

#include <Eigen/Dense>

#include <optional>

namespace headlight::core::reference {

using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

/// Thrown when a parameter cannot be read or the caller ends the pass.
struct Failure {
    Error error;
};

/// A forward pass under way.
struct Pass {
    const Model &model;
    const Input &input;
    const OnStage &onStage;
    std::stop_token stop;

    Index sequences() const { return input.batch->count(); } ///< B
    /// Shows the matrix of one sequence and head to the caller, who may change it.
    void show(StageId at, Index sequence, Index head, Eigen::Ref<MatrixXd> x) const;
    /// Shows X [B·T, columns], sequence by sequence.
    void show(StageId at, MatrixXd &X) const { showHeads(at, X, 1); }
    /// Shows X [B·T, heads·d], head by head.
    void showHeads(StageId at, MatrixXd &X, Index heads) const;
};

/// Returns the numbers of a block of a parameter.
MatrixXd numbersOf(const Parameter &parameter, const MatrixBlock &block);
MatrixXd numbersOf(const Parameter &parameter);
/// Returns X·W + b; a bias that is null is 0.
MatrixXd linear(const Pass &pass, const MatrixXd &X, const Parameter &W, const Parameter &b);
/// Returns X·Wᵀ + b.
MatrixXd linearTransposed(const Pass &pass, const MatrixXd &X, const Parameter &W,
                          const Parameter &b);

/// The block of one sequence and head in X [B·T, heads·size].
template <typename Matrix>
auto headOf(Matrix &X, Index sequence, Index head, Index length, Index size) {
    return X.block(sequence * length, head * size, length, size);
}

// Parts of a transformer, each in a file of the same name.

MatrixXd embedded(const Pass &pass, Stack stack);
/// `distances` are the stack's vectors of distances, if its attention is disentangled.
MatrixXd attention(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X,
                   const MatrixXd &memory, const MatrixXd &distances);
MatrixXd feedForward(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X);
void outputLayer(const Pass &pass, const MatrixXd &X);

/// Returns X normalised. Its rows are the tokens of `batch`.
MatrixXd normalised(const Config &config, const MatrixXd &X, const NormParameters &parameters,
                    const Batch &batch);
/// Returns X ÷ its root mean square, times the gain.
MatrixXd rmsNormalised(const MatrixXd &X, const Parameter &gain, double epsilon);
/// Returns e^x / Σ e^x of each row; zeros in a row of −∞, which sees nothing. The largest number is
/// subtracted first, which changes nothing and keeps the exponentials finite. A sink is one more
/// number of each row, whose share is left out.
MatrixXd softmax(const MatrixXd &S, std::optional<double> sink = std::nullopt);
MatrixXd activated(const MatrixXd &X, Activation activation);

/// Returns sines and cosines of the positions 0 … length − 1, [length, width].
MatrixXd sinusoids(Index length, Index width, SinusoidOrder order);
/// Returns the queries or keys x [T, d] of one head, rotated by their positions.
MatrixXd rotated(const RotaryConfig &rotary, const MatrixXd &x);
/// Returns a vector for each distance, [2·k, C] (He et al. 2021).
MatrixXd distanceEmbeddings(const Pass &pass, const Config &config, Stack stack);
/// Returns the row of the distance i − j of a query and a key among these vectors.
Index distanceRowOf(const DistanceTable &table, Index distance);
/// Returns the bias that positions add to the scores of one head, [T, S].
MatrixXd positionBias(const Pass &pass, const Config &config, AttentionId at, Index head);

using Visible = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;
/// Returns which keys each query of a sequence sees, [T, S].
Visible visibleKeys(const Pass &pass, const Config &config, AttentionId at, Index sequence);

} // namespace headlight::core::reference
