// The derivation of one value of a trace: its expression, and the values in it. The inspector shows
// it line by line.
#pragma once

#include "core/explain/evaluation.h"
#include "core/explain/sources.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::core {

struct Derivation {
    Slice made{};        ///< the cell that is derived
    StageId at{};        ///< stage of the cell, or the stage that its unnamed step leads to
    bool isNamed = true; ///< the cell belongs to stage `at`
    float value = 0;     ///< the value in the trace
    /// The cell as an expression; for an overwritten cell, the original expression.
    Expression expression{};
    std::vector<Remark> remarks{};
    bool isOverwritten = false;   ///< the value was set by hand
    bool isMinusInfinity = false; ///< a Choose of the expression finds −∞
    std::vector<StageId> from{};  ///< stages that are read, or to which unnamed steps lead
    std::vector<Term> terms{};    ///< the value is their sum, plus the bias if there is one
    std::optional<ParameterId>
        matrix{}; ///< parameter matrix that contains the terms' right factors, or lookup table
    Index matrixRow = 0;    ///< matrix row of the first term
    Index matrixColumn = 0; ///< matrix column of the terms; matrix row if it is transposed
    Index heads = 1;        ///< number of heads; the terms of each head are adjacent
    std::optional<std::size_t> hiddenBy{}; ///< the mask layer that hides the pair; none if visible
    std::vector<std::pair<Quantity, double>>
        numbers{}; ///< named intermediate results, and values for remarks

    /// True if the value is copied from another stage at the same position.
    bool isCopied() const { return isSameNumber(expression); }
    bool hasNote(Note note) const;
    std::optional<double> find(Quantity quantity) const;
    /// Returns NaN if the quantity is missing, which is shown as a dash.
    double number(Quantity quantity) const;
    /// Returns the quantity as an integer.
    std::optional<Index> whole(Quantity quantity) const;
    /// Returns kNoNumber if the quantity is missing.
    std::string wholeText(Quantity quantity) const;
    /// Returns the sum of each head's terms [heads].
    std::vector<double> sumsOfHeads() const;
};

/// Returns the derivation of the selected cell. Derivations of its inputs come first, if they have
/// no name (a sum of embeddings) or belong to the same query-key pair (score, scaled, masked,
/// weight). In computation order; the last one is the cell's. Empty if the trace does not have the
/// cell.
std::vector<Derivation> derivationsOf(const Trace &trace, const Selection &selection);

/// Returns the contribution of the selected pair's key to the query's context: weight · value[i]
/// [d]. Empty if the trace does not have the pair.
std::vector<Term> contributionOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
