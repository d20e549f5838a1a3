#include "core/lesson/question.h"

#include "core/lesson/step_condition.h"

#include <algorithm>

namespace headlight::core {

Result<std::size_t> rightAnswer(const Question &question, const Trace &trace) {
    std::optional<std::size_t> right;
    for (std::size_t answer = 0; answer < question.answers.size(); ++answer) {
        const std::string &condition = question.answers[answer].condition;
        const Result<bool> holds = conditionHolds(condition, trace);
        if (!holds)
            return holds.error();
        if (*holds && right)
            return Error{"two answers are right", condition,
                         "change the conditions so that only one holds"};
        if (*holds)
            right = answer;
    }
    if (!right)
        return Error{"no answer is right", "", "change the conditions so that one holds"};
    return *right;
}

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
