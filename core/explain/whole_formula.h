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

/// A stage's matrix in the formula.
struct FormulaPart {
    StageId at{};
    Index head = 0;     ///< the head, if the stage has heads
    PieceRange whole{}; ///< its subexpression, such as "Q · Kᵀ" for the scores
    /// The pieces that link to the stage, such as "·" for the scores. Empty if another part has the
    /// same pieces or the same values.
    PieceRange link{};
    bool isThere = true; ///< the stage exists in the trace; otherwise it was not captured
};

struct WholeFormula {
    Line line;
    std::vector<FormulaPart> parts; ///< if two ranges are equal, the outer part comes later
    /// The formula of one head, the formula of all heads (which may be empty), and the notes.
    PieceRange head{}, heads{}, notes{};
    AttentionId attention{}; ///< the attention module of the formula

    /// Returns the parts of the selected stage and head.
    std::vector<FormulaPart> partsAt(const Selection &selection) const;
};

/// Returns the formula of the attention module that contains the selection or that the selected
/// stage belongs to, for the selected head.
WholeFormula wholeFormulaOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
