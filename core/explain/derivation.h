// The derivation of one value of a trace: its expression, and the numbers in it. The inspector
// shows it line by line.
#pragma once

#include "core/explain/evaluation.h"
#include "core/explain/sources.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight::core {

struct Derivation {
    Slice made{};        ///< the cell
    StageId at{};        ///< its stage, or the stage that it leads to
    bool isNamed = true; ///< the value belongs to that stage
    float value = 0;     ///< the value in the trace
    /// The value as an expression; for an overwritten value the one that it would have.
    Expression expression{};
    std::vector<Remark> remarks{};
    bool isOverwritten = false;   ///< set by hand
    bool isMinusInfinity = false; ///< a Choose of the expression finds −∞
    std::vector<StageId> from{};  ///< stages read; for unnamed steps the stages that they lead to
    std::vector<Term> terms{};    ///< the value is their sum, plus the bias if there is one
    std::optional<ParameterId>
        matrix{};           ///< the matrix of the right factors, or the table that is looked up
    Index matrixRow = 0;    ///< row of the first term
    Index matrixColumn = 0; ///< for a transposed matrix its row
    Index heads = 1;        ///< number of heads whose terms follow each other
    std::optional<std::size_t> hiddenBy{}; ///< the mask layer that hides the pair; none if visible
    std::vector<std::pair<Quantity, double>>
        numbers{}; ///< the named parts, and numbers beside them

    /// True if it is the number of another stage at the same position.
    bool isCopied() const { return isSameNumber(expression); }
    bool hasNote(Note note) const;
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
