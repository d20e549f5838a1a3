#include "core/transformer/plan/plan.h"

#include "core/transformer/model/captured_stages.h"

#include <algorithm>
#include <cassert>

namespace headlight::core {

Extent::Extent(const Input &input)
    : batch(input.batch->count()),
      targets(input.batch->length()),
      sources(input.source ? input.source->length() : 0) {}

const Operation *Step::changeAt(Index sequence, Index head) const {
    const auto found = std::ranges::find_if(changes, [&](const Change &change) {
        return change.head == head && change.sequence.value_or(sequence) == sequence;
    });
    return found == changes.end() ? nullptr : &found->operation;
}

Plan::Plan(std::vector<Step> steps) : m_steps(std::move(steps)) {
    for (StepId id = 0; id < m_steps.size(); ++id) {
        const Step &step = m_steps[id];
        assert(!step.renames || (*step.renames < id && m_steps[*step.renames].isOwn()));
        assert(std::ranges::all_of(step.reads, [id](StepId read) { return read < id; }));
        m_places.emplace(std::pair(canonicalId(step.at), step.inner), id);
    }
}

std::optional<StepId> Plan::find(StageId at, int inner) const {
    const auto found = m_places.find({canonicalId(at), inner});
    return found == m_places.end() ? std::nullopt : std::optional(found->second);
}

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
