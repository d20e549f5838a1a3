#include "core/analysis/computed_heads.h"

#include <algorithm>

namespace headlight::core {

Result<std::shared_ptr<const TraceGlances>>
ComputedHeads::glances(const Trace &trace, Index sequence, const std::stop_token &stop) {
    const auto found = std::ranges::find_if(
        m_glances, [&](const auto &each) { return each->isOf(trace, sequence); });
    if (found != m_glances.end())
        return *found;
    const std::shared_ptr<const TraceGlances> taken =
        m_pass ? m_pass->glancesOf(trace, sequence) : nullptr;
    const auto made = taken ? std::make_shared<TraceGlances>(*taken)
                            : std::make_shared<TraceGlances>(trace, sequence);
    while (const auto next = made->next())
        made->take(*next, made->make(*next, &trace, stop));
    if (made->error)
        return *made->error;
    return m_glances.emplace_back(made);
}

Result<std::shared_ptr<const AblatedHeads>>
ComputedHeads::effects(const Computable &computable, const TracePointer &trace,
                       const AblationTarget &target, const std::stop_token &stop,
                       const std::function<void(Index, Index)> &made) {
    for (const Effects &each : m_effects)
        if (each.pass == trace->sharedPlan() && each.target == target)
            return each.heads;
    Result<AblatedHeads> heads = ablateHeads(computable, trace, target, stop, made);
    if (!heads)
        return heads.error();
    auto shared = std::make_shared<const AblatedHeads>(*std::move(heads));
    m_effects.push_back({trace->sharedPlan(), target, shared});
    return std::shared_ptr<const AblatedHeads>(std::move(shared));
}

Result<std::shared_ptr<const std::vector<ComparedHead>>>
ComputedHeads::compared(const ComparedSide &now, const ComparedSide &a,
                        const std::vector<AlignedText> &texts, const std::stop_token &stop) {
    for (const Comparison &each : m_compared)
        if (each.now == now.trace.sharedPlan() && each.a == a.trace.sharedPlan() &&
            each.sequence == now.sequence && each.sequenceOfA == a.sequence)
            return each.heads;
    Result<std::vector<ComparedHead>> heads = comparedHeads(now, a, texts, stop);
    if (!heads)
        return heads.error();
    auto shared = std::make_shared<const std::vector<ComparedHead>>(*std::move(heads));
    m_compared.push_back(
        {now.trace.sharedPlan(), a.trace.sharedPlan(), now.sequence, a.sequence, shared});
    return std::shared_ptr<const std::vector<ComparedHead>>(std::move(shared));
}

} // namespace headlight::core
