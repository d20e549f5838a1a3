#include "core/analysis/nearest_stage.h"

namespace headlight::core {

Stage nearestStage(const Model &model, Stage stage, AttentionId attention) {
    const auto stages = allStages();
    const auto own = static_cast<std::size_t>(stage);
    const auto isThere = [&](std::size_t index) {
        return hasStage(model, stages[index].stage, attention);
    };
    // These stages exist only if an optional step follows them. Without that step, a later stage
    // takes their place.
    const bool isBefore = stage == Stage::UnmaskedWeights || stage == Stage::ProjectedQuery ||
                          stage == Stage::ProjectedKey || stage == Stage::UnrotatedQuery ||
                          stage == Stage::UnrotatedKey || stage == Stage::RotatedQuery ||
                          stage == Stage::RotatedKey || stage == Stage::UntunedQuery ||
                          stage == Stage::ExpertInputs || stage == Stage::Gate;
    for (std::size_t after = own; isBefore && after < stages.size(); ++after)
        if (isThere(after))
            return stages[after].stage;
    for (std::size_t before = own + 1; before-- > 0;)
        if (isThere(before))
            return stages[before].stage;
    return stage;
}

} // namespace headlight::core
