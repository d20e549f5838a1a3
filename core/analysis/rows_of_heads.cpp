#include "core/analysis/rows_of_heads.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"
#include "core/transformer/run/forward.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace headlight::core {

namespace {

constexpr Index kBytesAtOnce = Index(4) << 20;

} // namespace

RowsOfHeads::RowsOfHeads(const Trace &trace, StepId step, Index sequence)
    : m_trace(trace.withoutDetails()),
      m_step(step),
      m_sequence(trace.plan()[step].sequences() == 1 ? 0 : sequence),
      m_held(trace.isByHead(step) ? Tensor() : trace.held(step)) {
    for (StepId id = 0; m_held.isNull() && id < trace.plan().size(); ++id)
        m_known.push_back(trace.held(id));
}

Result<SharedMatrix> RowsOfHeads::of(Index head, Rows rows, const std::stop_token &stop) const {
    if (stop.stop_requested())
        return cancelled();
    const Index own = m_trace->headOf(m_step, head);
    if (!m_held.isNull())
        return m_held.matrix(m_sequence, own).rowBlock(rows.first, rows.count);
    return makeRows(*m_trace, m_known, m_step, m_sequence, own, rows, stop);
}

Index RowsOfHeads::rowsOfBlock() const {
    const Index bytes = m_trace->plan()[m_step].shape.last(0) * static_cast<Index>(sizeof(float));
    return std::max<Index>(1, kBytesAtOnce / bytes);
}

Outcome RowsOfHeads::inBlocks(Index head, Index count,
                              const std::function<void(Index first, MatrixView rows)> &take,
                              const std::stop_token &stop) const {
    const Index atOnce = rowsOfBlock();
    for (Index first = 0; first < count; first += atOnce) {
        const Result<SharedMatrix> part = of(head, {first, std::min(atOnce, count - first)}, stop);
        if (!part)
            return part.error();
        take(first, part->view());
    }
    return Done{};
}

Outcome RowsOfHeads::inBlocksAtOnce(Index head, Index count,
                                    const std::function<void(Index first, MatrixView rows)> &take,
                                    const std::stop_token &stop) const {
    const Index atOnce = rowsOfBlock();
    std::mutex mutex;
    std::optional<Error> error;
    inParallel((count + atOnce - 1) / atOnce, [&](Index block, Index) {
        const Index first = block * atOnce;
        const Result<SharedMatrix> part = of(head, {first, std::min(atOnce, count - first)}, stop);
        if (part)
            return take(first, part->view());
        const std::scoped_lock lock(mutex);
        if (!error)
            error = part.error();
    });
    return error ? Outcome(*error) : Outcome(Done{});
}

} // namespace headlight::core
