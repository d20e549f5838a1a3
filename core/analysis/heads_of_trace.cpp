#include "core/analysis/heads_of_trace.h"

#include "core/analysis/head_glances.h"
#include "core/analysis/head_similarity.h"

namespace headlight::core {

MeasuredText measuredTextOf(const Trace &trace, AttentionId attention, Index sequence) {
    const Sequence &queries = trace.queries(attention)[sequence];
    const Sequence &keys = trace.keys(attention)[sequence];
    const bool isOfItself = attention.block == Block::SelfAttention;
    return {.sequence = sequence,
            .length = queries.length,
            .earlier = isOfItself ? earlierPlaces(queries) : EarlierPlaces(),
            .mask = trace.model().captured ? nullptr : &trace.mask(sequence, attention),
            .block = attention.block,
            // Padding is hidden, so it is not a separator.
            .separators =
                separatorsIn(std::span(keys.tokens).first(static_cast<std::size_t>(keys.length)))};
}

Result<std::vector<HeadOfTrace>> measuresOfHeads(const Trace &trace, Index sequence,
                                                 const std::stop_token &stop,
                                                 const MeasureOptions &options) {
    std::optional<ChosenHead> chosen; // read when the first head is compared with it
    std::vector<HeadOfTrace> heads;
    const std::vector<AttentionId> attentions = trace.model().attentions();
    Progress::Layers done{0, static_cast<std::uint32_t>(attentions.size())};
    for (const AttentionId attention : attentions) {
        if (options.progress)
            options.progress->set(done);
        ++done.computed;
        if (!trace.plan().find({Stage::AttentionWeights, attention}))
            continue;
        const HeadGlances *known = options.known ? options.known->of(attention) : nullptr;
        const std::size_t first = heads.size();
        for (Index head = 0; head < trace.model().headsOf(attention); ++head)
            heads.push_back(
                {attention, head,
                 known ? known->heads[static_cast<std::size_t>(head)].measures : HeadMeasures()});
        if (known && (!options.similarTo || known->similarTo == options.similarTo))
            continue;
        if (options.similarTo && !chosen) {
            Result<ChosenHead> read = ChosenHead::of(trace, *options.similarTo, sequence, stop);
            if (!read)
                return read.error();
            chosen = *std::move(read);
        }
        const MeasuredText text = measuredTextOf(trace, attention, sequence);
        const Outcome measured =
            forEachHead(trace, attention, sequence, stop, [&](Index head, MatrixView weights) {
                HeadMeasures &own = heads[first + static_cast<std::size_t>(head)].measures;
                if (!known)
                    own = headMeasures(weights, text);
                if (chosen)
                    own.similarity = chosen->similarity(weights, attention);
            });
        if (!measured)
            return measured.error();
    }
    if (heads.empty())
        return Error{"it has no attention weights", "", "a capture must contain them"};
    return heads;
}

} // namespace headlight::core
