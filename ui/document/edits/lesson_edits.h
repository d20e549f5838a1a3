// Edits of a lesson: its texts and its list of steps. A step's `show` and `set` are taken from the
// current view and state.
#pragma once

#include "ui/document/state/change.h"

#include <functional>

namespace headlight::ui::edits {

/// The window's current view, which a step can show.
struct WindowState {
    core::SelectionPatch place;
    core::ViewOptions look{};
};

/// Edits the lesson with `edit`. `words` is the name in the undo list. `session` contains the
/// current lesson. All functions here reject a lesson that cannot be saved.
core::Result<Change> editLesson(const DocumentState &state, const core::Session &session,
                                const QString &words,
                                const std::function<void(LessonDraft &)> &edit);
/// Edits the current step.
core::Result<Change> editStep(const DocumentState &state, const core::Session &session,
                              const QString &words,
                              const std::function<void(core::LessonStep &)> &edit);

/// Adds a step after the current one, with the same state and the current view, and goes to it.
core::Result<Change> addStep(const DocumentState &state, const core::Session &session,
                             const WindowState &seen);
/// Adds `step` after the current one and goes to it.
core::Result<Change> addStep(const DocumentState &state, const core::Session &session,
                             const core::LessonStep &step);
/// Makes a step show the view. The step need not be the current one.
core::Result<Change> showInStep(const DocumentState &state, const core::Session &session,
                                core::Index step, const WindowState &seen);
/// Duplicates the current step and goes to the copy.
core::Result<Change> duplicateStep(const DocumentState &state, const core::Session &session);
/// Removes the current step and goes to the next one, or to the last. Error: it is the only step.
core::Result<Change> removeStep(const DocumentState &state, const core::Session &session);
/// Moves a step. Indices count from 0. The current step does not change.
core::Result<Change> moveStep(const DocumentState &state, const core::Session &session,
                              core::Index from, core::Index to);

/// Stores in the current step everything that differs from the lesson's base: the step's previous
/// settings and the user's edits.
core::Result<Change> setWhatIsChanged(const DocumentState &state, const core::Session &session);
/// Clears the settings of the current step and keeps the user's edits.
core::Result<Change> setNothing(const DocumentState &state, const core::Session &session);
/// Stores the user's edits at this step as the solution of its exercise. `trace` must belong to the
/// state. Errors: no exercise; no edits; a goal that the state does not meet; a null `trace`,
/// because it is still being computed.
core::Result<Change> takeSolution(const DocumentState &state, const core::Session &session,
                                  const core::TracePointer &trace);

} // namespace headlight::ui::edits
