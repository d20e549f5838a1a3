#include "core/training/recipe/ablation.h"

#include "core/training/recipe/task_info.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr Index kManyHeads = 4;

Error nothingToTurn(const Message &why) {
    return {why, "recipe.race", "choose another ablation or another model"};
}

} // namespace

std::string_view idOf(Ablation which) {
    switch (which) {
    case Ablation::NoScale:
        return "no-scale";
    case Ablation::OneHead:
        return "one-head";
    case Ablation::FourHeads:
        return "four-heads";
    case Ablation::NoPositions:
        return "no-positions";
    case Ablation::NoResidual:
        return "no-residual";
    case Ablation::NoNorm:
        return "no-norm";
    case Ablation::NoMask:
        return "no-mask";
    }
    return {};
}

std::optional<Ablation> findAblation(std::string_view id) {
    const auto found = std::ranges::find(kAblations, id, idOf);
    return found == kAblations.end() ? std::nullopt : std::optional(*found);
}

Result<Architecture> withAblation(Ablation which, const Architecture &architecture,
                                  const TaskInfo &task) {
    Architecture ablated = architecture;
    switch (which) {
    case Ablation::NoScale:
        if (!architecture.scaled)
            return nothingToTurn("the model's scores are not divided by √d anyway");
        ablated.scaled = false;
        break;
    case Ablation::OneHead:
        if (architecture.heads == 1)
            return nothingToTurn("the model has one head anyway");
        ablated.heads = 1;
        break;
    case Ablation::FourHeads:
        if (architecture.heads == kManyHeads)
            return nothingToTurn({"the model has %1 heads anyway", kManyHeads});
        if (architecture.width % kManyHeads != 0)
            return nothingToTurn(
                {"%1 heads cannot share a width of %2 evenly", kManyHeads, architecture.width});
        ablated.heads = kManyHeads;
        break;
    case Ablation::NoPositions:
        if (architecture.positions == Positions::None)
            return nothingToTurn("the model has no positional encoding anyway");
        ablated.positions = Positions::None;
        break;
    case Ablation::NoResidual:
        if (!architecture.residual)
            return nothingToTurn("the model has no residual connections anyway");
        ablated.residual = false;
        break;
    case Ablation::NoNorm:
        if (architecture.norm == NormKind::None)
            return nothingToTurn("the model has no norm anyway");
        ablated.norm = NormKind::None;
        break;
    case Ablation::NoMask:
        if (task.asks != TargetPositions::NextToken && task.asks != TargetPositions::Translation)
            return nothingToTurn("in this task every token sees all others anyway");
        if (!architecture.masked)
            return nothingToTurn("every token sees later tokens anyway");
        ablated.masked = false;
        break;
    }
    return ablated;
}

} // namespace headlight::core
