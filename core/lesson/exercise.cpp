#include "core/lesson/exercise.h"

#include "core/lesson/step_condition.h"

#include <algorithm>

namespace headlight::core {

bool ExerciseProgress::isSolved() const {
    return !isByHand && std::ranges::find(reached, false) == reached.end();
}

ExerciseProgress solvingOf(const Exercise &exercise, const Trace &trace,
                           const Interventions &before) {
    ExerciseProgress solving;
    for (const Goal &goal : exercise.goals) {
        const Result<bool> holds = conditionHolds(goal.condition, trace);
        solving.reached.push_back(holds && *holds);
    }
    solving.isByHand = !exercise.byHand && trace.input().interventions != before;
    return solving;
}

} // namespace headlight::core
