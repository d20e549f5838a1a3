#include "core/explain/sources.h"

#include "core/transformer/run/operands.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace headlight::core {

namespace {

using Slices = std::vector<Slice>;

/// The slices that an operation reads, one function per operation.
class Reads {
  public:
    Reads(const Trace &trace, Index sequence, const Slice &made)
        : m_plan(trace.plan()),
          m_step(m_plan[made.step]),
          m_batch(trace.input().of(m_step.at.attention.stack)),
          m_sequence(sequence),
          m_made(made) {}

    Slices operator()(const op::Captured &) const { return {}; }
    Slices operator()(const op::EmbeddingLookup &) const { return {}; }
    Slices operator()(const op::AlibiBias &) const { return {}; }
    Slices operator()(const op::RelativeBias &) const { return {}; }

    Slices operator()(const op::Normalise &of) const {
        return of.kind == NormKind::Batch ? Slices{slice(0, {}, m_made.column)} : row();
    }
    Slices operator()(const op::Linear &) const { return row(); }
    Slices operator()(const op::Softmax &) const { return row(); }
    Slices operator()(const op::ApplyRotary &of) const {
        const auto pairs = static_cast<Index>(of.turns.frequencies.size());
        if (!m_made.column || *m_made.column >= 2 * pairs)
            return cell();
        const Index partner = (*m_made.column + pairs) % (2 * pairs);
        return {slice(0, m_made.row, m_made.column), slice(0, m_made.row, partner)};
    }
    Slices operator()(const op::DotProduct &) const {
        return {slice(0, m_made.row, {}), slice(1, m_made.column, {})};
    }
    Slices operator()(const op::WeightedSum &) const {
        return {slice(0, m_made.row, {}), slice(1, {}, m_made.column)};
    }
    Slices operator()(const op::ConcatHeads &) const {
        const Step &read = m_plan[m_step.reads[0]];
        const Index size = read.shape.last(0);
        Slices slices;
        for (Index head = 0; head < read.heads(); ++head) {
            if (m_made.column && *m_made.column / size != head)
                continue;
            const auto column = m_made.column ? std::optional(*m_made.column % size) : std::nullopt;
            slices.push_back({m_step.reads[0], head, m_made.row, column});
        }
        return slices;
    }
    Slices operator()(const op::SplitHeads &) const {
        const Index size = m_step.shape.last(0);
        const auto column =
            m_made.column ? std::optional(m_made.head * size + *m_made.column) : std::nullopt;
        return {slice(0, m_made.row, column)};
    }
    Slices operator()(const op::Pool &of) const {
        const Index length = m_batch[m_sequence].length;
        const auto row = of.pooling == Pooling::First  ? std::optional<Index>(0)
                         : of.pooling == Pooling::Last ? std::optional<Index>(length - 1)
                                                       : std::nullopt;
        return {slice(0, row, m_made.column)};
    }
    /// Elementwise operations.
    template <typename Other>
    Slices operator()(const Other &) const {
        return cell();
    }

  private:
    Slice slice(std::size_t read, std::optional<Index> row, std::optional<Index> column) const {
        const Index groups = m_plan[m_step.reads[read]].heads();
        return {m_step.reads[read], headRead(m_made.head, m_step.heads(), groups), row, column};
    }
    Slices row() const { return {slice(0, m_made.row, {})}; }
    Slices cell() const {
        Slices slices;
        for (std::size_t read = 0; read < m_step.reads.size(); ++read)
            slices.push_back(slice(read, m_made.row, m_made.column));
        return slices;
    }

    const Plan &m_plan;
    const Step &m_step;
    const Batch &m_batch;
    Index m_sequence;
    const Slice &m_made;
};

} // namespace

std::vector<Slice> readsOf(const Trace &trace, Index sequence, Slice made) {
    made.step = trace.plan().origin(made.step);
    const Step &step = trace.plan()[made.step];
    const Operation *change = step.changeAt(step.sequences() == 1 ? 0 : sequence, made.head);
    if (change && replaces(*change))
        return {};
    if (change && std::holds_alternative<op::MeanRows>(*change))
        made.row.reset();
    if (const auto *set = change ? std::get_if<op::SetCells>(change) : nullptr)
        if (std::ranges::any_of(set->cells, [&](const op::SetCells::Cell &cell) {
                return made.row == cell.row && made.column == cell.column;
            }))
            return {};
    return std::visit(Reads(trace, sequence, made), step.operation);
}

namespace {

/// Collects the slices of stages, through unnamed steps.
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

/// Removes duplicates and slices inside others.
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
    // A selection's head is a query head.
    const auto query = plan.find({Stage::AttentionWeights, selection.attention()});
    const Index heads = info.ofKeys() && query ? plan[*query].heads() : step.heads();
    Region region{
        step.at, step.heads() > 1 ? headRead(selection.head, heads, step.heads()) : 0, {}, {}};
    const bool rowsAreSequences = step.shape.rank() == 2;
    region.row = rowsAreSequences ? std::optional(selection.sequence)
                 : info.ofKeys()  ? selection.key
                                  : selection.query;
    region.column = info.overKeys() ? selection.key : selection.dimension;
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
    while (!waiting.empty()) { // from last to first, so that all readers of a step precede it
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
    auto query = plan.find({Stage::UnrotatedQuery, attention});
    if (!query)
        query = plan.find({Stage::Query, attention});
    if (query && !plan[*query].reads.empty()) {
        StepId read = plan[*query].reads[0];
        if (plan[read].at == StageId{Stage::Norm, attention})
            read = plan[read].reads[0];
        return plan[read].at;
    }
    // A capture does not record the input, but a layer's input is read by its self-attention.
    const StageId input{Stage::LayerInput, attention};
    return attention.block == Block::SelfAttention && plan.find(input) ? std::optional(input)
                                                                       : std::nullopt;
}

} // namespace headlight::core
