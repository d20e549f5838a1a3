// What a step of the computation does. Each operation holds all that changes its numbers, besides
// the matrices that it reads and its parameters: two that are equal, and read the same, make the
// same.
#pragma once

#include "core/operations/rotary.h"
#include "core/transformer/model/config.h"

#include <variant>
#include <vector>

namespace headlight::core {

namespace op {

/// Nothing is known about how it was made: a stage of a capture.
struct Captured {
    bool operator==(const Captured &) const = default;
};

/// The same numbers as the matrix that it reads, for a use of their own: their gradient is that of
/// this use alone.
struct Clone {
    bool operator==(const Clone &) const = default;
};

/// Each token's row of the embedding matrix (the parameter), or the vectors that it has otherwise.
struct EmbeddingLookup {
    bool operator==(const EmbeddingLookup &) const = default;
};

/// x + sines and cosines of the position (Vaswani et al. 2017, section 3.5).
struct AddSinusoids {
    SinusoidOrder order = SinusoidOrder::Interleaved;
    bool operator==(const AddSinusoids &) const = default;
};

/// x + a row of the parameter for each position; token 0 gets row `offset`.
struct AddPositions {
    Index offset = 0;
    bool operator==(const AddPositions &) const = default;
};

/// x + the row of the parameter for each token's type.
struct AddTokenTypes {
    bool operator==(const AddTokenTypes &) const = default;
};

/// Normalises rows, or with NormKind::Batch columns over all sequences. Parameters: gain, bias.
struct Normalise {
    NormKind kind = NormKind::Layer;
    float epsilon = 1e-5f;
    bool operator==(const Normalise &) const = default;
};

/// x · W + b, or x · Wᵀ + b. Parameters: W, b.
struct Linear {
    bool transposed = false;
    bool operator==(const Linear &) const = default;
};

/// Turns pairs of dimensions by angles that grow with the position (Su et al. 2021).
struct ApplyRotary {
    RotaryAngles turns;
    bool operator==(const ApplyRotary &) const = default;
};

/// query · keyᵀ. Reads both.
struct DotProduct {
    bool operator==(const DotProduct &) const = default;
};

/// x · factor.
struct Scale {
    float factor = 1;
    // How the factor is written, which does not change the numbers; any but 1 needs one of them:
    Index root = 0;       ///< √root, or
    bool divides = false; ///< 1 ÷ √root
    float divisor = 1;    ///< else 1 ÷ divisor
    bool operator==(const Scale &other) const { return factor == other.factor; }
};

/// limit · tanh(x/limit), number by number.
struct Softcap {
    float limit = 1;
    bool operator==(const Softcap &) const = default;
};

/// −slope · |i − j| for each head (Press et al. 2022). Reads nothing.
struct AlibiBias {
    std::vector<float> slopes; ///< [H]
    bool operator==(const AlibiBias &) const = default;
};

/// A row of the parameter [buckets, H] for each distance (Raffel et al. 2020). Reads nothing.
struct RelativeBias {
    RelativeConfig config;
    bool bothWays = true;
    bool operator==(const RelativeBias &) const = default;
};

/// x, and `value` where the mask hides a key.
struct Mask {
    float value = 0;
    bool operator==(const Mask &) const = default;
};

/// e^(x/temperature) / Σ, row by row.
struct Softmax {
    float temperature = 1;
    bool operator==(const Softmax &) const = default;
};

/// What if not: x / temperature, and 0 where x is −∞.
struct NoSoftmax {
    float temperature = 1;
    bool operator==(const NoSoftmax &) const = default;
};

/// weights · value. Reads both.
struct WeightedSum {
    bool operator==(const WeightedSum &) const = default;
};

/// All heads of what it reads, side by side.
struct ConcatHeads {
    bool operator==(const ConcatHeads &) const = default;
};

/// The head's share of the columns that it reads: Concatenate the other way.
struct SplitHeads {
    bool operator==(const SplitHeads &) const = default;
};

/// x + y. Reads both; where y has one sequence, that is for all.
struct Add {
    bool operator==(const Add &) const = default;
};

struct Activate {
    Activation activation = Activation::Relu;
    bool operator==(const Activate &) const = default;
};

/// activation(gate) ⊙ hidden (Shazeer 2020). Reads both.
struct Gate {
    Activation activation = Activation::Relu;
    bool operator==(const Gate &) const = default;
};

/// One row for each sequence.
struct Pool {
    Pooling pooling = Pooling::First;
    bool operator==(const Pool &) const = default;
};

struct Tanh {
    bool operator==(const Tanh &) const = default;
};

// What a person does to one matrix of a step: instead of the step's operation, or to what it made.

/// Scores that stand for the computed ones.
struct SetCells {
    struct Cell {
        Index row = 0;
        Index column = 0;
        float value = 0;
        bool operator==(const Cell &) const = default;
    };
    std::vector<Cell> cells;
    bool operator==(const SetCells &) const = default;
};

/// The same weight for every key that the mask shows; reads nothing else.
struct UniformWeights {
    bool operator==(const UniformWeights &) const = default;
};

/// Zeros; reads nothing.
struct Zero {
    bool operator==(const Zero &) const = default;
};

/// Every row becomes the mean of the real tokens' rows.
struct MeanRows {
    bool operator==(const MeanRows &) const = default;
};

} // namespace op

using Operation =
    std::variant<op::Captured, op::Clone, op::EmbeddingLookup, op::AddSinusoids, op::AddPositions,
                 op::AddTokenTypes, op::Normalise, op::Linear, op::ApplyRotary, op::DotProduct,
                 op::Scale, op::Softcap, op::AlibiBias, op::RelativeBias, op::Mask, op::Softmax,
                 op::NoSoftmax, op::WeightedSum, op::ConcatHeads, op::SplitHeads, op::Add,
                 op::Activate, op::Gate, op::Pool, op::Tanh, op::SetCells, op::UniformWeights,
                 op::Zero, op::MeanRows>;

/// They make the same numbers of the same matrices.
bool makeTheSame(const Operation &a, const Operation &b);

/// What the matrix of one sequence and head depends on, besides operation and parameters.
struct Dependence {
    /// Which matrices of the steps that it reads.
    enum class Reach {
        Own,         ///< the one of its sequence and its head
        AllHeads,    ///< of its sequence
        AllSequences ///< and all heads
    };
    Reach reach = Reach::Own;
    bool tokens = false;     ///< which words they are, and their vectors
    bool tokenTypes = false; ///< their types
    bool lengths = false;    ///< how many of them are not padding, in every sequence that it reads
    bool mask = false;       ///< which keys each query may see
};

Dependence dependenceOf(const Operation &operation);

/// Which rows of what it reads at place `which` a row needs: its own, the one at the same place; or
/// all, as a row of scores needs every key.
enum class RowReach { Own, All };
RowReach rowReachOf(const Operation &operation, std::size_t which);

/// A product of matrices: rows together take less time than rows one after the other.
bool isProduct(const Operation &operation);

/// It stands for what the step's operation would make, and is not done to that.
bool replaces(const Operation &change);

/// −∞ is one of the numbers that it may make.
bool mayHide(const Operation &operation);

} // namespace headlight::core
