// Progress in an exercise of a lesson, determined from the trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

struct ExerciseProgress {
    std::vector<bool> reached; ///< per goal; false if its condition cannot be evaluated
    /// True if heads or scores were set by hand since the step began, which the exercise does not
    /// allow.
    bool isByHand = false;
    bool isSolved() const;
};

/// `before` are the interventions at the beginning of the step.
ExerciseProgress solvingOf(const Exercise &exercise, const Trace &trace,
                           const Interventions &before);

} // namespace headlight::core
