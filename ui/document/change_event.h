// Events of a document. One signal carries all of them, and each listener handles the events that
// it needs.
#pragma once

#include "core/result.h"
#include "core/selection/selection.h"
#include "core/selection/view_options.h"
#include "ui/document/state/changed_parts.h"

#include <QString>

#include <variant>

namespace headlight::ui {

/// Another source was opened, so everything has changed.
struct SessionChanged {};
/// The document's state has changed. If this changes the model or the input, the trace is stale
/// until TraceChanged.
struct StateChanged {
    ChangedParts parts;  ///< changed parts of the model and the input
    bool step = false;   ///< the lesson went to another step
    bool edits = false;  ///< the set of user edits has changed
    bool lesson = false; ///< the lesson's texts or other content have changed
};
/// The trace does not hold the selected stage, so the stage is being computed. TraceChanged and
/// SelectionChanged follow.
struct PreparationStarted {};
/// The user made another selection that needs no computation, so the preparation has ended.
struct PreparationEnded {};
/// A new trace is available.
struct TraceChanged {};
struct SelectionChanged {
    core::Selection before;
};
/// A lesson step requests another tab.
struct ViewRequested {};
/// The document went to a lesson step. The step's view options replace the user's.
struct StepShown {
    core::ViewOptions look;
};
/// A question of the lesson was answered or reopened, or a hint was given.
struct AnswersChanged {};
/// Side A of the comparison, its trace, or the displayed side has changed.
struct ComparisonChanged {};
/// The modified flag or the file name has changed.
struct SavedChanged {};
/// The computation failed and the previous trace is kept. If a file has changed, the state is reset
/// to the trace's state.
struct ComputationFailed {
    core::Error error;
    QString words{}; ///< names the edits that were reverted; may be empty
};
/// A file that the document was opened from has changed, or has its original content again. See
/// Document::changedFile().
struct FilesChanged {};

/// The user has cancelled the computation. The state is reset to the trace's state.
struct ComputationCancelled {
    QString words; ///< names the edits that were reverted
};

using ChangeEvent =
    std::variant<SessionChanged, StateChanged, PreparationStarted, PreparationEnded, TraceChanged,
                 SelectionChanged, ViewRequested, StepShown, AnswersChanged, ComparisonChanged,
                 SavedChanged, ComputationFailed, FilesChanged, ComputationCancelled>;

template <typename Event>
bool is(const ChangeEvent &event) {
    return std::holds_alternative<Event>(event);
}

/// True if only the lesson's content has changed, as with each key press in the lesson editor.
/// Views can ignore such a change.
inline bool changesOnlyLesson(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    return state && state->lesson && !state->step && !state->edits && !state->parts.any();
}

} // namespace headlight::ui
