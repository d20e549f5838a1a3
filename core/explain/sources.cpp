#include "core/explain/sources.h"

#include "core/explain/evaluation.h"
#include "core/selection/selected.h"
#include "core/transformer/run/operands.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace headlight::core {

namespace {

using Slices = std::vector<Slice>;

/// Removes slices that are equal to another one or contained in it.
template <typename Place>
std::vector<Place> withoutDoubles(const std::vector<Place> &places) {
    std::vector<Place> kept;
    for (const Place &place : places) {
        if (std::ranges::any_of(kept, [&](const Place &one) { return one.contains(place); }))
            continue;
        std::erase_if(kept, [&](const Place &one) { return place.contains(one); });
        kept.push_back(place);
    }
    return kept;
}

} // namespace

std::vector<Slice> readsOf(const Trace &trace, Index sequence, Slice made) {
    made.step = trace.plan().origin(made.step);
    const Evaluation evaluation(trace, sequence, made);
    const Step &step = trace.plan()[made.step];
    if (const std::optional<Slice> row = pickedRow(step, made))
        return {*row};
    Slices slices;
    forEachRead(meaningOf(trace, sequence, made).number,
                [&](const Expression &read) { slices.push_back(evaluation.sliceOf(read)); });
    return withoutDoubles(slices);
}

namespace {

/// Collects the slices of named stages that `made` reads, directly or through unnamed steps.
void collectNamed(const Trace &trace, Index sequence, const Slice &made, Slices &named) {
    for (const Slice &slice : readsOf(trace, sequence, made))
        if (trace.plan()[slice.step].isNamed())
            named.push_back(slice);
        else
            collectNamed(trace, sequence, slice, named);
}

Region asRegion(const Plan &plan, const Slice &slice) {
    return {plan[slice.step].at, slice.head, slice.row, slice.column};
}

} // namespace

std::optional<Slice> asSlice(const Plan &plan, const Region &region) {
    const auto step = plan.find(region.at);
    return step ? std::optional(Slice{*step, region.head, region.row, region.column})
                : std::nullopt;
}

bool Region::contains(const Region &other) const {
    return at == other.at && head == other.head && (!row || row == other.row) &&
           (!column || column == other.column);
}

std::optional<Region> regionOf(const Plan &plan, const Selection &selection) {
    const auto id = plan.find({selection.stage, selection.attention()});
    if (!id)
        return std::nullopt;
    const Step &step = plan[*id];
    const StageInfo &info = infoOf(selection.stage);
    // The selected head is a query head, even if the stage has fewer key-value heads.
    const auto query = plan.find({Stage::AttentionWeights, selection.attention()});
    const Index heads = info.ofKeys() && query ? plan[*query].heads() : step.heads();
    Region region{
        step.at, step.heads() > 1 ? headRead(selection.head, heads, step.heads()) : 0, {}, {}};
    const bool rowsAreSequences = step.shape.rank() == 2;
    region.row = rowsAreSequences ? std::optional(selection.sequence) : selectedRow(selection);
    region.column = selectedColumn(selection);
    if (region.column && *region.column >= step.shape.last(0))
        region.column.reset();
    return region;
}

std::vector<Region> sourcesOf(const Trace &trace, Index sequence, const Region &region) {
    const auto slice = asSlice(trace.plan(), region);
    if (!slice)
        return {};
    Slices named;
    collectNamed(trace, sequence, *slice, named);
    std::vector<Region> regions;
    for (const Slice &one : named)
        regions.push_back(asRegion(trace.plan(), one));
    return withoutDoubles(regions);
}

std::vector<Region> ancestorsOf(const Trace &trace, Index sequence, const Region &region,
                                StepId first) {
    const auto start = asSlice(trace.plan(), region);
    if (!start)
        return {};
    const Plan &plan = trace.plan();
    std::map<StepId, Slices> waiting{{plan.origin(start->step), {*start}}};
    std::vector<Region> regions;
    while (!waiting.empty()) { // last step first, so that all its readers are handled before it
        const auto last = std::prev(waiting.end());
        const StepId step = last->first;
        const Slices slices = withoutDoubles(last->second);
        waiting.erase(last);
        for (const Slice &slice : slices) {
            for (const Slice &read : readsOf(trace, sequence, slice))
                if (plan.origin(read.step) >= first)
                    waiting[plan.origin(read.step)].push_back(read);
            if (plan[step].isNamed() && step != plan.origin(start->step))
                regions.push_back(asRegion(plan, {step, slice.head, slice.row, slice.column}));
        }
    }
    return regions;
}

std::optional<StageId> attentionInput(const Trace &trace, AttentionId attention) {
    const Plan &plan = trace.plan();
    std::optional<StepId> query;
    for (const Stage made : {Stage::UnrotatedQuery, Stage::UntunedQuery, Stage::Query})
        if (!query)
            query = plan.find({made, attention});
    if (query && !plan[*query].reads.empty()) {
        StepId read = plan[*query].reads[0];
        for (const Stage between : {Stage::NormedCompressedQuery, Stage::CompressedQuery})
            if (plan[read].at == StageId{between, attention})
                read = plan[read].reads[0];
        if (plan[read].at == StageId{Stage::Norm, attention})
            read = plan[read].reads[0];
        return plan[read].at;
    }
    // A capture does not record what the block reads, but self-attention reads the layer's input.
    const StageId input{Stage::LayerInput, attention};
    return attention.block == Block::SelfAttention && plan.find(input) ? std::optional(input)
                                                                       : std::nullopt;
}

} // namespace headlight::core
