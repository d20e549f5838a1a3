#include "core/transformer/run/reuse.h"

#include "core/transformer/model/parameter_differences.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Maximum number of edits for which the changed columns are determined.
constexpr Index kFewCells = 256;

} // namespace

void Reuse::compare(StepId id) {
    StepState &state = m_run.steps[id];
    const Step &step = m_run.plan()[id];
    state.same.assign(matricesOf(step), false);
    state.sameRows.assign(matricesOf(step), {});
    if (!m_planBefore)
        return;
    const auto named = m_planBefore->find(step.at, step.inner);
    if (!named)
        return;
    state.before = m_planBefore->origin(*named);
    state.numbersBefore = m_run.request.previous->held(*state.before);
    if (!state.numbersBefore.isNull() && state.numbersBefore.shape() == step.shape)
        state.lent = state.numbersBefore;
    const Step &before = (*m_planBefore)[*state.before];
    state.alike = makeTheSame(step.operation, before.operation) && step.shape == before.shape &&
                  step.reads.size() == before.reads.size() &&
                  step.parameters.size() == before.parameters.size();
    forEachMatrix(step, [&](Index b, Index h) {
        const MatrixKey place = m_run.placeOf(id, b, h);
        state.same[place] = isSame(id, b, h);
        if (!state.same[place])
            state.sameRows[place] = sameRowsOf(id, b, h);
    });
}

bool Reuse::isSame(StepId id, Index sequence, Index head) {
    const StepState &state = m_run.steps[id];
    if (!state.alike)
        return false;
    const Step &step = m_run.plan()[id], &before = (*m_planBefore)[*state.before];
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
    return areReadsSame(id, sequence, head);
}

bool Reuse::areReadsSame(StepId id, Index sequence, Index head) const {
    const Step &step = m_run.plan()[id], &before = (*m_planBefore)[*m_run.steps[id].before];
    const Dependence on = dependenceOf(step.operation);
    for (std::size_t i = 0; i < step.reads.size(); ++i) {
        const StepId now = m_run.plan().origin(step.reads[i]);
        const StepId then = m_planBefore->origin(before.reads[i]);
        const Step &read = m_run.plan()[now];
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

bool Reuse::isSameRead(StepId now, StepId before, Index sequence, Index head) const {
    const StepState &state = m_run.steps[now];
    const Index b = m_run.plan()[now].shape[0] == 1 ? 0 : sequence;
    if (state.before == before)
        return state.same[m_run.placeOf(now, b, head)];
    // The input is a different stage from before, so compare the values of both stages.
    const Tensor lent = m_run.request.previous->held(before);
    return !state.numbers.isNull() && !lent.isNull() && lent.shape() == m_run.plan()[now].shape &&
           haveSameBits(state.numbers.view(b, head), lent.view(b, head));
}

bool Reuse::isSameInput(const Dependence &on, const Step &step, Index sequence) const {
    const Stack stack = step.at.attention.stack;
    const Input &before = m_run.request.previous->input();
    if (on.tokens || on.tokenTypes || on.lengths) {
        const bool source = stack == Stack::Encoder || stack == Stack::SourceEmbeddings;
        if (source && !before.source)
            return false;
        const Batch &was = before.of(stack), &is = m_run.request.input.of(stack);
        if (on.tokens && !isSameText(was[sequence], is[sequence], stack))
            return false;
        if (on.tokenTypes && was[sequence].tokenTypes != is[sequence].tokenTypes)
            return false;
        if (on.lengths && !sameLengths(was, is))
            return false;
    }
    if (!on.mask)
        return true;
    const TraceMasks::List &was = m_run.request.previous->masks(step.at.attention);
    const TraceMasks::List &is = m_run.request.masks.of(step.at.attention);
    const auto at = static_cast<std::size_t>(sequence);
    return was == is || (was && at < was->size() && hideTheSame((*was)[at], (*is)[at]));
}

bool Reuse::isSameText(const Sequence &was, const Sequence &is, Stack stack) const {
    if (is.embeddings || was.embeddings)
        return is.embeddings == was.embeddings;
    const Model &before = m_run.request.previous->model();
    const Vocabulary *words = m_run.request.model.vocabularyOf(stack);
    const Vocabulary *wordsBefore = before.vocabularyOf(stack);
    return std::ranges::equal(is.tokens, was.tokens, readAlike) &&
           m_run.request.model.embeddings == before.embeddings &&
           (words == wordsBefore || (words && wordsBefore && *words == *wordsBefore));
}

bool Reuse::areParametersSame(StepId id, Index head) {
    const Step &step = m_run.plan()[id], &before = (*m_planBefore)[*m_run.steps[id].before];
    const auto [found, isNew] = m_sameParameters.try_emplace({id, head}, true);
    if (!isNew)
        return found->second;
    const ModelParameters &weights = m_run.request.model.parameters;
    const ModelParameters &weightsBefore = m_run.request.previous->model().parameters;
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

std::optional<std::vector<Index>> Reuse::changedColumns(StepId id) const {
    const Step &step = m_run.plan()[id];
    const auto *linear = std::get_if<op::Linear>(&step.operation);
    if (!linear || !m_run.steps[id].alike || m_run.steps[id].lent.isNull() || step.heads() > 1)
        return std::nullopt;
    const Step &before = (*m_planBefore)[*m_run.steps[id].before];
    if (!step.changes.empty() || !before.changes.empty())
        return std::nullopt;
    for (Index b = 0; b < step.sequences(); ++b)
        if (!isSameInput(dependenceOf(step.operation), step, b) || !areReadsSame(id, b, 0))
            return std::nullopt;
    std::vector<Index> columns;
    for (std::size_t i = 0; i < step.parameters.size(); ++i) {
        const ParameterBlock is = sliceOf(m_run.request.model.parameters, step.parameters[i], 1, 0);
        const ParameterBlock was =
            sliceOf(m_run.request.previous->model().parameters, before.parameters[i], 1, 0);
        if (i > 0 ? !sameNumbers(is, was)
                  : !is.exists() || !was.exists() || !is.parameter()->hasBaseOf(*was.parameter()))
            return std::nullopt;
        if (i > 0)
            continue;
        const auto cells = differencesOf(*was.parameter(), *is.parameter(), kFewCells);
        if (!cells)
            return std::nullopt;
        for (const CellDifference &cell : *cells)
            columns.push_back(linear->transposed ? cell.row : cell.column);
    }
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

} // namespace headlight::core
