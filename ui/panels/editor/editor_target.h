// What the editor's table shows: a matrix of the model, or the scores of a head, where a number
// that is typed is an intervention.
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

/// The numbers that the selected stage is made with: queries by W_Q of their head, output by W_O, a
/// norm by its gain, logits by the output matrix, embeddings and scores by themselves. None for the
/// stages that have no numbers of their own.
std::optional<EditorTarget> targetFor(const DocumentState &state, const core::Selection &selection);

/// All that can be chosen at the selection's place, in the order of the computation.
std::vector<EditorTarget> targetsAt(const DocumentState &state, const core::Selection &selection);

/// The same kind of numbers at the selection's sequence, place and head, where it has them.
EditorTarget movedTo(const DocumentState &state, EditorTarget target,
                     const core::Selection &selection);

/// Those of the state; scores are the trace's. They may not exist.
MatrixNumbers numbersOf(const DocumentState &state, const core::TracePointer &trace,
                        const EditorTarget &target);
/// A score that was set by hand.
bool isSetByHand(const DocumentState &state, const EditorTarget &target, core::Index row,
                 core::Index column);

QString nameOf(const EditorTarget &target, const DocumentState &state);
/// Tokens, or the numbers of dimensions.
QStringList rowLabelsOf(const DocumentState &state, const EditorTarget &target, core::Index rows);
QStringList columnLabelsOf(const DocumentState &state, const EditorTarget &target,
                           core::Index columns);

core::Result<Change> setCells(const DocumentState &state, const EditorTarget &target,
                              const std::vector<edits::CellValue> &cells);
core::Result<Change> setMatrix(const DocumentState &state, const EditorTarget &target,
                               const core::Matrix &matrix, const QString &words);

/// Where the selection's cell is in the table, as far as it says.
struct TableIndex {
    std::optional<core::Index> row, column;
};
TableIndex placeIn(const EditorTarget &target, const core::Selection &selection);

} // namespace headlight::ui
