// The operation of a step. An operation holds everything that affects its result except its input
// matrices and parameters. Equal operations with equal inputs give the same result.
#pragma once

#include "core/operations/distance_table.h"
#include "core/operations/experts.h"
#include "core/operations/rotary.h"
#include "core/transformer/model/config.h"

#include <concepts>
#include <variant>
#include <vector>

namespace headlight::core {

namespace op {

/// A captured stage. How it was computed is unknown.
struct Captured {
    bool operator==(const Captured &) const = default;
};

/// Copies its input for a separate use, so that the gradient is that of this use alone.
struct Clone {
    bool operator==(const Clone &) const = default;
};

/// Each token's row of the embedding matrix (the parameter), or its own vector.
struct EmbeddingLookup {
    bool operator==(const EmbeddingLookup &) const = default;
};

/// x + a row for each token (Vaswani et al. 2017, section 3.5; Devlin et al. 2019).
struct AddRows {
    enum class Kind {
        Sinusoids,  ///< sines and cosines of the position
        Positions,  ///< the parameter's row of the position; token 0 has row `offset`
        TokenTypes, ///< the parameter's row of the token's type
        Same        ///< the parameter's only row
    };
    Kind kind = Kind::Sinusoids;
    SinusoidOrder order = SinusoidOrder::Interleaved; ///< of sinusoids
    Index offset = 0;                                 ///< of positions
    bool operator==(const AddRows &) const = default;
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

/// Rotates pairs of dimensions by angles that grow with the position (Su et al. 2021).
struct ApplyRotary {
    RotaryAngles turns;
    bool operator==(const ApplyRotary &) const = default;
};

/// query · keyᵀ. Inputs: query, key.
struct DotProduct {
    bool operator==(const DotProduct &) const = default;
};

// The functions of Each.

/// x · factor.
struct Scale {
    float factor = 1;
    // How to print the factor; does not affect the result. As a number, unless it is one of:
    Index root = 0;       ///< factor = √root, or
    bool divides = false; ///< 1 ÷ √root, or
    float divisor = 1;    ///< 1 ÷ divisor
    bool operator==(const Scale &other) const { return factor == other.factor; }
};
/// limit · tanh(x/limit).
struct Softcap {
    float limit = 1;
    bool operator==(const Softcap &) const = default;
};
struct Tanh {
    bool operator==(const Tanh &) const = default;
};
/// 1 ÷ (1 + e^−x).
struct Sigmoid {
    bool operator==(const Sigmoid &) const = default;
};

using Function = std::variant<Scale, Softcap, Tanh, Sigmoid, Activation>;

/// A function of each number.
struct Each {
    Function function;
    bool operator==(const Each &) const = default;
};

/// An addend of the scores that depends on the distance of the two tokens. No inputs; a learned one
/// has a parameter.
using core::DistanceBias;

/// The rows of the parameter, one for each distance. No inputs.
struct DistanceVectors {
    bool operator==(const DistanceVectors &) const = default;
};

/// The numbers of its input that belong to the distances of queries and keys.
using core::PickDistances;

/// x, with `value` for hidden keys.
struct Mask {
    float value = 0;
    bool operator==(const Mask &) const = default;
};

/// e^(x/temperature) / Σ, per row. Without softmax x / temperature, with −∞ mapped to 0. Parameter:
/// the head's sink, one more addend of Σ; optional.
struct Softmax {
    float temperature = 1;
    bool normalises = true;
    bool operator==(const Softmax &) const = default;
};

/// weights · value. Inputs: attention weights, value.
struct WeightedSum {
    bool operator==(const WeightedSum &) const = default;
};

/// Concatenates the heads of its input.
struct ConcatHeads {
    bool operator==(const ConcatHeads &) const = default;
};

/// Splits the columns of its input into heads; inverse of ConcatHeads.
struct SplitHeads {
    bool operator==(const SplitHeads &) const = default;
};

/// x + y. If y has one sequence, it is added to every sequence of x.
struct Add {
    bool operator==(const Add &) const = default;
};

/// activation(gate) ⊙ hidden (Shazeer 2020), perhaps limited first. Inputs: gate, hidden.
struct Gate {
    Activation activation = Activation::Relu;
    float limit = 0; ///< activation(min(gate, limit)) ⊙ (hidden within −limit … limit); 0: none
    float offset = 0; ///< added to hidden, after the limit
    bool isLimited() const { return limit != 0 || offset != 0; }
    bool operator==(const Gate &) const = default;
};

/// Some numbers of each row; all others are 0. The choice of a router (Shazeer et al. 2017).
/// Inputs: the numbers and, optionally, those by which they are chosen.
using core::KeepLargest;

/// The columns of the first input, which all heads share, then those of the second.
struct JoinColumns {
    bool operator==(const JoinColumns &) const = default;
};

/// x · W + b of several experts, whose columns are side by side: expert e makes its columns of the
/// rows for which its weight is not 0, and 0 in all others. Inputs: x, the experts' weights. The
/// experts read the same columns, or each its own ones of as many as there are experts. Parameters:
/// W, b.
struct ExpertLinear {
    bool readsOwnColumns = false;
    bool operator==(const ExpertLinear &) const = default;
};

/// Σ weight · output over the experts whose weight is not 0. Inputs: the experts' outputs side by
/// side, their weights.
struct MixExperts {
    bool operator==(const MixExperts &) const = default;
};

/// Reduces each sequence to one row.
struct Pool {
    Pooling pooling = Pooling::First;
    bool operator==(const Pool &) const = default;
};

// Interventions in one matrix of a step. They replace the step's operation or modify its result.

/// Overwrites scores.
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

/// Replaces the matrix of a head.
struct Replace {
    enum class By {
        Uniform, ///< attention weights that are equal over the visible keys. No inputs
        Zero,    ///< No inputs
        Mean     ///< every row by the mean of the real tokens' rows
    };
    By by = By::Zero;
    bool operator==(const Replace &) const = default;
};

} // namespace op

using Operation =
    std::variant<op::Captured, op::Clone, op::EmbeddingLookup, op::AddRows, op::Normalise,
                 op::Linear, op::ApplyRotary, op::DotProduct, op::Each, op::DistanceBias,
                 op::DistanceVectors, op::PickDistances, op::Mask, op::Softmax, op::WeightedSum,
                 op::ConcatHeads, op::SplitHeads, op::JoinColumns, op::Add, op::Gate,
                 op::KeepLargest, op::ExpertLinear, op::MixExperts, op::Pool, op::SetCells,
                 op::Replace>;

/// One of several operations, in a visitor that treats them the same.
template <typename Kind, typename... Kinds>
concept OneOf = (std::same_as<Kind, Kinds> || ...);

/// True if both give the same result for the same inputs.
bool makeTheSame(const Operation &a, const Operation &b);

/// The dependences of one sequence's and head's matrix, besides the operation and parameters.
struct Dependence {
    /// The matrices of its input steps that it reads.
    enum class Reach {
        Own,         ///< same sequence and head
        AllHeads,    ///< all heads of the same sequence
        AllSequences ///< all heads of all sequences
    };
    Reach reach = Reach::Own;
    bool tokens = false;     ///< token texts and vectors
    bool tokenTypes = false; ///< token types
    bool lengths = false;    ///< lengths without padding of all sequences read
    bool mask = false;       ///< visible keys
};

Dependence dependenceOf(const Operation &operation);

/// The rows of input `which` that one output row depends on: the same row, or all rows (a row of
/// scores needs every key).
enum class RowReach { Own, All };
RowReach rowReachOf(const Operation &operation, std::size_t which);

/// True for matrix products, which are faster for many rows at once.
bool isProduct(const Operation &operation);

/// True if the change replaces the step's operation, instead of modifying its result.
bool replaces(const Operation &change);
/// True if each row of the changed matrix depends on all of its rows.
bool readsAllRows(const Operation &change);

/// True if the result can have −∞.
bool mayHide(const Operation &operation);

} // namespace headlight::core
