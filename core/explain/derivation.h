// How one number of a trace came to be: which operation made it, of which numbers. What the
// inspector shows line by line.
#pragma once

#include "core/explain/sources.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::core {

/// Two numbers that are multiplied.
struct Term {
    float left = 0;
    float right = 0;
    double product() const { return static_cast<double>(left) * static_cast<double>(right); }
};

/// Added in double, from the first to the last.
double sumOf(const std::vector<Term> &terms);

/// e^((score − maximum)/temperature), with softmax's convention for scores that overflowed.
double exponentialOf(float score, float maximum, float temperature);

/// A number that an operation worked with, besides its terms.
enum class Quantity {
    Input,      ///< of the first matrix that it reads, at the same place
    Other,      ///< of the second one; of a rotation the number that it turns with
    OtherIndex, ///< where that stands: a dimension, the row of a table, of a pool the token
    Bias,       ///< is added
    Gain,       ///< a norm multiplies by
    Mean,       ///< of what is normalised together
    Variance,   ///< of them; of RMS norm their mean square
    Deviation,  ///< √(variance + ε), or √(mean square + ε)
    Count,      ///< how many numbers those are; how many tokens a mean is of
    Sequences,  ///< of how many sequences
    Angle,      ///< in radians
    Cosine,
    Sine,
    Activated,   ///< the activation of Input
    Maximum,     ///< of the row that softmax reads; not there where that sees nothing
    Exponential, ///< e^((Input − Maximum) / temperature)
    Sum,         ///< of the row's exponentials
    Distance,    ///< key − query
    Slope,       ///< ALiBi's, of the head
    Bucket,      ///< of the distance
    Visible,     ///< how many keys the mask lets the query see
    Word,        ///< its number in the vocabulary
};

struct Derivation {
    Slice made{};        ///< the cell
    StageId at{};        ///< the stage that it is in, or leads to
    bool isNamed = true; ///< it is a number of that stage
    float value = 0;     ///< as the trace has it
    /// What made it: the step's operation, or what a person put in its place. In the trace's plan.
    const Operation *by = nullptr;
    std::vector<StageId>
        from{};                ///< the stages that the operation reads; unnamed: what they lead to
    std::vector<Term> terms{}; ///< their sum, and the bias where there is one, is the number
    std::optional<ParameterId>
        matrix{};           ///< the one that the terms' right numbers are of, or that is looked up
    Index matrixRow = 0;    ///< the first term's
    Index matrixColumn = 0; ///< of a transposed matrix its row
    Index heads = 1;        ///< the terms are of so many heads' numbers, one after the other
    std::optional<std::size_t> hiddenBy{}; ///< the mask's layer that hides the pair; none: visible
    std::vector<std::pair<Quantity, double>> numbers{};

    std::optional<double> find(Quantity quantity) const;
    /// NaN where it is not there, which is written as a dash.
    double number(Quantity quantity) const;
    /// Of those that count something.
    std::optional<Index> whole(Quantity quantity) const;
    /// kNoNumber where it is not there.
    std::string wholeText(Quantity quantity) const;
    /// What each head's terms add up to [heads].
    std::vector<double> sumsOfHeads() const;
};

/// The number at the selection's cell, and before it those that it was made from one by one, where
/// they have no name (a sum of embeddings), or are the same pair's (score, scaled, masked, weight).
/// In the order of the computation; the last is the cell. Empty where the trace has no such cell.
std::vector<Derivation> derivationsOf(const Trace &trace, const Selection &selection);

/// What the key of the selected pair gives to the query's context: weight · value[i] [d]. Empty
/// where the trace has no such pair.
std::vector<Term> contributionOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
