#include "core/analysis/heads_of_trace.h"

#include "core/analysis/head_glances.h"
#include "core/analysis/head_similarity.h"
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
                                                 const std::stop_token &stop,
                                                 const MeasureOptions &options) {
    std::optional<ChosenHead> chosen;
    if (options.similarTo) {
        Result<ChosenHead> read = ChosenHead::of(trace, *options.similarTo, sequence, stop);
        if (!read)
            return read.error();
        chosen = *std::move(read);
    }
    std::vector<HeadOfTrace> heads;
    const std::vector<AttentionId> attentions = trace.model().attentions();
    Progress::Layers done{0, static_cast<std::uint32_t>(attentions.size())};
    for (const AttentionId attention : attentions) {
        if (options.progress)
            options.progress->set(done);
        ++done.computed;
        const auto step = trace.plan().find({Stage::AttentionWeights, attention});
        if (!step)
            continue;
        // The similarity needs the weights themselves.
        const HeadGlances *known =
            options.known && !chosen ? options.known->of(attention) : nullptr;
        if (known) {
            for (Index head = 0; head < std::ssize(known->heads); ++head)
                heads.push_back(
                    {attention, head, known->heads[static_cast<std::size_t>(head)].measures});
            continue;
        }
        const MeasuredText text = measuredTextOf(trace, attention, sequence);
        for (Index head = 0; head < trace.model().headsOf(attention); ++head) {
            if (stop.stop_requested())
                return cancelled();
            const Result<SharedMatrix> weights = trace.madeMatrix(*step, sequence, head, stop);
            if (!weights)
                return weights.error();
            HeadMeasures measures = headMeasures(weights->view(), text);
            if (chosen)
                measures.similarity = chosen->similarity(weights->view(), attention);
            heads.push_back({attention, head, measures});
        }
    }
    if (heads.empty())
        return Error{"it has no attention weights", "", "a capture must contain them"};
    return heads;
}

} // namespace headlight::core
