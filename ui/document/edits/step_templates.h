// First drafts of lesson steps, made from the selected cell.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/transformer/trace/trace.h"
#include "ui/document/edits/lesson_edits.h"

namespace headlight::ui::edits {

enum class StepTemplate {
    PredictAndReveal, ///< a question about the selected row; its words are the answers
    WorkedExample,    ///< one number and its arithmetic, opened in the picture
    Exercise,         ///< a goal about the selected cell that does not hold yet
};

/// Returns a step that shows `seen`. Its numbers are marks of the selected cell, if there is one;
/// otherwise they are left to the author. `trace` may be null.
core::LessonStep stepFrom(StepTemplate made, const core::Selection &selection,
                          const core::Trace *trace, const WindowState &seen);

} // namespace headlight::ui::edits
