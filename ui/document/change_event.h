// What changed in a document. One signal carries all of them; a listener takes the ones it shows.
#pragma once

#include "core/result.h"
#include "core/selection/selection.h"
#include "core/selection/view_options.h"
#include "ui/document/state/changed_parts.h"

#include <QString>

#include <variant>

namespace headlight::ui {

/// Another source: everything is new.
struct SessionChanged {};
/// The document's state; where the model or the input is another one, the trace is stale until
/// TraceChanged.
struct StateChanged {
    ChangedParts parts;  ///< which of the model's and the input's
    bool step = false;   ///< another step of the lesson
    bool edits = false;  ///< what counts as changed by the person
    bool lesson = false; ///< its texts, or anything else that it says
};
/// What was selected is being made, of a trace that does not hold all of itself; the selection and
/// TraceChanged follow.
struct PreparationStarted {};
/// A new trace is there.
struct TraceChanged {};
struct SelectionChanged {
    core::Selection before;
};
/// Another tab was asked for, by a lesson's step.
struct ViewRequested {};
/// A step of a lesson was come to: it is looked at as the step says, whatever was chosen before.
struct StepShown {
    core::ViewOptions look;
};
/// A question of the lesson was answered, or is asked again; or a hint was given.
struct AnswersChanged {};
/// Side A of the comparison, its trace, or what is shown of the two.
struct ComparisonChanged {};
/// Edited since it was saved, or not any more; or saved under another name.
struct SavedChanged {};
/// The computation went wrong; the trace is the one before. Where a file was changed meanwhile the
/// state is that of the trace again.
struct ComputationFailed {
    core::Error error;
    QString words{}; ///< what was taken back; empty: nothing
};
/// Files that it was opened from are not what they were, or are so again: Document::changedFile().
struct FilesChanged {};

/// The person has stopped it; the state is that of the trace again.
struct ComputationCancelled {
    QString words; ///< what was taken back
};

using ChangeEvent =
    std::variant<SessionChanged, StateChanged, PreparationStarted, TraceChanged, SelectionChanged,
                 ViewRequested, StepShown, AnswersChanged, ComparisonChanged, SavedChanged,
                 ComputationFailed, FilesChanged, ComputationCancelled>;

template <typename Event>
bool is(const ChangeEvent &event) {
    return std::holds_alternative<Event>(event);
}

/// What a lesson says was changed and nothing else, as with each key while one is written: no view
/// has to do anything.
inline bool changesOnlyLesson(const ChangeEvent &event) {
    const auto *state = std::get_if<StateChanged>(&event);
    return state && state->lesson && !state->step && !state->edits && !state->parts.any();
}

} // namespace headlight::ui
