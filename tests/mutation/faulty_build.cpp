// core/transformer/plan/build.cpp with the chosen fault, as in faulty_operation.cpp.
#include "tests/support/changed_plan.h"

#include "faults.h"

namespace headlight::core {

Plan changedPlan(const Plan &plan) {
    const test::Fault *fault = test::chosenFault();
    if (!fault || !fault->misplace)
        return plan;
    std::vector<Step> steps = plan.steps();
    test::faultWasApplied = fault->misplace(steps) || test::faultWasApplied;
    return Plan(std::move(steps));
}

} // namespace headlight::core
