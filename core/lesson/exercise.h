// How far a lesson's exercise is solved, by the trace.
#pragma once

#include "core/formats/session/data/lesson.h"

namespace headlight::core {

struct ExerciseProgress {
    std::vector<bool> reached; ///< one a goal; false also where nobody can say
    /// Heads or scores were set by hand since the step began, and that does not count.
    bool isByHand = false;
    bool isSolved() const;
};

/// `before`: what was done to heads and scores where the step began.
ExerciseProgress solvingOf(const Exercise &exercise, const Trace &trace,
                           const Interventions &before);

} // namespace headlight::core
