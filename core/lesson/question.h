// Evaluates the question of a lesson step and the goals of its exercise with the values of a trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

/// Returns the index of the only answer whose condition holds. Errors, with the condition in
/// `where`: a condition cannot be evaluated, or not exactly one holds.
Result<std::size_t> rightAnswer(const Question &question, const Trace &trace);

struct ExerciseProgress {
    std::vector<bool> reached; ///< one per goal; false if its condition cannot be evaluated
    /// True if the user has set heads or scores by hand in this step although the exercise does not
    /// allow it.
    bool isByHand = false;
    bool isSolved() const;
};

/// `before`: the interventions at the start of the step.
ExerciseProgress solvingOf(const Exercise &exercise, const Trace &trace,
                           const Interventions &before);

} // namespace headlight::core
