// All of an attention in one line: softmax(QKᵀ / √d_k + M) · V, and Concat(head_0, …) · W_O, as
// this model has it, with what each symbol is the matrix of.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::core {

/// Some pieces of a line beside each other.
struct PieceRange {
    std::size_t first = 0;
    std::size_t end = 0;
    bool isEmpty() const { return first == end; }
    bool contains(std::size_t piece) const { return piece >= first && piece < end; }
    bool operator==(const PieceRange &) const = default;
};

/// A matrix that is a part of the formula.
struct FormulaPart {
    StageId at{};
    Index head = 0;     ///< where the stage has heads
    PieceRange whole{}; ///< what it is: of the scores "Q · Kᵀ"
    /// What stands for it: of the scores "·". Empty: another part's does, or the numbers are those
    /// of that part.
    PieceRange link{};
    bool isThere = true; ///< the trace has it; else it was not captured
};

struct WholeFormula {
    Line line;
    std::vector<FormulaPart> parts; ///< of two with the same place the outer one comes later
    /// Where the formula of one head ends, that of all heads, and what is said of both: the last
    /// may be as long as nothing.
    PieceRange head{}, heads{}, notes{};
    AttentionId attention{}; ///< of which attention it is

    /// The parts that the selection's stage is, of its head.
    std::vector<FormulaPart> partsAt(const Selection &selection) const;
};

/// Of the attention that the selection is in, or else belongs to, and of the selected head.
WholeFormula wholeFormulaOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
