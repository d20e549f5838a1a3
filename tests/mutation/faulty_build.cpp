// core/transformer/plan/build.cpp with the chosen fault, as in faulty_operation.cpp.
#define planOf truePlanOf
#include "core/transformer/plan/build.cpp" // NOLINT
#undef planOf

#include "faults.h"

namespace headlight::core {

Plan planOf(const Model &model, const Extent &extent);
Plan planOf(const Model &model, const Input &input);

namespace {

Plan withFault(const Plan &plan) {
    const test::Fault *fault = test::chosenFault();
    if (!fault || !fault->misplace)
        return plan;
    std::vector<Step> steps = plan.steps();
    test::faultWasApplied = fault->misplace(steps) || test::faultWasApplied;
    return Plan(std::move(steps));
}

} // namespace

Plan planOf(const Model &model, const Extent &extent) {
    return withFault(truePlanOf(model, extent));
}

Plan planOf(const Model &model, const Input &input) {
    return withFault(truePlanOf(model, input));
}

} // namespace headlight::core
