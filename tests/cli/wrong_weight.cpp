// core/transformer/plan/build.cpp with a fault: in every layer but the first, the values of
// self-attention are computed with W_K instead of W_V.
#define planOf truePlanOf
#include "core/transformer/plan/build.cpp" // NOLINT
#undef planOf

namespace headlight::core {

Plan planOf(const Model &model, const Extent &extent);
Plan planOf(const Model &model, const Input &input);

namespace {

Plan withWrongWeight(const Plan &plan) {
    std::vector<Step> steps = plan.steps();
    for (Step &step : steps)
        if (step.at.stage == Stage::Value && step.at.attention.layer > 0 &&
            step.at.attention.block == Block::SelfAttention)
            step.parameters.front().id.which = ParameterKind::Key;
    return Plan(std::move(steps));
}

} // namespace

Plan planOf(const Model &model, const Extent &extent) {
    return withWrongWeight(truePlanOf(model, extent));
}

Plan planOf(const Model &model, const Input &input) {
    return withWrongWeight(truePlanOf(model, input));
}

} // namespace headlight::core
