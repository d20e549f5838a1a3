#include "core/lesson/question.h"

#include "core/lesson/step_condition.h"

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

} // namespace headlight::core
