// First drafts of lesson steps, made from the selected cell.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/transformer/trace/trace.h"
#include "ui/document/edits/lesson_edits.h"

namespace headlight::ui::edits {

enum class StepTemplate {
    PredictAndReveal, ///< a question about the selected row; the answers are keys
    WorkedExample,    ///< one number, with its arithmetic expanded in the figure
    Exercise,         ///< a goal about the selected cell that does not hold yet
};

/// Returns a step that shows `seen`. The numbers in its texts are marks for the selected cell;
/// without a selected cell, the author fills them in. `trace` may be null.
core::LessonStep stepFrom(StepTemplate made, const core::Selection &selection,
                          const core::Trace *trace, const WindowState &seen);

} // namespace headlight::ui::edits
