// core/transformer/plan/build.cpp with a fault: in every layer but the first, the values of
// self-attention are computed with W_K instead of W_V.
#include "tests/support/changed_plan.h"

namespace headlight::core {

Plan changedPlan(const Plan &plan) {
    std::vector<Step> steps = plan.steps();
    for (Step &step : steps)
        if (step.at.stage == Stage::Value && step.at.attention.layer > 0 &&
            step.at.attention.block == Block::SelfAttention)
            step.parameters.front().id.which = ParameterKind::Key;
    return Plan(std::move(steps));
}

} // namespace headlight::core
