// The derivation of one value of a trace: its operation and operands. The inspector shows it line
// by line.
#pragma once

#include "core/explain/sources.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::core {

/// Two factors of a product.
struct Term {
    float left = 0;
    float right = 0;
    double product() const { return static_cast<double>(left) * static_cast<double>(right); }
};

/// Sums in double, in order.
double sumOf(const std::vector<Term> &terms);

/// Returns e^((score − maximum)/temperature), with softmax's convention for scores that overflowed.
double exponentialOf(float score, float maximum, float temperature);

/// An operand or intermediate value of an operation, besides its terms.
enum class Quantity {
    Input,      ///< the first matrix read, at the same cell
    Other,      ///< the second matrix read; for a rotation the other dimension of the pair
    OtherIndex, ///< index of Other: a dimension or a table row; for a pool its first token
    Bias,       ///< added
    Gain,       ///< factor of a norm
    Mean,       ///< mean of the normalised values
    Variance,   ///< variance of the normalised values; for RMS norm their mean square
    Deviation,  ///< √(variance + ε), or √(mean square + ε)
    Count,      ///< normalised values or averaged tokens; for ConcatHeads the head
    Sequences,  ///< number of sequences
    Angle,      ///< in radians
    Cosine,
    Sine,
    Activated,   ///< the activation of Input
    Maximum,     ///< maximum of the softmax input row; missing if it sees nothing
    Exponential, ///< e^((Input − Maximum) / temperature)
    Sum,         ///< sum of the row's exponentials
    Distance,    ///< key − query
    Slope,       ///< ALiBi slope of the head
    Bucket,      ///< bucket of the distance
    Visible,     ///< number of visible keys
    Word,        ///< index in the vocabulary
};

struct Derivation {
    Slice made{};        ///< the cell
    StageId at{};        ///< its stage, or the stage that it leads to
    bool isNamed = true; ///< the value belongs to that stage
    float value = 0;     ///< the value in the trace
    /// The operation of the step, or the intervention that replaces it. Owned by the trace's plan.
    const Operation *by = nullptr;
    std::vector<StageId> from{}; ///< stages read; for unnamed steps the stages that they lead to
    std::vector<Term> terms{};   ///< the value is their sum, plus the bias if there is one
    std::optional<ParameterId>
        matrix{};           ///< the matrix of the right factors, or the table that is looked up
    Index matrixRow = 0;    ///< row of the first term
    Index matrixColumn = 0; ///< for a transposed matrix its row
    Index heads = 1;        ///< number of heads whose terms follow each other
    std::optional<std::size_t> hiddenBy{}; ///< the mask layer that hides the pair; none if visible
    std::vector<std::pair<Quantity, double>> numbers{};

    std::optional<double> find(Quantity quantity) const;
    /// NaN if missing, shown as a dash.
    double number(Quantity quantity) const;
    /// For integer quantities.
    std::optional<Index> whole(Quantity quantity) const;
    /// kNoNumber if missing.
    std::string wholeText(Quantity quantity) const;
    /// Returns the sum of each head's terms [heads].
    std::vector<double> sumsOfHeads() const;
};

/// Returns the derivation of the selected cell, preceded by those of its inputs that have no name
/// (a sum of embeddings) or belong to the same query-key pair (score, scaled, masked, weight). In
/// the order of computation; the last one is the cell. Empty if the trace does not have the cell.
std::vector<Derivation> derivationsOf(const Trace &trace, const Selection &selection);

/// Returns the contribution of the selected pair's key to the query's context: weight · value[i]
/// [d]. Empty if the trace does not have the pair.
std::vector<Term> contributionOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
