// Evaluates the goals of a lesson's exercise in the trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

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
