// Target of the editor's table: a matrix of the model, or the scores of a head. A typed score is
// stored as an intervention.
#pragma once

#include "core/selection/selection.h"
#include "ui/document/document.h"
#include "ui/document/edits/matrix_edits.h"

#include <variant>

namespace headlight::ui {

struct ScoresId {
    core::Index sequence = 0;
    core::Index layer = 0;
    core::Index head = 0;
    core::Block block = core::Block::SelfAttention;
    core::Stack stack = core::Stack::Main;
    core::AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const ScoresId &) const = default;
};

using EditorTarget = std::variant<MatrixId, ScoresId>;

/// Returns the numbers from which the selected stage is computed. Examples are the head's W_Q for
/// queries, W_O for the attention output, the gain for a norm, and the output matrix for logits.
/// Embeddings and scores are edited directly. Empty for stages without editable numbers.
std::optional<EditorTarget> targetFor(const DocumentState &state, const core::Selection &selection);

/// Returns all targets at the selection, in the order of computation.
std::vector<EditorTarget> targetsAt(const DocumentState &state, const core::Selection &selection);

/// Returns the target of the same kind at the selection's sequence, layer and head, if it exists.
EditorTarget movedTo(const DocumentState &state, EditorTarget target,
                     const core::Selection &selection);

/// Returns the target's numbers: parameters from the state, scores from the trace. Check
/// exists(), because the numbers may be missing.
MatrixNumbers numbersOf(const DocumentState &state, const core::TracePointer &trace,
                        const EditorTarget &target);
/// True if the cell is a score set by the user.
bool isSetByHand(const DocumentState &state, const EditorTarget &target, core::Index row,
                 core::Index column);

QString nameOf(const EditorTarget &target, const DocumentState &state);
/// Returns tokens, or the indices of dimensions.
QStringList rowLabelsOf(const DocumentState &state, const EditorTarget &target, core::Index rows);
QStringList columnLabelsOf(const DocumentState &state, const EditorTarget &target,
                           core::Index columns);

core::Result<Change> setCells(const DocumentState &state, const EditorTarget &target,
                              const std::vector<edits::CellValue> &cells);
core::Result<Change> setMatrix(const DocumentState &state, const EditorTarget &target,
                               const core::Matrix &matrix, const QString &words);

/// Table cell that corresponds to the selection, if there is one.
struct TableIndex {
    std::optional<core::Index> row, column;
};
TableIndex placeIn(const EditorTarget &target, const core::Selection &selection);

} // namespace headlight::ui
