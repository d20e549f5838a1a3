#include "core/transformer/model/captured_stages.h"

#include "core/transformer/plan/plan.h"

#include <algorithm>

namespace headlight::core {

bool hasCapturedCrossAttention(const Plan &captured) {
    return std::ranges::any_of(captured.steps(), [](const Step &step) {
        return step.at.attention.block == Block::CrossAttention;
    });
}

std::optional<Index> capturedHeads(const Plan &captured, AttentionId attention) {
    std::optional<Index> heads;
    for (const StageInfo &info : allStages()) {
        const auto step =
            info.inAttention() ? captured.find({info.stage, attention}) : std::nullopt;
        if (step)
            heads = std::max(heads.value_or(1), info.perHead ? captured[*step].heads() : 1);
    }
    return heads;
}

} // namespace headlight::core
