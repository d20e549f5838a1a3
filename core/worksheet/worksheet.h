// A lesson on paper: of its steps those that have something to be guessed or worked out.
#pragma once

#include "core/formats/session/data/lesson.h"
#include "core/worksheet/task.h"

#include <string>

namespace headlight::core {

struct WorksheetStep {
    /// Of the lesson; −1: the session is none, and the task is one of its stages.
    Index step = -1;
    std::string title{}; ///< empty: the stage's own
    std::optional<Question> question{};
    std::optional<std::size_t> right{}; ///< its answer, where it can be told
    std::optional<WorksheetTask> task{};
    TracePointer trace; ///< what the step's numbers are of
    std::optional<Exercise> exercise{};
};

struct Worksheet {
    std::string title;
    std::vector<WorksheetStep> steps;
    /// Those whose matrices are too large for a pencil.
    std::vector<WorksheetStep> leftOut{};
};

/// Adds the step unless nothing is to be done at it, or an earlier one asked for the very same.
void addStep(Worksheet &sheet, WorksheetStep step, const std::optional<Selection> &shown);

/// Adds a task for every stage of the selection's layer and head, and before the first layer.
void addStages(Worksheet &sheet, const TracePointer &trace, const Selection &selection);

} // namespace headlight::core
