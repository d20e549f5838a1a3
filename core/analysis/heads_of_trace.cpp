#include "core/analysis/heads_of_trace.h"

#include "core/cancelled.h"

namespace headlight::core {

MeasuredText measuredTextOf(const Trace &trace, AttentionId attention, Index sequence) {
    const Sequence &queries = trace.queries(attention)[sequence];
    const bool isOfItself = attention.block == Block::SelfAttention;
    return {.sequence = sequence,
            .length = queries.length,
            .earlier = isOfItself ? earlierPlaces(queries) : EarlierPlaces(),
            .mask = trace.model().captured ? nullptr : &trace.mask(sequence, attention),
            .block = attention.block,
            .separators = separatorsIn(trace.keys(attention)[sequence].tokens)};
}

Result<std::vector<HeadOfTrace>> measuresOfHeads(const Trace &trace, Index sequence,
                                                 const std::stop_token &stop) {
    std::vector<HeadOfTrace> heads;
    for (const AttentionId attention : trace.model().attentions()) {
        const auto step = trace.plan().find({Stage::AttentionWeights, attention});
        if (!step)
            continue;
        const MeasuredText text = measuredTextOf(trace, attention, sequence);
        for (Index head = 0; head < trace.model().headsOf(attention); ++head) {
            if (stop.stop_requested())
                return cancelled();
            const Result<SharedMatrix> weights = trace.madeMatrix(*step, sequence, head, stop);
            if (!weights)
                return weights.error();
            heads.push_back({attention, head, headMeasures(weights->view(), text)});
        }
    }
    if (heads.empty())
        return Error{"it has no attention weights", "", "a capture must contain them"};
    return heads;
}

} // namespace headlight::core
