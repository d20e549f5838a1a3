// The parts of the reference, their notation, and parameters as matrices. Only the .cpp files of
// this folder include this header, and with it Eigen.
//
// Notation: X has a row for each token, sequence after sequence, [B·T, C]. Q, K and V have a column
// for each dimension, head after head, [B·T, H·d]. headOf() is the block of one sequence and head.
#pragma once

#include "core/cancelled.h"
#include "core/reference/reference.h"

#include <Eigen/Dense>

#include <limits>

namespace headlight::core::reference {

using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Thrown when a parameter cannot be read or the caller ends the pass.
struct Failure {
    Error error;
};

/// The arguments of the current forward pass.
struct Pass {
    const Model &model;
    const Input &input;
    const OnStage &onStage;
    std::stop_token stop;

    Index sequences() const { return input.batch->count(); } ///< B
    /// Passes the matrix of one sequence and head to the caller, who may change it.
    void show(StageId at, Index sequence, Index head, Eigen::Ref<MatrixXd> x) const;
    /// Passes X [B·T, columns] to the caller, one sequence at a time.
    void show(StageId at, MatrixXd &X) const { showHeads(at, X, 1); }
    /// Passes X [B·T, heads·d] to the caller, one head at a time.
    void showHeads(StageId at, MatrixXd &X, Index heads) const;
    /// Passes X to the caller as show() and showHeads() do, and returns X with the caller's
    /// changes.
    MatrixXd shown(StageId at, MatrixXd X, Index heads = 1) const;
    MatrixXd shown(StageId at, Index sequence, Index head, MatrixXd X) const;
};

/// Returns the values of a block of a parameter.
MatrixXd numbersOf(const Parameter &parameter, const MatrixBlock &block);
MatrixXd numbersOf(const Parameter &parameter);
/// Returns X·W + b. A null bias counts as 0.
MatrixXd linear(const Pass &pass, const MatrixXd &X, const Parameter &W, const Parameter &b);
/// Returns X·Wᵀ + b.
MatrixXd linearTransposed(const Pass &pass, const MatrixXd &X, const Parameter &W,
                          const Parameter &b);

/// Returns the block of one sequence and head in X [B·T, heads·size].
template <typename Matrix>
auto headOf(Matrix &X, Index sequence, Index head, Index length, Index size) {
    return X.block(sequence * length, head * size, length, size);
}

// Parts of a transformer, each in a file of the same name.

MatrixXd embedded(const Pass &pass, Stack stack);
/// `distances` are the stack's distance vectors, if its attention is disentangled.
MatrixXd attention(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X,
                   const MatrixXd &memory, const MatrixXd &distances);
MatrixXd feedForward(const Pass &pass, const Config &config, AttentionId at, const MatrixXd &X);
void outputLayer(const Pass &pass, const MatrixXd &X);

/// Returns X normalised. For batch norm, its rows must be the tokens of `batch`.
MatrixXd normalised(const Config &config, const MatrixXd &X, const NormParameters &parameters,
                    const Batch &batch);
/// Returns X ÷ its root mean square, times the gain.
MatrixXd rmsNormalised(const MatrixXd &X, const Parameter &gain, double epsilon);
/// Returns e^x / Σ e^x for each row, and zeros for a row with only −∞. Subtracts the largest number
/// first, which keeps the exponentials finite and does not change the result.
MatrixXd softmax(const MatrixXd &S);
MatrixXd activated(const MatrixXd &X, Activation activation);

/// Returns sines and cosines of positions 0 … length − 1, [length, width].
MatrixXd sinusoids(Index length, Index width, SinusoidOrder order);
/// Returns the queries or keys x [T, d] of one head, rotated by their positions.
MatrixXd rotated(const RotaryConfig &rotary, const MatrixXd &x);
/// Returns a vector for each distance, [2·k, C] (He et al. 2021).
MatrixXd distanceEmbeddings(const Pass &pass, const Config &config, Stack stack);
/// Returns the row of distanceEmbeddings() for the distance i − j of query i and key j.
Index distanceRowOf(const DistanceTable &table, Index distance);
/// Returns the bias that positions add to the scores of one head, [T, S].
MatrixXd positionBias(const Pass &pass, const Config &config, AttentionId at, Index head);

using Visible = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;
/// Returns the keys that each query of a sequence sees, [T, S].
Visible visibleKeys(const Pass &pass, const Config &config, AttentionId at, Index sequence);

} // namespace headlight::core::reference
