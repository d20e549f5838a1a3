// The complete formula of an attention module: softmax(QKᵀ / √d_k + M) · V, and Concat(head_0, …) ·
// W_O, as this model computes it. Maps each symbol to its matrix.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::core {

/// A range of consecutive pieces of a line.
struct PieceRange {
    std::size_t first = 0;
    std::size_t end = 0;
    bool isEmpty() const { return first == end; }
    bool contains(std::size_t piece) const { return piece >= first && piece < end; }
    bool operator==(const PieceRange &) const = default;
};

/// A matrix that is part of the formula.
struct FormulaPart {
    StageId at{};
    Index head = 0;     ///< if the stage has heads
    PieceRange whole{}; ///< its subexpression: "Q · Kᵀ" for the scores
    /// The pieces that link to it: "·" for the scores. Empty if another part has the link or the
    /// same values.
    PieceRange link{};
    bool isThere = true; ///< the trace has it; otherwise it was not captured
};

struct WholeFormula {
    Line line;
    std::vector<FormulaPart> parts; ///< if two ranges are equal, the outer one comes later
    /// The formula of one head, that of all heads, and the notes. The last one may be empty.
    PieceRange head{}, heads{}, notes{};
    AttentionId attention{}; ///< the attention module of the formula

    /// Returns the parts for the selected stage and head.
    std::vector<FormulaPart> partsAt(const Selection &selection) const;
};

/// Returns the formula of the attention module that the selection is in or belongs to, for the
/// selected head.
WholeFormula wholeFormulaOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
