#include "core/training/recipe/race_switch.h"

#include "core/training/tasks/task.h"

#include <algorithm>

namespace headlight::core {

namespace {

constexpr Index kManyHeads = 4;

Error nothingToTurn(const Message &why) {
    return {why, "recipe.race", "choose another switch, or another model"};
}

} // namespace

std::string_view idOf(RaceSwitch which) {
    switch (which) {
    case RaceSwitch::NoScale:
        return "no-scale";
    case RaceSwitch::OneHead:
        return "one-head";
    case RaceSwitch::FourHeads:
        return "four-heads";
    case RaceSwitch::NoPositions:
        return "no-positions";
    case RaceSwitch::NoResidual:
        return "no-residual";
    case RaceSwitch::NoNorm:
        return "no-norm";
    case RaceSwitch::NoMask:
        return "no-mask";
    }
    return {};
}

std::optional<RaceSwitch> findRaceSwitch(std::string_view id) {
    const auto found = std::ranges::find(kRaceSwitches, id, idOf);
    return found == kRaceSwitches.end() ? std::nullopt : std::optional(*found);
}

Result<Architecture> turned(RaceSwitch which, const Architecture &architecture,
                            const TaskInfo &task) {
    Architecture rival = architecture;
    switch (which) {
    case RaceSwitch::NoScale:
        if (!architecture.scaled)
            return nothingToTurn("the model's scores are not divided by √d anyway");
        rival.scaled = false;
        break;
    case RaceSwitch::OneHead:
        if (architecture.heads == 1)
            return nothingToTurn("the model has one head anyway");
        rival.heads = 1;
        break;
    case RaceSwitch::FourHeads:
        if (architecture.heads == kManyHeads)
            return nothingToTurn({"the model has %1 heads anyway", kManyHeads});
        if (architecture.width % kManyHeads != 0)
            return nothingToTurn(
                {"%1 heads cannot share a width of %2 evenly", kManyHeads, architecture.width});
        rival.heads = kManyHeads;
        break;
    case RaceSwitch::NoPositions:
        if (architecture.positions == Positions::None)
            return nothingToTurn("nothing tells the model where a token stands anyway");
        rival.positions = Positions::None;
        break;
    case RaceSwitch::NoResidual:
        if (!architecture.residual)
            return nothingToTurn("the model has no residual connections anyway");
        rival.residual = false;
        break;
    case RaceSwitch::NoNorm:
        if (architecture.norm == NormKind::None)
            return nothingToTurn("the model has no norm anyway");
        rival.norm = NormKind::None;
        break;
    case RaceSwitch::NoMask:
        if (task.asks != Asks::NextToken && task.asks != Asks::Translation)
            return nothingToTurn("in this task every token sees all others anyway");
        if (!architecture.masked)
            return nothingToTurn("every token sees those after it anyway");
        rival.masked = false;
        break;
    }
    return rival;
}

} // namespace headlight::core
