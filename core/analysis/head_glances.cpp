#include "core/analysis/head_glances.h"

#include "core/analysis/heads_of_trace.h"
#include "core/analysis/rows_of_heads.h"
#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Computes the other stages of the layer, which all heads need, by requesting one of them.
Outcome prepareLayer(const Trace &trace, AttentionId attention, Index sequence,
                     const std::stop_token &stop) {
    if (const auto query = trace.plan().find({Stage::Query, attention}))
        if (const auto layer = trace.madeMatrix(*query, sequence, 0, stop); !layer)
            return layer.error();
    return Done{};
}

/// Reduces rows as soon as they are computed, on all threads, so that no full matrix is in memory.
Outcome reduceHeads(const Trace &trace, const MeasuredText &text, Index side, HeadGlances &made,
                    const std::stop_token &stop) {
    if (Outcome prepared = prepareLayer(trace, made.attention, text.sequence, stop); !prepared)
        return prepared;
    const RowsOfHeads rowsOf(trace, *trace.plan().find({Stage::AttentionWeights, made.attention}),
                             text.sequence);
    const Mask &mask = *text.mask;
    const VisibleKeys visible(mask);
    for (std::size_t head = 0; head < made.heads.size(); ++head) {
        ReducedHead reduced(mask, side);
        const Outcome read = rowsOf.inBlocksAtOnce(
            static_cast<Index>(head), mask.queries(),
            [&](Index first, MatrixView rows) {
                for (Index row = 0; row < rows.rows; ++row)
                    reduced.take(rows.row(row), first + row, text, visible);
            },
            stop);
        if (!read)
            return read;
        made.heads[head] = reduced.glance();
    }
    return Done{};
}

} // namespace

ReducedHead::ReducedHead(const Mask &mask, Index side)
    : m_mask(&mask),
      m_side(side),
      m_measures(static_cast<std::size_t>(mask.queries())),
      m_reduced(mask.queries(), std::min(mask.keys(), side)) {}

HeadMeasures &ReducedHead::take(std::span<const float> weights, Index query,
                                const MeasuredText &text, const VisibleKeys &visible) {
    sampleRow(weights, query, m_mask->keys(), m_mask->hidesAnything() ? m_mask : nullptr,
              m_reduced.view().row(query));
    HeadMeasures &measures = m_measures[static_cast<std::size_t>(query)];
    measures = measuresOfRow(weights, text, visible, query);
    return measures;
}

HeadGlance ReducedHead::glance() const {
    return {sampleOfRows(m_reduced.view(), m_mask->keys(), m_side), meanOf(m_measures)};
}

std::vector<AttentionId> attentionsWithWeights(const Trace &trace) {
    std::vector<AttentionId> found;
    for (const AttentionId attention : trace.model().attentions())
        if (trace.plan().find({Stage::AttentionWeights, attention}))
            found.push_back(attention);
    return found;
}

Outcome forEachHead(const Trace &trace, AttentionId attention, Index sequence,
                    const std::stop_token &stop,
                    const std::function<void(Index head, MatrixView weights)> &look) {
    const StepId step = *trace.plan().find({Stage::AttentionWeights, attention});
    const Index count = trace.model().headsOf(attention);
    std::vector<std::optional<Error>> errors(static_cast<std::size_t>(count));
    const bool byHead = trace.isByHead(step) && !trace.source();
    // Reads all rows of a head instead of its matrix, because the trace would keep the matrix. The
    // heads of a long text are read only once, so keeping them would waste memory.
    const Rows all{0, trace.plan()[step].shape.last(1)};
    const auto weightsOf = [&](Index head) {
        return byHead ? trace.madeRows(step, sequence, head, all, stop)
                      : trace.madeMatrix(step, sequence, head, stop);
    };
    const auto read = [&](Index head) {
        std::optional<Error> &error = errors[static_cast<std::size_t>(head)];
        if (stop.stop_requested())
            error = cancelled();
        else if (const auto weights = weightsOf(head); !weights)
            error = weights.error();
        else
            look(head, weights->view());
    };
    if (byHead)
        if (Outcome prepared = prepareLayer(trace, attention, sequence, stop); !prepared)
            return prepared;
    // Reads the first head before the others, because this computes the layer's stages if the trace
    // does not have them. If each head must be computed separately, reads all heads on this thread:
    // parallel threads would only wait for each other and hold all matrices in memory.
    const Index alone = trace.isByHead(step) ? count : std::min<Index>(count, 1);
    for (Index head = 0; head < alone; ++head)
        read(head);
    if (alone < count)
        inParallel(count - alone, [&](Index head, Index) { read(alone + head); });
    for (const std::optional<Error> &error : errors)
        if (error)
            return *error;
    return Done{};
}

Result<HeadGlances> glanceAt(const Trace &trace, AttentionId attention, Index sequence, Index side,
                             const std::stop_token &stop) {
    const MeasuredText text = measuredTextOf(trace, attention, sequence);
    const Mask *mask = &trace.mask(sequence, attention);
    const auto count = static_cast<std::size_t>(trace.model().headsOf(attention));
    HeadGlances made{attention, std::vector<HeadGlance>(count), nullptr};
    const bool isByRow =
        text.mask && trace.isByHead(Stage::AttentionWeights, attention) && !trace.source();
    const Outcome read =
        isByRow
            ? reduceHeads(trace, text, side, made, stop)
            : forEachHead(trace, attention, sequence, stop, [&](Index head, MatrixView weights) {
                  made.heads[static_cast<std::size_t>(head)] = {sampleOf(weights, side, mask),
                                                                headMeasures(weights, text)};
              });
    if (!read)
        return read.error();
    if (!made.heads.empty() && mask->hidesAnything()) {
        const SharedMatrix &numbers = made.heads.front().sample.numbers;
        made.hidden = maskOfBlocks(*mask, numbers.rows, numbers.columns);
    }
    return made;
}

TraceGlances::TraceGlances(const Trace &ofTrace, Index ofSequence)
    : trace(ofTrace.withoutDetails()),
      sequence(ofSequence),
      attentions(attentionsWithWeights(ofTrace)),
      made(attentions.size()) {}

std::optional<std::size_t> TraceGlances::next(std::span<const AttentionId> first) const {
    const auto missing = std::ranges::find(made, nullptr);
    if (error || missing == made.end())
        return std::nullopt;
    for (const AttentionId attention : first)
        if (const auto found = std::ranges::find(attentions, attention);
            found != attentions.end() && !of(attention))
            return static_cast<std::size_t>(found - attentions.begin());
    return static_cast<std::size_t>(missing - made.begin());
}

Index TraceGlances::side() const {
    constexpr Index kLargestSide = 128; // more pixels than a thumbnail has
    Index heads = 1;
    for (const AttentionId attention : attentions)
        heads += trace->model().headsOf(attention);
    return std::min(kLargestSide, sampleSide(heads));
}

const HeadGlances *TraceGlances::of(AttentionId attention) const {
    const auto found = std::ranges::find(attentions, attention);
    return found == attentions.end()
               ? nullptr
               : made[static_cast<std::size_t>(found - attentions.begin())].get();
}

const HeadGlance *TraceGlances::of(const HeadId &place) const {
    const HeadGlances *layer = of(place.attention);
    return layer && place.head >= 0 && place.head < std::ssize(layer->heads)
               ? &layer->heads[static_cast<std::size_t>(place.head)]
               : nullptr;
}

Result<HeadGlances> TraceGlances::make(std::size_t place, const Trace *holder,
                                       const std::stop_token &stop) const {
    const AttentionId attention = attentions[place];
    const bool isHeld = holder && !holder->isByHead(Stage::AttentionWeights, attention) &&
                        holder->isReady(Stage::AttentionWeights, attention, sequence);
    return glanceAt(isHeld ? *holder : *trace, attention, sequence, side(), stop);
}

void TraceGlances::take(std::size_t place, Result<HeadGlances> glances) {
    if (glances)
        made[place] = std::make_shared<const HeadGlances>(*std::move(glances));
    else
        error = glances.error();
}

} // namespace headlight::core
