#include "core/transformer/run/head_variants.h"

#include "core/cancelled.h"
#include "core/operations/head_state.h"
#include "core/transformer/model/number_sources.h"
#include "core/transformer/plan/trace_bytes.h"
#include "core/transformer/run/forward.h"
#include "core/transformer/run/forward_runner.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace headlight::core {

namespace {

/// Maximum memory of the variants that are computed at the same time.
constexpr Index kVariantsBytes = Index(96) << 20;
/// Maximum number of rows whose logits are computed at the same time.
constexpr std::size_t kLogitRows = 512;

bool isBatchNorm(const Step &step) {
    const auto *norm = std::get_if<op::Normalise>(&step.operation);
    return norm && norm->kind == NormKind::Batch;
}

/// True for operations whose rows depend only on the same rows of their inputs, not on the position
/// in the text. Batch norm is not one of them.
struct IsByRow {
    template <OneOf<op::Clone, op::Linear, op::Normalise, op::Each, op::ConcatHeads, op::SplitHeads,
                    op::JoinColumns, op::Add, op::Gate, op::KeepLargest, op::ScaleForExperts,
                    op::ExpertLinear, op::MixExperts>
                  ByRow>
    bool operator()(const ByRow &) const {
        return true;
    }
    template <typename Other>
    bool operator()(const Other &) const {
        return false;
    }
};

bool isByRow(const Step &step) {
    const StageInfo &info = infoOf(step.at.stage);
    return step.changes.empty() && step.shape.rank() >= 3 && info.rowsAreTokens() &&
           !info.overKeys() && !isBatchNorm(step) && std::visit(IsByRow(), step.operation);
}

/// Marks `last` and all steps that it depends on.
std::vector<char> neededFor(const Plan &plan, StepId last) {
    std::vector<char> needed(plan.size());
    needed[last] = true;
    for (StepId id = last + 1; id-- > 0;)
        for (const StepId read : plan[id].reads)
            if (needed[id])
                needed[behindCopies(plan, read)] = true;
    return needed;
}

/// Marks `first` and all steps that depend on it.
std::vector<char> dependentOn(const Plan &plan, StepId first) {
    std::vector<char> dependent(plan.size());
    dependent[first] = true;
    for (StepId id = first + 1; id < plan.size(); ++id)
        dependent[id] = plan[id].isOwn()
                            ? std::ranges::any_of(
                                  plan[id].reads,
                                  [&](StepId read) { return dependent[behindCopies(plan, read)]; })
                            : dependent[plan.origin(id)];
    return dependent;
}

/// Returns the tensor for a batch that repeats one sequence. `shape` is the shape of the result. A
/// tensor that all sequences share is returned unchanged.
Tensor repeated(const Tensor &tensor, const Shape &shape, Index sequence) {
    if (shape[0] == 1 && tensor.shape()[0] == 1)
        return tensor;
    const Index size = tensor.shape().count() / tensor.shape()[0];
    Numbers numbers(static_cast<std::size_t>(shape.count()));
    for (Index copy = 0; copy < shape[0]; ++copy)
        std::copy_n(tensor.values().data() + sequence * size, size, numbers.data() + copy * size);
    return {shape, std::move(numbers)};
}

Input repeated(const Input &given, Index sequence, Index times) {
    Input made = given;
    made.batch = given.batch->repeated(sequence, times);
    if (given.source)
        made.source = given.source->repeated(sequence, times);
    made.interventions.scores.clear();
    for (ScoreIntervention each : given.interventions.scores)
        if (each.sequence == sequence)
            for (each.sequence = 0; each.sequence < times; ++each.sequence)
                made.interventions.setScore(each);
    return made;
}

TraceMasks repeated(const TraceMasks &given, Index sequence, Index times) {
    const auto copies = [&](const TraceMasks::List &list) -> TraceMasks::List {
        if (!list)
            return nullptr;
        return std::make_shared<const std::vector<Mask>>(
            static_cast<std::size_t>(times), (*list)[static_cast<std::size_t>(sequence)]);
    };
    TraceMasks made{copies(given.self), copies(given.encoder), copies(given.cross)};
    for (const auto &[layer, list] : given.windowed)
        made.windowed[layer] = copies(list);
    return made;
}

/// Stacks some rows of several sequences. `shape` is the shape of the result, which
/// has one sequence.
Tensor gathered(const Tensor &tensor, const Shape &shape, std::span<const HeadVariants::Row> rows) {
    const Index heads = shape.rank() == 4 ? shape[1] : 1;
    Numbers numbers(static_cast<std::size_t>(shape.count()));
    float *place = numbers.data();
    for (Index head = 0; head < heads; ++head)
        for (const HeadVariants::Row &row : rows) {
            const MatrixView matrix = tensor.view(static_cast<Index>(row.variant), head);
            place = std::ranges::copy(matrix.row(row.row), place).out;
        }
    assert(place == numbers.data() + shape.count());
    return {shape, std::move(numbers)};
}

/// Sets the tensor of each step that renames another one to the other step's tensor, as a runner
/// expects.
void shareWithRenames(const Plan &plan, std::vector<Tensor> &tensors) {
    for (StepId id = 0; id < plan.size(); ++id)
        tensors[id] = tensors[plan.origin(id)];
}

Error overflowIn(const std::string &stage) {
    return {"the values overflow 32-bit floats", stage, "use smaller weights or embeddings"};
}

} // namespace

bool HeadVariants::areAvailable(const Trace &trace, const Wanted &wanted) {
    if (wanted.state != HeadState::Zero && wanted.state != HeadState::Mean)
        return false;
    const Plan &plan = trace.plan();
    const auto logits = plan.find({Stage::Logits, {}});
    if (!plan.find({Stage::ClassLogits, {}}) && !(logits && LogitBlocks::of(plan, *logits)))
        return false;
    return std::ranges::none_of(plan.steps(),
                                [](const Step &step) { return step.isOwn() && isBatchNorm(step); });
}

HeadVariants::HeadVariants(const Trace &trace, const Wanted &wanted)
    : m_trace(&trace), m_wanted(wanted) {
    const Plan &plan = trace.plan();
    m_context = plan.origin(*plan.find({Stage::Context, wanted.attention}));
    const auto classes = plan.find({Stage::ClassLogits, {}});
    m_output = behindCopies(plan, classes ? *classes : *plan.find({Stage::Logits, {}}));
    m_dependent = dependentOn(plan, m_context);
    if (classes) {
        m_ends = {m_output};
    } else {
        m_logits = LogitBlocks::of(plan, m_output);
        const std::vector<char> needed = neededFor(plan, m_output);
        StepId last = m_output; // the last step that is not by row: a context, or the embeddings
        while (last > 0 && !(needed[last] && !isByRow(plan[last])))
            --last;
        for (StepId id = last + 1; id <= m_output; ++id)
            for (const StepId read : plan[id].reads)
                if (const StepId end = behindCopies(plan, read); needed[id] && end <= last)
                    m_ends.push_back(end);
        std::ranges::sort(m_ends);
        m_ends.erase(std::unique(m_ends.begin(), m_ends.end()), m_ends.end());
    }
    std::vector<char> needed(plan.size());
    for (const StepId end : m_ends)
        needed[end] = true;
    for (StepId id = plan.size(); id-- > 0;) {
        if (!needed[id] || id == m_context)
            continue;
        // Stages over keys that the trace does not hold are too large to compute here, so each run
        // recomputes them.
        const bool isTooLarge = infoOf(plan[id].at.stage).overKeys() && trace.numbers(id).isNull();
        if (!m_dependent[id] && !isTooLarge)
            m_inputs.push_back(id);
        else
            for (const StepId read : plan[id].reads)
                needed[behindCopies(plan, read)] = true;
    }
}

Result<HeadVariants> HeadVariants::of(const Trace &trace, const Wanted &wanted,
                                      std::stop_token stop) {
    HeadVariants made(trace, wanted);
    if (Outcome prepared = made.prepare(std::move(stop)); !prepared)
        return prepared.error();
    return made;
}

/// Takes from the trace the values that all variants read, and computes the missing ones.
Outcome HeadVariants::prepare(std::stop_token stop) {
    const Plan &plan = m_trace->plan();
    for (StepId id = 0; id < plan.size(); ++id)
        m_numbers.push_back(m_trace->numbers(id));
    std::vector<char> isMissing(plan.size());
    for (const StepId id : m_inputs)
        isMissing[id] = m_numbers[id].isNull();
    isMissing[m_context] = m_numbers[m_context].isNull();
    if (std::ranges::find(isMissing, char(true)) != isMissing.end()) {
        Result<std::vector<Tensor>> made = makeSteps(
            *m_trace, m_numbers, [&](StepId id) { return isMissing[id] != 0; }, std::move(stop));
        if (!made)
            return made.error();
        for (StepId id = 0; id < plan.size(); ++id)
            if (isMissing[id])
                m_numbers[id] = (*made)[id];
    }
    std::vector<char> isRead(plan.size());
    for (const StepId id : m_inputs)
        isRead[id] = true;
    isRead[m_context] = true;
    for (StepId id = 0; id < plan.size(); ++id)
        if (!isRead[id])
            m_numbers[id] = {};
    return Done{};
}

Index HeadVariants::atOnce() const {
    const Plan &plan = m_trace->plan();
    const auto bytesOf = [](const Step &step) {
        return step.shape.count() * static_cast<Index>(sizeof(float));
    };
    // Sum of the temporary stages of a layer, the copies of the inputs, and the outputs of the
    // layers.
    Index bytes = detailBytes(plan, true) + bytesOf(plan[m_context]);
    for (const StepId id : m_inputs)
        bytes += bytesOf(plan[id]);
    for (StepId id = 0; id < plan.size(); ++id)
        if (m_dependent[id] && plan[id].at.stage == Stage::LayerOutput && plan[id].isNamed())
            bytes += bytesOf(plan[id]);
    const Index ofOne = bytes / std::max<Index>(1, m_trace->batch().count());
    return std::clamp<Index>(kVariantsBytes / std::max<Index>(1, ofOne), 1,
                             plan[m_context].heads());
}

/// Returns the contexts of all heads. In each variant, one head's context is zero or its mean.
Tensor HeadVariants::contextsWithout(std::span<const Index> heads, const Shape &shape) const {
    const Tensor copies = repeated(m_numbers[m_context], shape, m_wanted.sequence);
    Numbers numbers(copies.values().begin(), copies.values().end());
    const Index rows = shape.last(1), columns = shape.last(0), size = rows * columns;
    const Index length = m_trace->queries(m_wanted.attention)[m_wanted.sequence].length;
    for (std::size_t variant = 0; variant < heads.size(); ++variant) {
        const Index at = static_cast<Index>(variant) * shape[1] + heads[variant];
        const MutableMatrixView context{numbers.data() + at * size, rows, columns, columns};
        if (m_wanted.state == HeadState::Mean)
            replaceByMean(context, length);
        else
            std::fill_n(context.data, size, 0.0f);
    }
    return {shape, std::move(numbers)};
}

/// Returns the tensors of m_ends in the batch of the variants, one tensor per step.
std::vector<Tensor> HeadVariants::madeEnds(std::span<const Index> heads, std::string &overflowed,
                                           const std::stop_token &stop) const {
    const auto variants = static_cast<Index>(heads.size());
    const Model &model = m_trace->model();
    const Input input = repeated(m_trace->input(), m_wanted.sequence, variants);
    const TraceMasks masks = repeated(m_trace->allMasks(), m_wanted.sequence, variants);
    const Plan plan = planOf(model, input);
    assert(plan.size() == m_trace->plan().size());
    std::vector<Tensor> known(plan.size());
    for (const StepId id : m_inputs)
        known[id] = repeated(m_numbers[id], plan[id].shape, m_wanted.sequence);
    known[m_context] = contextsWithout(heads, plan[m_context].shape);
    shareWithRenames(plan, known);
    ForwardRunner runner({plan, model, input, masks, nullptr, std::move(known), stop});
    // Keep the outputs of the layers too, because the runner frees its buffers after each kept
    // step.
    runner.run([&](StepId id) {
        const bool endsLayer = plan[id].at.stage == Stage::LayerOutput && plan[id].isNamed() &&
                               m_dependent[id] && plan.origin(id) <= m_ends.back();
        return endsLayer || std::ranges::binary_search(m_ends, id);
    });
    overflowed = runner.overflowed();
    return runner.takeNumbers();
}

/// Passes on the logits of the wanted rows. Returns the stage that overflows; empty if none does.
std::string HeadVariants::readRows(const std::vector<Tensor> &ends, Index variants,
                                   const Take &take, const std::stop_token &stop) const {
    std::vector<Row> all;
    for (Index variant = 0; variant < variants; ++variant)
        for (const Index row : m_wanted.rows)
            all.push_back({static_cast<std::size_t>(variant), row});
    const StepId input = m_logits->input();
    for (std::size_t first = 0; first < all.size(); first += kLogitRows) {
        const std::span<const Row> rows =
            std::span(all).subspan(first, std::min(kLogitRows, all.size() - first));
        // Treat the rows as one long text. This works because each of these steps computes a row
        // only from the same row of its inputs.
        const Plan plan =
            planOf(m_trace->model(), Extent(1, std::ssize(rows), Extent(m_trace->input()).sources));
        std::vector<Tensor> known(plan.size());
        for (const StepId end : m_ends)
            known[end] = gathered(ends[end], plan[end].shape, rows);
        shareWithRenames(plan, known);
        ForwardRunner runner({plan, m_trace->model(), m_trace->input(), m_trace->allMasks(),
                              nullptr, std::move(known), stop});
        runner.run([input](StepId id) { return id == input; });
        std::string overflowed = runner.overflowed();
        if (overflowed.empty())
            overflowed = m_logits->run(
                plan, m_trace->model(), runner.takeNumbers()[input].view(0),
                [&](Index row, Index column, std::span<const float> logits) {
                    take(rows[static_cast<std::size_t>(row)], column, logits);
                },
                stop);
        if (!overflowed.empty())
            return overflowed;
    }
    return {};
}

Outcome HeadVariants::run(std::span<const Index> heads, const Take &take,
                          std::stop_token stop) const try {
    if (Outcome checked = checkSources(m_trace->model(), m_trace->input()); !checked)
        return checked;
    std::string overflowed;
    const std::vector<Tensor> ends = madeEnds(heads, overflowed, stop);
    if (!overflowed.empty())
        return overflowIn(overflowed);
    if (m_logits) {
        overflowed = readRows(ends, std::ssize(heads), take, stop);
        return overflowed.empty() ? Outcome(Done{}) : Outcome(overflowIn(overflowed));
    }
    const MatrixView classes = ends[m_output].view(0);
    for (std::size_t variant = 0; variant < heads.size(); ++variant)
        take({variant, 0}, 0, classes.row(static_cast<Index>(variant)));
    return Done{};
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the attention", "text", "use a shorter text"};
}

} // namespace headlight::core
