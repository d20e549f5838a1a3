#include "core/transformer/run/attention_tiles.h"

#include "core/cancelled.h"
#include "core/operations/distance_bias.h"
#include "core/operations/distance_table.h"
#include "core/operations/scores.h"
#include "core/tensor/in_parallel.h"
#include "core/tensor/product_block.h"
#include "core/transformer/run/differentiate_rows.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// The block size in which products accumulate terms (product_block.h). With this many rows,
/// gradients of keys and values are added in the same order as for a complete matrix.
constexpr Index kRowsAtOnce = kProductDepth;

} // namespace

std::vector<StepId> stepsOfAttention(const Plan &plan, StepId mix) {
    std::vector<StepId> steps{behindCopies(plan, plan[mix].reads[0])};
    while (!std::holds_alternative<op::DotProduct>(plan[steps.back()].operation))
        steps.push_back(behindCopies(plan, plan[steps.back()].reads[0]));
    return steps;
}

std::vector<StepId> stepsOfDistances(const Plan &plan, const std::vector<StepId> &ofAttention) {
    std::vector<StepId> steps;
    for (const StepId id : ofAttention)
        if (std::holds_alternative<op::Add>(plan[id].operation))
            steps.push_back(behindCopies(plan, plan[id].reads[1]));
    if (steps.empty() || !std::holds_alternative<op::Each>(plan[steps[0]].operation))
        return {};
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (!std::holds_alternative<op::PickDistances>(plan[steps[i]].operation))
            for (const StepId read : plan[steps[i]].reads)
                steps.push_back(behindCopies(plan, read));
    return steps;
}

std::optional<StepId> stepOfSinks(const Plan &plan, StepId mix) {
    return plan.find({Stage::SinkWeights, plan[mix].at.attention});
}

AttentionTiles::AttentionTiles(const GradientContext &chain, GradientStore &store,
                               const std::vector<StageNames> &names,
                               const std::vector<Tensor> &known)
    : m_chain(chain),
      m_plan(chain.plan()),
      m_store(store),
      m_names(names),
      m_steps(stepsOfAttention(m_plan, chain.id)),
      m_distances(stepsOfDistances(m_plan, m_steps)),
      m_product(m_plan[m_steps.back()]),
      m_query(known[m_plan.origin(m_product.reads[0])]),
      m_key(known[m_plan.origin(m_product.reads[1])]),
      m_value(known[m_plan.origin(chain.step.reads[1])]),
      m_toValue(chain.zerosOfRead(1)) {
    m_toQuery = Adjoint::zeros(m_query.shape(), chain.stop);
    m_toKey = Adjoint::zeros(m_key.shape(), chain.stop);
    for (const StepId step : m_distances)
        if (std::holds_alternative<op::PickDistances>(m_plan[step].operation)) {
            const StepId from = behindCopies(m_plan, m_plan[step].reads[0]);
            m_toDistances[from] = Adjoint::zeros(m_plan[from].shape, chain.stop);
        }
    const auto hasSeeds = [&](StepId step) { return store.hasSeeds(names[step]); };
    // Scores hidden by −∞ have attention weight 0, whatever their values were before the mask.
    const Operation &first = m_plan[m_steps.front()].operation;
    m_isNarrow = std::holds_alternative<op::Softmax>(first) &&
                 mayHide(m_plan[m_steps[1]].operation) && std::ranges::none_of(m_steps, hasSeeds) &&
                 std::ranges::none_of(m_distances, hasSeeds);
    if (const auto sinks = stepOfSinks(m_plan, chain.id); sinks && hasSeeds(*sinks))
        m_sinks = sinks;
    const Trace &trace = chain.trace;
    m_lanes.resize(static_cast<std::size_t>(maxThreads()));
    for (Scratch &lane : m_lanes) {
        const auto make = [&](StepId step) {
            std::unique_ptr<ForwardRunner> &maker = lane.makers[step];
            if (maker)
                return;
            maker = std::make_unique<ForwardRunner>(RunRequest{m_plan, trace.model(), trace.input(),
                                                               trace.allMasks(), nullptr, known,
                                                               chain.stop});
            maker->prepare(step);
        };
        make(m_steps.front());
        if (m_sinks)
            make(behindCopies(m_plan, m_plan[*m_sinks].reads[0]));
        for (const StepId step : m_steps)
            switch (numbersNeeded(m_plan[step].operation)) {
            case NumbersNeeded::Made:
                make(step);
                break;
            case NumbersNeeded::Read:
                make(behindCopies(m_plan, m_plan[step].reads[0]));
                break;
            case NumbersNeeded::None:
                break;
            }
    }
}

/// The heads of a group share keys and values, so one thread processes them in order.
void AttentionTiles::run() {
    const Index groups = std::min(m_key.shape()[1], m_value.shape()[1]);
    const Step &mix = m_chain.step;
    const auto goBackThroughGroup = [&](Index group, Index lane) {
        for (Index b = 0; b < mix.sequences(); ++b)
            for (Index h = 0; h < mix.heads(); ++h)
                for (Index first = 0; headRead(h, mix.heads(), groups) == group &&
                                      first < mix.shape.last(1) && !m_chain.stopped();
                     first += kRowsAtOnce)
                    goBack(m_lanes[static_cast<std::size_t>(lane)], b, h,
                           {first, std::min(kRowsAtOnce, mix.shape.last(1) - first)});
    };
    if (groups >= maxThreads())
        inParallel(groups, goBackThroughGroup);
    else
        for (Index group = 0; group < groups; ++group)
            goBackThroughGroup(group, 0); // the products use all threads
    throwIfCancelled(m_chain.stop);
    m_chain.give(1, std::move(m_toValue));
    m_chain.adjoints[m_plan.origin(m_product.reads[0])].add(std::move(m_toQuery));
    m_chain.adjoints[m_plan.origin(m_product.reads[1])].add(std::move(m_toKey));
    for (auto &[step, adjoint] : m_toDistances)
        m_chain.adjoints[step].add(std::move(adjoint));
}

/// Returns the number of keys up to the last one that one of these queries sees.
Index AttentionTiles::keysSeen(Index sequence, Rows rows) const {
    const Index all = m_product.shape.last(0);
    if (!m_isNarrow)
        return all;
    const Mask &mask = m_chain.trace.mask(sequence, m_chain.step.at.attention);
    Index end = 1;
    for (Index row = rows.first; row < rows.first + rows.count && end < all; ++row)
        end = std::max(end, mask.visibleEnd(row));
    return end;
}

void AttentionTiles::goBack(Scratch &lane, Index sequence, Index head, Rows rows) {
    const Index keys = keysSeen(sequence, rows), heads = m_chain.step.heads();
    const Index keyHead = headRead(head, heads, m_key.shape()[1]);
    const Index valueHead = headRead(head, heads, m_value.shape()[1]);
    const auto size = static_cast<std::size_t>(rows.count * keys);
    lane.gradient.resize(std::max(lane.gradient.size(), size));
    const MutableMatrixView gradient{lane.gradient.data(), rows.count, keys, keys};
    {
        const Numbers weights =
            lane.makers.at(m_steps.front())->rowsOf(m_steps.front(), sequence, head, rows, keys);
        contextBackward({weights.data(), rows.count, keys, keys},
                        m_value.view(sequence, valueHead).rowBlock(0, keys),
                        m_chain.made.matrix(sequence, head).rowBlock(rows.first, rows.count),
                        gradient, m_toValue.matrix(sequence, valueHead).rowBlock(0, keys),
                        m_chain.stop);
    }
    for (const StepId step : m_steps)
        goThrough(lane, step, sequence, head, rows, gradient);
    scoresBackward(m_query.view(sequence, head).rowBlock(rows.first, rows.count),
                   m_key.view(sequence, keyHead).rowBlock(0, keys), gradient,
                   m_toQuery.matrix(sequence, head).rowBlock(rows.first, rows.count),
                   m_toKey.matrix(sequence, keyHead).rowBlock(0, keys), m_chain.stop);
}

void AttentionTiles::goThrough(Scratch &lane, StepId id, Index sequence, Index head, Rows rows,
                               MutableMatrixView gradient) {
    const Step &step = m_plan[id];
    arrive(id, sequence, head, rows, gradient);
    RowGradientContext chain{m_chain.trace, step, sequence, head, rows.first, {}, m_chain.stop};
    for (const Change &change : step.changes)
        differentiateRows(change, chain, gradient);
    if (std::holds_alternative<op::DotProduct>(step.operation))
        return;
    const NumbersNeeded needed = numbersNeeded(step.operation);
    Numbers numbers;
    if (needed != NumbersNeeded::None) {
        const StepId from =
            needed == NumbersNeeded::Made ? id : behindCopies(m_plan, step.reads[0]);
        numbers = lane.makers.at(from)->rowsOf(from, sequence, head, rows, gradient.columns);
        chain.numbers = {numbers.data(), gradient.rows, gradient.columns, gradient.columns};
    }
    if (std::holds_alternative<op::Add>(step.operation)) {
        if (m_distances.empty())
            giveToBias(step, head, rows, gradient);
        else
            giveToDistances(sequence, head, rows, gradient);
    }
    if (const auto *softmax = std::get_if<op::Softmax>(&step.operation);
        softmax && !step.parameters.empty())
        addSinkGradient(softmax->temperature, chain.numbers, gradient,
                        m_chain.gradients.of({step.parameters[0].id})(0, head));
    differentiateRows(step.operation, chain, gradient);
    if (m_sinks && std::holds_alternative<op::Softmax>(step.operation))
        giveToSinks(lane, sequence, head, rows, gradient);
}

void AttentionTiles::giveToSinks(Scratch &lane, Index sequence, Index head, Rows rows,
                                 MutableMatrixView gradient) {
    const Step &step = m_plan[*m_sinks];
    std::vector<float> numbers(static_cast<std::size_t>(rows.count));
    const MutableMatrixView made{numbers.data(), rows.count, 1, 1};
    arrive(*m_sinks, sequence, head, rows, made);
    const RowGradientContext chain{m_chain.trace, step, sequence,    head,
                                   rows.first,    {},   m_chain.stop};
    for (const Change &change : step.changes)
        differentiateRows(change, chain, made);
    const StepId from = behindCopies(m_plan, step.reads[0]);
    const Numbers scores =
        lane.makers.at(from)->rowsOf(from, sequence, head, rows, gradient.columns);
    const SharedMatrix sinks =
        StepParameter(m_chain.trace.model().parameters, {step.parameters[0].id}).numbers();
    addSinkWeightGradient(std::get<op::SinkWeight>(step.operation).temperature, sinks(0, head),
                          {scores.data(), rows.count, gradient.columns, gradient.columns}, made,
                          gradient, m_chain.gradients.of({step.parameters[0].id})(0, head));
}

void AttentionTiles::arrive(StepId id, Index sequence, Index head, Rows rows,
                            MutableMatrixView gradient) {
    const StageId at = m_plan[id].at;
    m_store.addSeeds(m_names[id], sequence, head, rows, gradient);
    m_store.check(stageName(at.stage, at.attention),
                  {gradient.data, static_cast<std::size_t>(gradient.rows * gradient.columns)});
}

/// Adds the gradient of the position bias to the gradients of the products from which the bias was
/// picked.
void AttentionTiles::giveToDistances(Index sequence, Index head, Rows rows, MatrixView gradient) {
    const auto copyOf = [](MatrixView from, std::vector<float> &numbers) {
        numbers.resize(static_cast<std::size_t>(from.rows * from.columns));
        const MutableMatrixView copy{numbers.data(), from.rows, from.columns, from.columns};
        for (Index row = 0; row < from.rows; ++row)
            std::ranges::copy(from.row(row), copy.row(row).begin());
        return copy;
    };
    std::vector<float> ofBias, ofTerm;
    const MutableMatrixView bias = copyOf(gradient, ofBias);
    const Step &scaled = m_plan[m_distances.front()];
    arrive(m_distances.front(), sequence, head, rows, bias);
    differentiateRows(scaled.operation,
                      {m_chain.trace, scaled, sequence, head, rows.first, {}, m_chain.stop}, bias);
    for (const StepId id : m_distances) {
        const auto *pick = std::get_if<op::PickDistances>(&m_plan[id].operation);
        if (!pick)
            continue;
        const MutableMatrixView term = copyOf(bias, ofTerm);
        arrive(id, sequence, head, rows, term);
        Adjoint &all = m_toDistances.at(behindCopies(m_plan, m_plan[id].reads[0]));
        const Shape &pairs = m_plan[id].shape;
        pickDistancesBackward(*pick,
                              m_chain.tables.distances(pairs.last(1), pairs.last(0), pick->table),
                              term, all.matrix(sequence, head), rows.first);
    }
}

/// Adds the gradient of the learned position bias table: the layer's own table, or the first
/// layer's table if it is shared.
void AttentionTiles::giveToBias(const Step &add, Index head, Rows rows, MatrixView gradient) {
    const Step &bias = m_plan[behindCopies(m_plan, add.reads[1])];
    if (bias.parameters.empty())
        return;
    const MutableMatrixView table = m_chain.gradients.of({bias.parameters[0].id});
    distanceBiasBackward(std::get<op::DistanceBias>(bias.operation), gradient,
                         table.columnBlock(head, 1), rows.first);
}

} // namespace headlight::core
