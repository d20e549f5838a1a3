// Reuses the leading rows of every stage if a text was extended, or changed after its first tokens,
// and no query sees later tokens. This works like a key/value cache, but for all stages and edits.
#include "core/transformer/run/reuse.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Returns the number of equal elements at the start.
template <typename Values, typename Equal = std::ranges::equal_to>
Index sameFirst(const Values &a, const Values &b, Equal equal = {}) {
    return std::ranges::mismatch(a, b, equal).in1 - a.begin();
}

/// True if the shapes differ at most in the number of rows and keys.
bool differInLength(const Step &a, const Step &b) {
    if (a.shape.rank() != b.shape.rank() || a.shape.rank() < 3 || a.sequences() != b.sequences() ||
        a.heads() != b.heads())
        return false;
    return infoOf(a.at.stage).overKeys() || a.shape.last(0) == b.shape.last(0);
}

} // namespace

SameRows Reuse::sameRowsOf(StepId id, Index sequence, Index head) {
    const Step &step = m_run.plan()[id], &before = (*m_planBefore)[*m_run.steps[id].before];
    const Dependence on = dependenceOf(step.operation);
    const RowsRead rowsRead = traitsOf(step.operation).rows;
    if (!makeTheSame(step.operation, before.operation) || !differInLength(step, before) ||
        step.reads.size() != before.reads.size() ||
        step.parameters.size() != before.parameters.size() ||
        on.reach == Dependence::Reach::AllSequences || step.changeAt(sequence, head) ||
        before.changeAt(sequence, head) || !areParametersSame(id, head))
        return {};
    SameRows same{std::min(step.shape.last(1), before.shape.last(1)),
                  std::min(step.shape.last(0), before.shape.last(0))};
    same.rows = std::min(same.rows, sameRowsOfInput(on, step, sequence));
    for (std::size_t which = 0; which < step.reads.size() && same.rows > 0; ++which) {
        const SameRows read = sameRowsRead(id, which, sequence, head);
        if (rowReachOf(step.operation, which) == RowReach::Own) {
            same.rows = std::min(same.rows, read.rows);
            if (infoOf(m_run.plan()[step.reads[which]].at.stage).overKeys())
                same.columns = std::min(same.columns, read.columns);
        } else if (rowsRead == RowsRead::SameAndWeighted) { // only visible keys matter
            const StepId weights = m_run.sourceOf(step.reads[0]);
            same.rows = std::holds_alternative<op::Softmax>(m_run.plan()[weights].operation)
                            ? rowsThatSee(m_run.sourceOf(m_run.plan()[weights].reads[0]), sequence,
                                          same.rows, read.rows)
                            : 0;
        } else if (rowsRead == RowsRead::All) {
            same.rows = 0;
        } else if (infoOf(step.at.stage).overKeys()) {
            same.columns = std::min(same.columns, read.rows);
        } else { // the columns are distances
            same.rows = read.rows < m_run.plan()[step.reads[which]].shape.last(1) ? 0 : same.rows;
        }
    }
    if (on.mask)
        same.rows = sameRowsOfMask(step, sequence, same.rows, same.columns);
    if (rowsRead == RowsRead::SameWithAllKeys &&
        infoOf(m_run.plan()[step.reads[0]].at.stage).overKeys())
        same.rows = rowsThatSee(m_run.sourceOf(step.reads[0]), sequence, same.rows,
                                sameRowsRead(id, 0, sequence, head).columns);
    return same;
}

SameRows Reuse::sameRowsRead(StepId id, std::size_t which, Index sequence, Index head) const {
    const Step &step = m_run.plan()[id], &before = (*m_planBefore)[*m_run.steps[id].before];
    const StepId now = m_run.plan().origin(step.reads[which]);
    const StepState &state = m_run.steps[now];
    if (state.before != m_planBefore->origin(before.reads[which]))
        return {};
    const Step &read = m_run.plan()[now];
    const Index own = headRead(head, step.heads(), read.heads());
    const bool all = dependenceOf(step.operation).reach == Dependence::Reach::AllHeads;
    SameRows same{read.shape.last(1), read.shape.last(0)};
    for (Index h = all ? 0 : own; h < (all ? read.heads() : own + 1); ++h) {
        const MatrixKey place = m_run.placeOf(now, sequenceRead(read, sequence), h);
        if (state.same[place])
            continue;
        same.rows = std::min(same.rows, state.sameRows[place].rows);
        same.columns = std::min(same.columns, state.sameRows[place].columns);
    }
    return same;
}

/// Returns the number of leading tokens with the same embeddings.
Index Reuse::sameFirstTokens(const Sequence &was, const Sequence &is, Stack stack) const {
    if (was.embeddings && is.embeddings) {
        const ParameterBlock before(was.embeddings), now(is.embeddings);
        Index same = 0;
        while (same < std::min(before.rows, now.rows) &&
               sameNumbers(before.rowBlock(same, 1), now.rowBlock(same, 1)))
            ++same;
        return same;
    }
    Sequence before = was; // with the same tokens, so that only embeddings are compared
    before.tokens = is.tokens;
    return isSameText(before, is, stack) ? sameFirst(is.tokens, was.tokens, readAlike) : 0;
}

/// Returns the number of leading rows with the same tokens and token types.
Index Reuse::sameRowsOfInput(const Dependence &on, const Step &step, Index sequence) const {
    const Stack stack = step.at.attention.stack;
    const Input &before = m_run.request.previous->input();
    Index rows = step.shape.last(1);
    if (!on.tokens && !on.tokenTypes)
        return rows;
    if ((stack == Stack::Encoder || stack == Stack::SourceEmbeddings) && !before.source)
        return 0;
    const Sequence &was = before.of(stack)[sequence], &is = m_run.request.input.of(stack)[sequence];
    if (on.tokens) {
        rows = std::min(rows, sameFirstTokens(was, is, stack));
    }
    if (on.tokenTypes && was.tokenTypes != is.tokenTypes)
        rows = was.tokenTypes.empty() || is.tokenTypes.empty()
                   ? 0
                   : std::min(rows, sameFirst(is.tokenTypes, was.tokenTypes));
    return rows;
}

/// Returns the number of leading rows, at most `rows`, with the same mask in the first `columns`
/// columns.
Index Reuse::sameRowsOfMask(const Step &step, Index sequence, Index rows, Index columns) const {
    const TraceMasks::List &was = m_run.request.previous->masks(step.at.attention);
    if (!was)
        return 0;
    const auto at = static_cast<std::size_t>(sequence);
    const Mask &before = (*was)[at], &now = (*m_run.request.masks.of(step.at.attention))[at];
    for (Index row = 0; row < rows; ++row)
        if (!hideTheSame(before, now, row, columns))
            return row;
    return rows;
}

/// Returns the number of leading rows, at most `rows`, that see only the first `columns` keys, both
/// before and now. The attention weights of all other keys are 0, because −∞ hides them before
/// softmax.
Index Reuse::rowsThatSee(StepId mask, Index sequence, Index rows, Index columns) const {
    const Step &step = m_run.plan()[mask];
    const std::optional<StepId> before = m_run.steps[mask].before;
    if (!mayHide(step.operation) || !before || !mayHide((*m_planBefore)[*before].operation))
        return 0;
    const auto at = static_cast<std::size_t>(sequence);
    const Mask &was = (*m_run.request.previous->masks(step.at.attention))[at];
    const Mask &is = (*m_run.request.masks.of(step.at.attention))[at];
    for (Index row = 0; row < rows; ++row)
        if (was.visibleEnd(row) > columns || is.visibleEnd(row) > columns)
            return row;
    return rows;
}

} // namespace headlight::core
