#include "core/explain/sources.h"

#include "core/transformer/run/operands.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace headlight::core {

namespace {

/// A region of a step's matrix.
struct Piece {
    StepId step = 0;
    Index head = 0;
    std::optional<Index> row, column;
    auto operator<=>(const Piece &) const = default;

    bool contains(const Piece &other) const {
        return step == other.step && head == other.head && (!row || row == other.row) &&
               (!column || column == other.column);
    }
};

using Pieces = std::vector<Piece>;

/// One function an operation: what it reads to make a region.
class Reads {
  public:
    Reads(const Trace &trace, Index sequence, const Piece &made)
        : m_plan(trace.plan()),
          m_step(m_plan[made.step]),
          m_batch(trace.input().of(m_step.at.site.stack)),
          m_sequence(sequence),
          m_made(made) {}

    Pieces operator()(const op::Given &) const { return {}; }
    Pieces operator()(const op::LookUp &) const { return {}; }
    Pieces operator()(const op::AlibiBias &) const { return {}; }
    Pieces operator()(const op::RelativeBias &) const { return {}; }

    Pieces operator()(const op::Normalise &of) const {
        return of.kind == NormKind::Batch ? Pieces{piece(0, {}, m_made.column)} : row();
    }
    Pieces operator()(const op::Linear &) const { return row(); }
    Pieces operator()(const op::Softmax &) const { return row(); }
    Pieces operator()(const op::Rotate &of) const {
        const auto pairs = static_cast<Index>(of.turns.frequencies.size());
        if (!m_made.column || *m_made.column >= 2 * pairs)
            return cell();
        const Index partner = (*m_made.column + pairs) % (2 * pairs);
        return {piece(0, m_made.row, m_made.column), piece(0, m_made.row, partner)};
    }
    Pieces operator()(const op::DotProduct &) const {
        return {piece(0, m_made.row, {}), piece(1, m_made.column, {})};
    }
    Pieces operator()(const op::Mix &) const {
        return {piece(0, m_made.row, {}), piece(1, {}, m_made.column)};
    }
    Pieces operator()(const op::Concatenate &) const {
        const Step &read = m_plan[m_step.reads[0]];
        const Index size = read.shape.last(0);
        Pieces pieces;
        for (Index head = 0; head < read.heads(); ++head) {
            if (m_made.column && *m_made.column / size != head)
                continue;
            const auto column =
                m_made.column ? std::optional(*m_made.column % size) : std::nullopt;
            pieces.push_back({m_step.reads[0], head, m_made.row, column});
        }
        return pieces;
    }
    Pieces operator()(const op::Pool &of) const {
        const Index length = m_batch[m_sequence].length;
        const auto row = of.pooling == Pooling::First  ? std::optional<Index>(0)
                         : of.pooling == Pooling::Last ? std::optional<Index>(length - 1)
                                                       : std::nullopt;
        return {piece(0, row, m_made.column)};
    }
    /// Number by number.
    template <typename Other>
    Pieces operator()(const Other &) const {
        return cell();
    }

  private:
    Piece piece(std::size_t read, std::optional<Index> row, std::optional<Index> column) const {
        const Index groups = m_plan[m_step.reads[read]].heads();
        return {m_step.reads[read], headRead(m_made.head, m_step.heads(), groups), row, column};
    }
    Pieces row() const { return {piece(0, m_made.row, {})}; }
    Pieces cell() const {
        Pieces pieces;
        for (std::size_t read = 0; read < m_step.reads.size(); ++read)
            pieces.push_back(piece(read, m_made.row, m_made.column));
        return pieces;
    }

    const Plan &m_plan;
    const Step &m_step;
    const Batch &m_batch;
    Index m_sequence;
    const Piece &m_made;
};

/// What was read to make it, as it is after what a person did.
Pieces readFor(const Trace &trace, Index sequence, Piece made) {
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

/// The pieces of stages: what has no name is followed to what it was made from.
void collectNamed(const Trace &trace, Index sequence, const Piece &made, Pieces &named) {
    for (const Piece &piece : readFor(trace, sequence, made))
        if (trace.plan()[piece.step].isNamed())
            named.push_back(piece);
        else
            collectNamed(trace, sequence, piece, named);
}

Region asRegion(const Plan &plan, const Piece &piece) {
    return {plan[piece.step].at, piece.head, piece.row, piece.column};
}

/// None twice, none inside another.
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

std::optional<Piece> pieceOf(const Plan &plan, const Region &region) {
    const auto step = plan.find(region.at);
    return step ? std::optional(Piece{*step, region.head, region.row, region.column})
                : std::nullopt;
}

} // namespace

bool Region::contains(const Region &other) const {
    return at == other.at && head == other.head && (!row || row == other.row) &&
           (!column || column == other.column);
}

std::optional<Region> regionOf(const Plan &plan, const Selection &selection) {
    const auto id = plan.find({selection.stage, selection.site()});
    if (!id)
        return std::nullopt;
    const Step &step = plan[*id];
    const StageInfo &info = infoOf(selection.stage);
    // What a selection calls its head is a query's.
    const auto query = plan.find({Stage::Weights, selection.site()});
    const Index heads = info.ofKeys() && query ? plan[*query].heads() : step.heads();
    Region region{step.at, step.heads() > 1 ? headRead(selection.head, heads, step.heads()) : 0,
                  {}, {}};
    const bool ofSequences = step.shape.rank() == 2;
    region.row = ofSequences ? std::optional(selection.sequence)
                 : info.ofKeys() ? selection.key
                                 : selection.query;
    region.column = info.overKeys() ? selection.key : selection.dimension;
    if (region.column && *region.column >= step.shape.last(0))
        region.column.reset();
    return region;
}

std::vector<Region> sourcesOf(const Trace &trace, Index sequence, const Region &region) {
    const auto piece = pieceOf(trace.plan(), region);
    if (!piece)
        return {};
    Pieces named;
    collectNamed(trace, sequence, *piece, named);
    std::vector<Region> regions;
    for (const Piece &one : named)
        regions.push_back(asRegion(trace.plan(), one));
    return withoutDoubles(regions);
}

std::vector<Region> ancestorsOf(const Trace &trace, Index sequence, const Region &region,
                                StepId first) {
    const auto start = pieceOf(trace.plan(), region);
    if (!start)
        return {};
    const Plan &plan = trace.plan();
    std::map<StepId, Pieces> waiting{{plan.origin(start->step), {*start}}};
    std::vector<Region> regions;
    while (!waiting.empty()) { // from the last step to the first: all that read it come before it
        const auto last = std::prev(waiting.end());
        const StepId step = last->first;
        const Pieces pieces = withoutDoubles(last->second);
        waiting.erase(last);
        for (const Piece &piece : pieces) {
            for (const Piece &read : readFor(trace, sequence, piece))
                if (plan.origin(read.step) >= first)
                    waiting[plan.origin(read.step)].push_back(read);
            if (plan[step].isNamed() && step != plan.origin(start->step))
                regions.push_back(asRegion(plan, {step, piece.head, piece.row, piece.column}));
        }
    }
    return regions;
}

} // namespace headlight::core
