// A printable worksheet for a lesson: the steps in which there is something to guess or compute.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/worksheet/task.h"

#include <string>

namespace headlight::core {

struct WorksheetStep {
    /// Step of the lesson; −1 for a stage of a session without a lesson.
    Index step = -1;
    std::string title{};             ///< empty: the title of the stage is used
    std::vector<std::string> text{}; ///< the paragraphs of the lesson step, with markup
    std::optional<Question> question{};
    std::optional<Selection> pictured{};      ///< the stage that is shown with the question
    std::optional<WorksheetMatrix> picture{}; ///< its numbers, unless the task asks for them
    std::optional<std::size_t> right{}; ///< index of the right answer, if it can be determined
    std::optional<WorksheetTask> task{};
    TracePointer trace{}; ///< the trace that has the step's values
    std::optional<Exercise> exercise{};
};

struct Worksheet {
    std::string title;
    std::vector<WorksheetStep> steps;
    /// Steps whose matrices are too large to compute by hand.
    std::vector<WorksheetStep> leftOut{};
};

/// Adds the step, unless there is nothing to do or an earlier step has the same task.
void addStep(Worksheet &sheet, WorksheetStep step, const std::optional<Selection> &shown);

/// True if the step prints a number that the earlier step asks for, in its picture or among the
/// given matrices of its task.
bool givesAnswersOf(const WorksheetStep &step, const WorksheetStep &earlier);

/// Adds a task for each stage of the selected layer and head, of the embeddings and of the output.
void addStages(Worksheet &sheet, const TracePointer &trace, const Selection &selection);

} // namespace headlight::core
