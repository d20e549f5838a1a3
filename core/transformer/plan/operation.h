// The operation of a step. It contains everything that determines the result except input matrices
// and parameters. Equal operations with equal inputs have the same result.
#pragma once

#include "core/operations/distance_table.h"
#include "core/operations/experts.h"
#include "core/operations/query_tuning.h"
#include "core/operations/rotary.h"
#include "core/transformer/model/config.h"

#include <concepts>
#include <limits>
#include <variant>
#include <vector>

namespace headlight::core {

/// The rows of the inputs that a row of the result is computed from.
enum class RowsRead {
    /// The same row of each input. If the columns are keys, each value depends only on the values
    /// of its own key.
    Same,
    SameWithAllKeys, ///< the same row of each input; each value depends on the values of all keys
    SameAndColumns,  ///< the same row of the first input; row j of the second only for column j
    SameAndWeighted, ///< the same row of the first input, which contains the weights of the rows of
                     ///< the second; rows with weight 0 are not read
    Columns,         ///< row j of the input only for column j
    All
};

/// Everything that the matrix of one sequence and head depends on, besides the operation and the
/// parameters.
struct Dependence {
    /// The matrices of the input steps that the step reads.
    enum class Reach {
        Own,         ///< the matrix of the same sequence and head
        AllHeads,    ///< all heads of the same sequence
        AllSequences ///< all heads and all sequences
    };
    Reach reach = Reach::Own;
    bool tokens = false;     ///< texts and vectors of tokens
    bool tokenTypes = false; ///< token types
    bool lengths = false;    ///< lengths without padding, for all sequences that are read
    bool mask = false;       ///< visible keys
};

/// The properties of an operation on which a pass relies. The program does not compile if an
/// operation has no traitsOf(). If `rows` or `on` is wrong, a pass reuses values that an edit has
/// made invalid.
struct Traits {
    RowsRead rows;
    Dependence on;
    bool isProduct = false; ///< a matrix product, which is faster for many rows at a time
    /// A row can be written over the same row of the first input. It depends on no other row, and
    /// is written element by element or after the row has been read completely.
    bool isInPlace = false;
    bool mayHide = false; ///< the result can contain −∞
};

namespace op {

/// A captured stage. It is not known how it was computed.
struct Captured {
    bool operator==(const Captured &) const = default;
};
constexpr Traits traitsOf(const Captured &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Copies the input for one particular use, so that the copy's gradient includes only this use.
struct Clone {
    bool operator==(const Clone &) const = default;
};
constexpr Traits traitsOf(const Clone &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Looks up each token's row in the embedding matrix (the parameter), or uses the token's own
/// vector.
struct EmbeddingLookup {
    bool operator==(const EmbeddingLookup &) const = default;
};
constexpr Traits traitsOf(const EmbeddingLookup &) {
    return {.rows = RowsRead::Same, .on = {.tokens = true}};
}

/// x + one row for each token (Vaswani et al. 2017, section 3.5; Devlin et al. 2019).
struct AddRows {
    enum class Kind {
        Sinusoids,  ///< sines and cosines of the position
        Positions,  ///< the parameter's row for the position, starting with row `offset`
        TokenTypes, ///< the parameter's row for the token's type
        Same        ///< the parameter's only row
    };
    Kind kind = Kind::Sinusoids;
    SinusoidOrder order = SinusoidOrder::Interleaved; ///< for sinusoids
    Index offset = 0;                                 ///< for positions
    bool operator==(const AddRows &) const = default;
};
constexpr Traits traitsOf(const AddRows &of) {
    return {.rows = RowsRead::Same, .on = {.tokenTypes = of.kind == AddRows::Kind::TokenTypes}};
}

/// Normalises rows; with NormKind::Batch, columns over all sequences. Parameters: gain, bias.
struct Normalise {
    NormKind kind = NormKind::Layer;
    float epsilon = 1e-5f;
    bool operator==(const Normalise &) const = default;
};
constexpr Traits traitsOf(const Normalise &of) {
    if (of.kind == NormKind::Batch)
        return {.rows = RowsRead::All,
                .on = {.reach = Dependence::Reach::AllSequences, .lengths = true}};
    return {.rows = RowsRead::Same, .on = {}};
}

/// x · W + b, or x · Wᵀ + b. Parameters: W, b.
struct Linear {
    bool transposed = false;
    bool operator==(const Linear &) const = default;
};
constexpr Traits traitsOf(const Linear &) {
    return {.rows = RowsRead::Same, .on = {}, .isProduct = true};
}

/// Rotates pairs of dimensions by angles that increase with the position (Su et al. 2021).
struct ApplyRotary {
    RotaryAngles turns;
    bool operator==(const ApplyRotary &) const = default;
};
constexpr Traits traitsOf(const ApplyRotary &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Multiplies each row by a factor that grows with its position (Llama 4).
struct TuneQueries {
    QueryTuning tuning;
    bool operator==(const TuneQueries &) const = default;
};
constexpr Traits traitsOf(const TuneQueries &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// query · keyᵀ. Inputs: query, key.
struct DotProduct {
    bool operator==(const DotProduct &) const = default;
};
constexpr Traits traitsOf(const DotProduct &) {
    return {.rows = RowsRead::SameAndColumns, .on = {}, .isProduct = true};
}

// The functions that Each can apply:

/// x · factor.
struct Scale {
    float factor = 1;
    // The way the factor is printed, which does not affect the result. It is printed as a number
    // unless one of these is set:
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

/// A function of each element.
struct Each {
    Function function;
    bool operator==(const Each &) const = default;
};
constexpr Traits traitsOf(const Each &) {
    return {.rows = RowsRead::Same, .on = {}, .isInPlace = true};
}

/// A term of the scores that depends on the distance between two tokens. Has no inputs. A learned
/// term has a parameter.
using core::DistanceBias;
constexpr Traits traitsOf(const DistanceBias &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// The learned vectors of all distances: the rows of the parameter. Has no inputs.
struct DistanceVectors {
    bool operator==(const DistanceVectors &) const = default;
};
constexpr Traits traitsOf(const DistanceVectors &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Picks the value for the distance of each query and key. The input has a column per distance.
using core::PickDistances;
constexpr Traits traitsOf(const PickDistances &of) {
    return {.rows = of.byKeys ? RowsRead::Columns : RowsRead::Same, .on = {}};
}

/// x, with `value` for hidden keys.
struct Mask {
    float value = 0;
    bool operator==(const Mask &) const = default;
};
constexpr Traits traitsOf(const Mask &of) {
    return {.rows = RowsRead::Same,
            .on = {.mask = true},
            .isInPlace = true,
            .mayHide = of.value == -std::numeric_limits<float>::infinity()};
}

/// e^(x/temperature) / Σ for each row. Without softmax, x / temperature, with −∞ mapped to 0.
/// Parameter (optional): the sink of the head, which is one more term of Σ.
struct Softmax {
    float temperature = 1;
    bool normalises = true;
    bool operator==(const Softmax &) const = default;
};
constexpr Traits traitsOf(const Softmax &) {
    return {.rows = RowsRead::SameWithAllKeys, .on = {}, .isInPlace = true};
}

/// 1 ÷ (1 + Σ e^((x − sink)/temperature)) for each row: the weight of the head's sink, which
/// Softmax leaves out. Parameter: the sink.
struct SinkWeight {
    float temperature = 1;
    bool operator==(const SinkWeight &) const = default;
};
constexpr Traits traitsOf(const SinkWeight &) {
    return {.rows = RowsRead::SameWithAllKeys, .on = {}};
}

/// weights · value. Inputs: attention weights, value.
struct WeightedSum {
    bool operator==(const WeightedSum &) const = default;
};
constexpr Traits traitsOf(const WeightedSum &) {
    return {.rows = RowsRead::SameAndWeighted, .on = {}, .isProduct = true};
}

/// Concatenates the heads of the input.
struct ConcatHeads {
    bool operator==(const ConcatHeads &) const = default;
};
constexpr Traits traitsOf(const ConcatHeads &) {
    return {.rows = RowsRead::Same, .on = {.reach = Dependence::Reach::AllHeads}};
}

/// Splits the columns of the input into heads. This is the inverse of ConcatHeads.
struct SplitHeads {
    bool operator==(const SplitHeads &) const = default;
};
constexpr Traits traitsOf(const SplitHeads &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// x + y. If y has a single sequence, it is added to every sequence of x.
struct Add {
    bool operator==(const Add &) const = default;
};
constexpr Traits traitsOf(const Add &) {
    return {.rows = RowsRead::Same, .on = {}, .isInPlace = true};
}

/// activation(gate) ⊙ hidden (Shazeer 2020), optionally limited first. Inputs: gate, hidden.
struct Gate {
    Activation activation = Activation::Relu;
    float limit = 0; ///< activation(min(gate, limit)) ⊙ (hidden within −limit … limit); 0: no limit
    float offset = 0; ///< added to hidden after the limit
    bool isLimited() const { return limit != 0 || offset != 0; }
    bool operator==(const Gate &) const = default;
};
constexpr Traits traitsOf(const Gate &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Keeps the weights of the chosen experts in each row, and sets all others to 0 (Shazeer et al.
/// 2017). Inputs: the weights and, optionally, the scores by which experts are chosen.
using core::KeepLargest;
constexpr Traits traitsOf(const KeepLargest &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Joins two inputs in each head: first the columns of the first input, which all heads share, then
/// the head's columns of the second input.
struct JoinColumns {
    bool operator==(const JoinColumns &) const = default;
};
constexpr Traits traitsOf(const JoinColumns &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Joins rows of the inputs that are adjacent in time. This is the first half of a convolution; the
/// second half is Linear. A row of the result consists of the parts side by side. Each part is read
/// from one input, `shift` rows below (above if negative), and is 0 if there is no such row.
struct JoinNeighbours {
    struct Part {
        std::size_t which = 0; ///< index of the input
        Index shift = 0;
        Index first = 0; ///< first column
        Index columns = 0;
        bool operator==(const Part &) const = default;
    };
    std::vector<Part> parts;

    /// The part that a column of the result belongs to, and its column in the part's input.
    struct SourceColumn {
        const Part &part;
        Index column = 0;
    };
    SourceColumn sourceOf(Index column) const;
    bool operator==(const JoinNeighbours &) const = default;
};
constexpr Traits traitsOf(const JoinNeighbours &) {
    return {.rows = RowsRead::All, .on = {}};
}

/// x · W + b for several experts, whose columns are side by side. Expert e computes its columns for
/// the rows in which its weight is not 0. Its columns are 0 in all other rows. Inputs: x, the
/// weights of the experts. Either all experts read the same columns, or there is one set of columns
/// per expert. Parameters: W, b.
struct ExpertLinear {
    bool readsOwnColumns = false;
    bool operator==(const ExpertLinear &) const = default;
};
constexpr Traits traitsOf(const ExpertLinear &) {
    return {.rows = RowsRead::Same, .on = {}, .isProduct = true};
}

/// The input of each expert side by side: x · weight of the expert. Inputs: x, the weights of the
/// experts.
struct ScaleForExperts {
    bool operator==(const ScaleForExperts &) const = default;
};
constexpr Traits traitsOf(const ScaleForExperts &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Σ weight · output, over the experts whose weight is not 0. Inputs: the outputs of the experts
/// side by side, their weights.
struct MixExperts {
    bool isWeighted = true; ///< false: Σ output, because the weights have multiplied the inputs
    bool operator==(const MixExperts &) const = default;
};
constexpr Traits traitsOf(const MixExperts &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Reduces each sequence to a single row.
struct Pool {
    Pooling pooling = Pooling::First;
    std::vector<Index> rows{}; ///< for LargestId: the token of each sequence; empty: the first

    /// Returns the first row of the sequence that is read.
    Index begin(Index sequence) const {
        return rows.empty() ? 0 : rows[static_cast<std::size_t>(sequence)];
    }
    /// Returns the rows that are read from a sequence of `length` tokens.
    PooledRows rowsOf(Index sequence, Index length) const {
        const Index before = begin(sequence);
        const PooledRows found = pooledRows(length - before, pooling);
        return {before + found.first, found.count};
    }
    bool operator==(const Pool &) const = default;
};
constexpr Traits traitsOf(const Pool &) {
    return {.rows = RowsRead::All,
            .on = {.reach = Dependence::Reach::AllSequences, .lengths = true}};
}

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
constexpr Traits traitsOf(const SetCells &) {
    return {.rows = RowsRead::Same, .on = {}};
}

/// Replaces the matrix of one head.
struct Replace {
    enum class By {
        Uniform, ///< equal attention weights for all visible keys; no inputs
        Zero,    ///< zeros; no inputs
        Mean     ///< every row becomes the mean over the real tokens
    };
    By by = By::Zero;
    bool operator==(const Replace &) const = default;
};
constexpr Traits traitsOf(const Replace &of) {
    return {.rows = RowsRead::Same,
            .on = {.lengths = of.by == Replace::By::Mean, .mask = of.by == Replace::By::Uniform}};
}

} // namespace op

using Operation =
    std::variant<op::Captured, op::Clone, op::EmbeddingLookup, op::AddRows, op::Normalise,
                 op::Linear, op::ApplyRotary, op::TuneQueries, op::DotProduct, op::Each,
                 op::DistanceBias, op::DistanceVectors, op::PickDistances, op::Mask, op::Softmax,
                 op::SinkWeight, op::WeightedSum, op::ConcatHeads, op::SplitHeads, op::JoinColumns,
                 op::JoinNeighbours, op::Add, op::Gate, op::KeepLargest, op::ScaleForExperts,
                 op::ExpertLinear, op::MixExperts, op::Pool, op::SetCells, op::Replace>;

/// True if Kind is one of Kinds. For visitors that treat several operations in the same way.
template <typename Kind, typename... Kinds>
concept OneOf = (std::same_as<Kind, Kinds> || ...);

/// True if both operations have the same result for the same inputs.
bool makeTheSame(const Operation &a, const Operation &b);

Traits traitsOf(const Operation &operation);
Dependence dependenceOf(const Operation &operation);

/// The rows of input `which` that one output row depends on: only the same row, or all rows (a row
/// of scores needs every key).
enum class RowReach { Own, All };
RowReach rowReachOf(const Operation &operation, std::size_t which);

/// True if the change replaces the operation of the step; false if it modifies the result.
bool replaces(const Operation &change);
/// True if each row of the changed matrix depends on all rows of the matrix.
bool readsAllRows(const Operation &change);

inline bool mayHide(const Operation &operation) {
    return traitsOf(operation).mayHide;
}

} // namespace headlight::core
