#include "core/transformer/plan/model_stages.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Builds the plan for a minimal input, because the stages do not depend on its size.
Plan planOfAny(const Model &model) {
    return planOf(model, Extent(1, 1, 1));
}

} // namespace

bool hasStage(const Model &model, Stage stage, AttentionId attention) {
    return (model.captured ? *model.captured : planOfAny(model))
        .find({stage, attention})
        .has_value();
}

Index widestOf(const Plan &plan) {
    Index widest = 0;
    for (const Step &step : plan.steps())
        if (!infoOf(step.at.stage).overKeys())
            widest = std::max(widest, step.shape.last(0));
    return widest;
}

std::vector<StageId> stagesOf(const Model &model) {
    std::vector<StageId> all;
    const Plan plan = planOfAny(model);
    for (const Step &step : plan.steps())
        if (step.isNamed() && !step.isAside)
            all.push_back(step.at);
    return all;
}

} // namespace headlight::core
