#include "core/transformer/run/runner.h"

#include "core/transformer/run/adjoint.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

constexpr std::size_t kCheckedAtOnce = std::size_t(1) << 20; // a millisecond's work

/// No NaN and nothing infinite but, where a mask may hide, its −∞. Without a branch, so that the
/// compiler does many at once.
bool areSound(std::span<const float> values, bool mayHide) {
    constexpr float largest = std::numeric_limits<float>::max();
    const float smallest = mayHide ? -std::numeric_limits<float>::infinity() : -largest;
    bool sound = true;
    for (const float value : values)
        sound &= (value <= largest) & (value >= smallest);
    return sound;
}

/// The same, piece by piece.
bool areSound(std::span<const float> numbers, bool mayHide, const std::stop_token &stop) {
    for (; !numbers.empty(); numbers = numbers.subspan(std::min(kCheckedAtOnce, numbers.size()))) {
        throwIfCancelled(stop);
        if (!areSound(numbers.first(std::min(kCheckedAtOnce, numbers.size())), mayHide))
            return false;
    }
    return true;
}

/// The numbers of a matrix of a tensor, which are in one piece.
std::span<const float> numbersOf(MatrixView matrix) {
    return {matrix.data, static_cast<std::size_t>(matrix.rows * matrix.columns)};
}

bool sameNumbers(MatrixView a, MatrixView b) {
    if (a.rows != b.rows || a.columns != b.columns)
        return false;
    for (Index row = 0; row < a.rows; ++row)
        if (std::memcmp(a.row(row).data(), b.row(row).data(), a.row(row).size_bytes()) != 0)
            return false;
    return true;
}

std::size_t matricesOf(const Step &step) {
    return static_cast<std::size_t>(step.sequences() * step.heads());
}

std::size_t sizeOfMatrix(const Shape &shape) {
    return static_cast<std::size_t>(shape.last(0) * shape.last(1));
}

bool isCopy(const Step &step) {
    return step.isOwn() && std::holds_alternative<op::Copy>(step.operation);
}

/// Calls `work` with sequence and head.
template <typename Work>
void forEachMatrix(const Step &step, Work work) {
    for (Index b = 0; b < step.sequences(); ++b)
        for (Index h = 0; h < step.heads(); ++h)
            work(b, h);
}

} // namespace

Runner::Runner(const Task &task)
    : m_task(task),
      m_plan(task.plan),
      m_planBefore(task.previous ? &task.previous->plan() : nullptr),
      m_states(task.plan.size()),
      m_isKept(task.plan.size()) {
    for (StepId id = 0; id < m_task.known.size(); ++id)
        m_states[m_plan.origin(id)].numbers = m_task.known[id];
}

void Runner::run(const std::function<bool(StepId)> &isKept) {
    for (StepId id = 0; id < m_plan.size(); ++id) {
        if (!isKept(id))
            continue;
        const StepId origin = m_plan.origin(id);
        m_isKept[origin] = true;
        if (isCopy(m_plan[origin])) // shares the numbers of what it copies
            m_isKept[m_plan.origin(m_plan[origin].reads[0])] = true;
    }
    for (StepId id = m_plan.size(); id-- > 0;)
        for (const StepId read : m_plan[id].reads) {
            StepId &last = m_states[m_plan.origin(read)].lastReader;
            last = std::max(last, m_isKept[id] ? id : m_states[id].lastReader);
        }
    for (StepId id = 0; id < m_plan.size(); ++id) {
        if (!m_plan[id].isOwn())
            continue;
        compare(id);
        if (m_isKept[id] && m_states[id].numbers.isNull()) {
            keep(id);
            release(id);
        }
    }
}

/// Which of the step's matrices are made from the same as in the trace before.
void Runner::compare(StepId id) {
    State &state = m_states[id];
    const Step &step = m_plan[id];
    state.same.assign(matricesOf(step), false);
    if (!m_planBefore)
        return;
    const auto named = m_planBefore->find(step.at, step.inner);
    if (!named)
        return;
    state.before = m_planBefore->origin(*named);
    state.lent = m_task.previous->numbers(*state.before);
    if (!state.lent.isNull() && state.lent.shape() != step.shape)
        state.lent = {};
    const Step &before = (*m_planBefore)[*state.before];
    state.alike = makeTheSame(step.operation, before.operation) && step.shape == before.shape &&
                  step.reads.size() == before.reads.size() &&
                  step.parameters.size() == before.parameters.size();
    forEachMatrix(step,
                  [&](Index b, Index h) { state.same[placeOf(id, b, h)] = isSame(id, b, h); });
}

bool Runner::isSame(StepId id, Index sequence, Index head) {
    const State &state = m_states[id];
    if (!state.alike)
        return false;
    const Step &step = m_plan[id], &before = (*m_planBefore)[*state.before];
    const Operation *change = step.changeAt(sequence, head);
    const Operation *changeBefore = before.changeAt(sequence, head);
    if (change ? !changeBefore || !makeTheSame(*change, *changeBefore) : changeBefore != nullptr)
        return false;
    if (change && !isSameInput(dependenceOf(*change), step, sequence))
        return false;
    if (change && replaces(*change))
        return true;
    const Dependence on = dependenceOf(step.operation);
    if (!isSameInput(on, step, sequence) || !areParametersSame(id, head))
        return false;
    for (std::size_t i = 0; i < step.reads.size(); ++i) {
        const StepId now = m_plan.origin(step.reads[i]);
        const StepId then = m_planBefore->origin(before.reads[i]);
        const Step &read = m_plan[now];
        if (read.shape != (*m_planBefore)[then].shape)
            return false;
        using Reach = Dependence::Reach;
        const bool own = on.reach != Reach::AllSequences;
        for (Index b = own ? sequence : 0; b < (own ? sequence + 1 : read.sequences()); ++b) {
            if (on.reach == Reach::Own) {
                if (!isSameRead(now, then, b, headRead(head, step.heads(), read.heads())))
                    return false;
                continue;
            }
            for (Index h = 0; h < read.heads(); ++h)
                if (!isSameRead(now, then, b, h))
                    return false;
        }
    }
    return true;
}

bool Runner::isSameRead(StepId now, StepId before, Index sequence, Index head) {
    const State &state = m_states[now];
    const Index b = m_plan[now].shape[0] == 1 ? 0 : sequence;
    if (state.before == before)
        return state.same[placeOf(now, b, head)];
    // It was made from another stage: do that one's numbers come out the same?
    const Tensor lent = m_task.previous->numbers(before);
    return !state.numbers.isNull() && !lent.isNull() && lent.shape() == m_plan[now].shape &&
           sameNumbers(state.numbers.view(b, head), lent.view(b, head));
}

bool Runner::isSameInput(const Dependence &on, const Step &step, Index sequence) const {
    const Stack stack = step.at.site.stack;
    const Input &before = m_task.previous->input();
    if (on.tokens || on.tokenTypes || on.lengths) {
        const bool source = stack == Stack::Encoder || stack == Stack::Source;
        if (source && !before.source)
            return false;
        const Batch &was = before.of(stack), &is = m_task.input.of(stack);
        if (on.tokens && !isSameText(was[sequence], is[sequence], stack))
            return false;
        if (on.tokenTypes && was[sequence].tokenTypes != is[sequence].tokenTypes)
            return false;
        if (on.lengths && !sameLengths(was, is))
            return false;
    }
    if (!on.mask)
        return true;
    const TraceMasks::List &was = m_task.previous->masks(step.at.site);
    const TraceMasks::List &is = m_task.masks.of(step.at.site);
    const auto at = static_cast<std::size_t>(sequence);
    return was == is || (was && at < was->size() && hideTheSame((*was)[at], (*is)[at]));
}

bool Runner::isSameText(const Sequence &was, const Sequence &is, Stack stack) const {
    if (is.embeddings || was.embeddings)
        return is.embeddings == was.embeddings;
    const Model &before = m_task.previous->model();
    const Vocabulary *words = m_task.model.vocabularyOf(stack);
    const Vocabulary *wordsBefore = before.vocabularyOf(stack);
    return is.tokens == was.tokens && m_task.model.embeddings == before.embeddings &&
           (words == wordsBefore || (words && wordsBefore && *words == *wordsBefore));
}

bool Runner::areParametersSame(StepId id, Index head) {
    const Step &step = m_plan[id], &before = (*m_planBefore)[*m_states[id].before];
    const auto [found, isNew] = m_sameParameters.try_emplace({id, head}, true);
    if (!isNew)
        return found->second;
    const Weights &weights = m_task.model.weights;
    const Weights &weightsBefore = m_task.previous->model().weights;
    for (std::size_t i = 0; i < step.parameters.size() && found->second; ++i) {
        const ParameterSlice &is = step.parameters[i], &was = before.parameters[i];
        const bool identical = parameterOf(weights, is.id) == parameterOf(weightsBefore, was.id);
        found->second =
            is.split == was.split &&
            (identical || sameNumbers(sliceOf(weights, is, step.heads(), head),
                                      sliceOf(weightsBefore, was, before.heads(), head)));
    }
    return found->second;
}

void Runner::keep(StepId id) {
    State &state = m_states[id];
    const Step &step = m_plan[id];
    if (isCopy(step)) {
        state.numbers = m_states[m_plan.origin(step.reads[0])].numbers;
        return;
    }
    const auto isAllSame = [&] { return std::ranges::find(state.same, false) == state.same.end(); };
    if (!state.lent.isNull() && isAllSame()) {
        state.numbers = state.lent;
        return;
    }
    if (dependenceOf(step.operation).reach == Dependence::Reach::AllSequences)
        fillAll(id);
    const std::vector<char> isMade = std::move(state.isMade); // what others have asked for already
    std::vector<float> values = std::move(state.values);
    values.reserve(static_cast<std::size_t>(step.shape.count()));
    forEachMatrix(step, [&](Index b, Index h) {
        const std::size_t place = placeOf(id, b, h);
        for (const std::size_t end = (place + 1) * sizeOfMatrix(step.shape); values.size() < end;) {
            throwIfCancelled(m_task.stop);
            values.resize(std::min(end, values.size() + kCheckedAtOnce));
        }
        const MutableMatrixView out = matrixOf(values, step.shape, b, h);
        if (state.same[place] && !state.lent.isNull()) {
            std::ranges::copy(numbersOf(state.lent.view(b, h)), out.data);
            return;
        }
        if (isMade.empty() || !isMade[place])
            fill(id, b, h, out);
        note(id, h);
        state.same[place] =
            state.same[place] ||
            (!state.lent.isNull() && sameNumbers(MatrixView(out), state.lent.view(b, h)));
    });
    state.values = {};
    state.isMade = {};
    state.numbers =
        !state.lent.isNull() && isAllSame() ? state.lent : Tensor(step.shape, std::move(values));
}

MatrixView Runner::matrix(StepId asked, Index sequence, Index head) {
    const StepId id = m_plan.origin(asked);
    const Step &step = m_plan[id];
    if (isCopy(step))
        return matrix(step.reads[0], sequence, head);
    const State &state = m_states[id];
    const Index b = step.shape[0] == 1 || step.sequences() == 1 ? 0 : sequence;
    if (!state.numbers.isNull())
        return state.numbers.view(b, head);
    const std::size_t place = placeOf(id, b, head);
    if (state.same[place] && !state.lent.isNull())
        return state.lent.view(b, head);
    const bool isMade =
        isVirtual(id) ? state.onlyPlace == place : !state.isMade.empty() && state.isMade[place];
    const MutableMatrixView out = roomFor(id, place);
    if (isMade)
        return out;
    if (dependenceOf(step.operation).reach == Dependence::Reach::AllSequences)
        fillAll(id);
    else
        fill(id, b, head, out);
    return out;
}

MutableMatrixView Runner::roomFor(StepId id, std::size_t place) {
    State &state = m_states[id];
    const Shape &shape = m_plan[id].shape;
    const std::size_t size = sizeOfMatrix(shape);
    if (state.values.empty()) {
        state.values = zeros(isVirtual(id) ? size : size * state.same.size(), m_task.stop);
        if (!isVirtual(id))
            state.isMade.assign(state.same.size(), false);
        m_temporary.push_back(id);
    }
    float *const data = state.values.data() + (isVirtual(id) ? 0 : place * size);
    if (isVirtual(id))
        state.onlyPlace = place;
    else
        state.isMade[place] = true;
    return {data, shape.last(1), shape.last(0), shape.last(0)};
}

void Runner::fill(StepId id, Index sequence, Index head, MutableMatrixView out) {
    throwIfCancelled(m_task.stop);
    const Step &step = m_plan[id];
    const Operands operands = operandsOf(id, sequence, head);
    const Operation *change = step.changeAt(sequence, head);
    if (!change || !replaces(*change))
        apply(step.operation, operands, out);
    if (change)
        apply(*change, operands, out);
    throwIfCancelled(m_task.stop);
    check(id, out);
}

void Runner::fillAll(StepId id) {
    const Step &step = m_plan[id];
    if (step.sequences() == 1 && step.shape.rank() == 2)
        return fill(id, 0, 0, roomFor(id, 0));
    std::vector<MutableMatrixView> out;
    for (Index b = 0; b < step.sequences(); ++b)
        out.push_back(roomFor(id, placeOf(id, b, 0)));
    throwIfCancelled(m_task.stop);
    applyToAll(step.operation, operandsOf(id, 0, 0), out);
    for (const MutableMatrixView matrix : out)
        check(id, matrix);
}

void Runner::check(StepId id, MatrixView made) {
    const Step &step = m_plan[id];
    if (m_overflowed.empty() && !areSound(numbersOf(made), mayHide(step.operation), m_task.stop))
        m_overflowed = stageName(step.at.stage, step.at.site);
}

/// Gives back what no later step needs.
void Runner::release(StepId until) {
    std::erase_if(m_temporary, [&](StepId id) {
        State &state = m_states[id];
        if (state.lastReader > until)
            return false;
        state.values = {};
        state.isMade = {};
        state.onlyPlace = kNone;
        return true;
    });
}

Operands Runner::operandsOf(StepId id, Index sequence, Index head) {
    return {m_plan, m_plan[id], m_task.model, m_task.input, m_task.masks,
            *this,  m_tables,   m_task.stop,  sequence,     head};
}

/// Its matrices are as large as sequences are long, squared: one at a time.
bool Runner::isVirtual(StepId id) const {
    return !m_isKept[id] && infoOf(m_plan[id].at.stage).overKeys();
}

std::size_t Runner::placeOf(StepId id, Index sequence, Index head) const {
    return static_cast<std::size_t>(sequence * m_plan[id].heads() + head);
}

void Runner::note(StepId id, Index head) {
    const Step &step = m_plan[id];
    const std::string name = stageName(step.at.stage, step.at.site);
    if (m_recomputed.empty() || m_recomputed.back() != name)
        m_recomputed.push_back(name);
    // Keys and values are a group's; of which heads they change the scores or contexts, those say.
    if (step.shape.rank() == 4 && !infoOf(step.at.stage).ofKeys())
        m_heads.emplace(step.at.site, head);
}

std::vector<Tensor> Runner::takeNumbers() {
    std::vector<Tensor> numbers;
    for (StepId id = 0; id < m_plan.size(); ++id)
        numbers.push_back(m_isKept[m_plan.origin(id)] ? m_states[m_plan.origin(id)].numbers
                                                      : Tensor());
    return numbers;
}

Work Runner::takeWork() {
    return {std::move(m_recomputed), static_cast<Index>(m_heads.size()), 0};
}

} // namespace headlight::core
