// Everything of a document that can be undone, as a value. Its large parts are shared and
// immutable, so a copy is cheap.
#pragma once

#include "ui/document/state/changed_parts.h"
#include "ui/document/state/lesson_draft.h"

#include <QtGlobal>

namespace headlight::ui {

/// Which sequences of the input are meant.
enum class InputSide {
    Own,    ///< those that attend; of an encoder-decoder the decoder's
    Source, ///< the second ones, which are attended to
};

/// Whose tokens are the rows of the stack.
constexpr InputSide sideOf(core::Stack stack) {
    return stack == core::Stack::Encoder || stack == core::Stack::SourceEmbeddings
               ? InputSide::Source
               : InputSide::Own;
}

struct DocumentState {
    core::Model model;
    core::Input input;
    core::Index lessonStep = 0; ///< 0 where the session is no lesson
    /// What the person changed by hand since the lesson's base; kept when the lesson goes on, until
    /// a step sets it or Reset.
    ChangedParts edits;
    /// How far the model was trained, and its curves: goes with the weights of that moment. Null:
    /// nobody trained it.
    core::TrainingRunPointer training{};
    LessonDraftPointer lesson{}; ///< as it was edited; null: as it was read
    /// What the softmax view looks at: numbers of one's own are an edit too.
    core::SoftmaxLook softmax{};
    bool operator==(const DocumentState &) const = default;
};

/// What tells the states of a document apart, taken back by undo.
struct StateMark {
    quint64 edit = 1;  ///< which edits it holds: a number of their own for every edit
    quint64 state = 1; ///< one for every undo step, steps of a lesson too
};

/// In which parts `state` differs from `base`. `known`: a state whose edits say just that already,
/// so that numbers are compared only of what is not the very same; null: none.
ChangedParts differenceBetween(const DocumentState &base, const DocumentState &state,
                               const DocumentState *known = nullptr);

/// What the session, or its lesson's step, shows of softmax.
core::SoftmaxLook softmaxAt(const core::Session &session, core::Index step);

/// The session, or its lesson at a step, without anything that a person changed.
DocumentState baseAt(const core::Session &session, core::Index step);

/// The state at a step of the lesson: what the step sets; else what the person changed in `now`;
/// else the lesson's base. Errors: no such step, or a text of the step that cannot be read.
core::Result<DocumentState> stateAtStep(const core::Session &base, core::Index step,
                                        const DocumentState &now);

} // namespace headlight::ui
