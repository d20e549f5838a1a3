// What a teacher changes of a lesson: its texts, and its list of steps. What a step shows and sets
// is taken from what is shown and changed at the moment.
#pragma once

#include "ui/document/state/change.h"

#include <functional>

namespace headlight::ui::edits {

/// How the window looks: what a step can show.
struct WindowState {
    core::SelectionPatch place;
    core::ViewOptions look{};
};

/// The lesson with anything else said in it; `words` for the undo list. `session`: with the lesson
/// as it is. All of these refuse a lesson that no file could hold.
core::Result<Change> editLesson(const DocumentState &state, const core::Session &session,
                                const QString &words,
                                const std::function<void(LessonDraft &)> &edit);
/// The same of the present step.
core::Result<Change> editStep(const DocumentState &state, const core::Session &session,
                              const QString &words,
                              const std::function<void(core::LessonStep &)> &edit);

/// A step behind the present one, with its numbers, and showing what is seen; it is gone to.
core::Result<Change> addStep(const DocumentState &state, const core::Session &session,
                             const WindowState &seen);
/// The present step once more, behind itself; the copy is gone to.
core::Result<Change> duplicateStep(const DocumentState &state, const core::Session &session);
/// Without the present step; the one behind it is gone to, or the last. Errors: it is the only one.
core::Result<Change> removeStep(const DocumentState &state, const core::Session &session);
/// The step, from 0, at another place of the list; the present step stays the present one.
core::Result<Change> moveStep(const DocumentState &state, const core::Session &session,
                              core::Index from, core::Index to);

/// The present step sets all that is different from the lesson's base now: what it set before and
/// what the person changed since.
core::Result<Change> setWhatIsChanged(const DocumentState &state, const core::Session &session);
/// It sets nothing any more; what the person changed stays.
core::Result<Change> setNothing(const DocumentState &state, const core::Session &session);
/// What the person changed since the step was come to becomes its exercise's solution. Errors: it
/// has no exercise, nothing is changed, or by the trace of this state it does not solve it: which
/// goals are not reached. `trace`: null while it is being computed, which is an error as well.
core::Result<Change> takeSolution(const DocumentState &state, const core::Session &session,
                                  const core::TracePointer &trace);

} // namespace headlight::ui::edits
