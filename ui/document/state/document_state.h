// The undoable part of a document, as a value. Its large members are shared and immutable, so
// copies are cheap.
#pragma once

#include "core/analysis/token_partners.h"
#include "core/formats/session/data/session.h"
#include "ui/document/state/changed_parts.h"

#include <QtGlobal>

namespace headlight::ui {

/// Selects one of the input's two batches.
enum class InputSide {
    Own,    ///< the attending sequences; for an encoder-decoder, the decoder's
    Source, ///< the second sequences, which are attended to
};

/// Returns the side whose tokens are the rows of the stack.
constexpr InputSide sideOf(core::Stack stack) {
    return stack == core::Stack::Encoder || stack == core::Stack::SourceEmbeddings
               ? InputSide::Source
               : InputSide::Own;
}

/// An edited lesson. It is part of the document's state, so it is undone, saved and recovered with
/// everything else.
struct LessonDraft {
    std::string title; ///< the document's title
    core::Lesson lesson;
};
/// Null if the lesson is unchanged.
using LessonDraftPointer = std::shared_ptr<const LessonDraft>;

struct DocumentState {
    core::Model model;
    core::Input input;
    core::Index lessonStep = 0; ///< 0 if the session is not a lesson
    /// The parts that the user has changed relative to the lesson's base. They are kept in later
    /// steps until a step sets them or the user resets them.
    ChangedParts edits;
    /// The training run that produced the parameters, with its curves. Null if the model was not
    /// trained.
    core::TrainingRunPointer training{};
    LessonDraftPointer lesson{}; ///< the edited lesson; null if unchanged
    /// The settings of the softmax view. Custom logits count as an edit.
    core::SoftmaxLook softmax{};
    /// The user's token pairs of compared texts. Undo restores them. They are not saved, because
    /// side A of the comparison is not saved either.
    core::OwnPairsPointer pairs{};
    bool operator==(const DocumentState &) const = default;
};

/// Identifies a state of a document. Undo restores it.
struct StateMark {
    quint64 edit = 1;  ///< changes with each edit
    quint64 state = 1; ///< changes with each undo step, including lesson steps
};

/// Returns the parts in which `state` differs from `base`. `known` is a state with correct `edits`,
/// or null. Values that `state` shares with `known` are not compared.
ChangedParts differenceBetween(const DocumentState &base, const DocumentState &state,
                               const DocumentState *known = nullptr);

/// Returns the view of the lesson step, or of a session without a lesson.
const core::SelectionPatch &shownAt(const core::Session &session, core::Index step);

/// Returns the softmax settings of the session or of its lesson step.
core::SoftmaxLook softmaxAt(const core::Session &session, core::Index step);

/// Returns the state of the session, or of a lesson step, without user edits.
DocumentState baseAt(const core::Session &session, core::Index step);

/// Returns the state at a lesson step. Each part comes from the step if it sets the part,
/// otherwise from the user's edits in `now`, otherwise from the lesson's base. Errors: no such
/// step, or a text of the step that cannot be read.
core::Result<DocumentState> stateAtStep(const core::Session &base, core::Index step,
                                        const DocumentState &now);

} // namespace headlight::ui
