#include "core/transformer/run/forward_scratch.h"

#include "core/cancelled.h"
#include "core/transformer/run/finite.h"

namespace headlight::core {

Operands ForwardScratch::operandsOf(StepId id, Index sequence, Index head, Rows rows) {
    const RunRequest &request = m_run.request;
    return {request.plan, request.plan[id], request.model, request.input, request.masks, *this,
            m_run.tables, request.stop,     sequence,      head,          rows};
}

void ForwardScratch::fill(StepId id, Index sequence, Index head, Rows rows, MutableMatrixView out) {
    const std::stop_token &stop = m_run.request.stop;
    throwIfCancelled(stop);
    const Step &step = m_run.plan()[id];
    const Operands operands = operandsOf(id, sequence, head, rows);
    const Operation *change = step.changeAt(sequence, head);
    if (!change || !replaces(*change))
        apply(step.operation, operands, out);
    if (change)
        apply(*change, operands, out);
    throwIfCancelled(stop);
    const std::span<const float> made(out.data, static_cast<std::size_t>(out.rows * out.columns));
    if (!allFinite(made, mayHide(step.operation), stop))
        m_run.noteUnsound(id);
    if (!m_run.observed.empty() && m_run.observed[id])
        m_run.request.observer->take(*m_run.observed[id], sequence, head, rows.first, out);
}

MatrixView ForwardScratch::rows(StepId asked, Index sequence, Index head, Rows rows) {
    const StepId id = m_run.sourceOf(asked);
    const Step &step = m_run.plan()[id];
    const Index b = sequenceRead(step, sequence);
    const MatrixKey place = m_run.placeOf(id, b, head);
    if (const MatrixView whole = m_run.held(id, place, rows.first); whole.data)
        return whole.rowBlock(rows.first, rows.count);
    assert(m_run.isPassing(id));
    Tile &tile = m_tiles[id];
    const auto view = [&] {
        return MutableMatrixView{tile.data, rows.count, tile.columns, tile.columns};
    };
    if (tile.place == place && tile.rows == rows)
        return view();
    tile.columns = columnsOf(id, b, rows);
    Tile *const below = tileWrittenOver(id, b, head, rows);
    if (below) {
        tile.data = below->data;
    } else {
        if (tile.own.empty() && !m_spare.empty()) {
            tile.own = std::move(m_spare.back());
            m_spare.pop_back();
        }
        const auto size = static_cast<std::size_t>(rows.count * tile.columns);
        if (tile.own.size() < size)
            tile.own.resize(size);
        tile.data = tile.own.data();
    }
    fill(id, b, head, rows, view());
    if (below)
        below->place = kNoMatrix;
    tile.place = place;
    tile.rows = rows;
    return view();
}

Index ForwardScratch::columnsOf(StepId id, Index sequence, Rows rows) const {
    const Step &step = m_run.plan()[id];
    const Index all = step.shape.last(0);
    if (!m_run.isNarrow[id])
        return all;
    const Mask &mask =
        (*m_run.request.masks.of(step.at.attention))[static_cast<std::size_t>(sequence)];
    Index end = 1;
    for (Index row = rows.first; row < rows.first + rows.count && end < all; ++row)
        end = std::max(end, mask.visibleEnd(row));
    return end;
}

ForwardScratch::Tile *ForwardScratch::tileWrittenOver(StepId id, Index sequence, Index head,
                                                      Rows rows) {
    const Step &step = m_run.plan()[id];
    const Operation *change = step.changeAt(sequence, head);
    if (!traitsOf(step.operation).isInPlace || (change && replaces(*change)))
        return nullptr;
    const StepId read = m_run.sourceOf(step.reads[0]);
    const Step &from = m_run.plan()[read];
    if (m_run.steps[read].readers != 1 || from.shape != step.shape)
        return nullptr;
    const MatrixView made = this->rows(read, sequence, head, rows);
    const auto found = m_tiles.find(read);
    const bool isOwn = found != m_tiles.end() && found->second.data == made.data &&
                       made.columns == m_tiles[id].columns;
    return isOwn ? &found->second : nullptr;
}

void ForwardScratch::forget() {
    for (auto &[id, tile] : m_tiles)
        if (!tile.own.empty())
            m_spare.push_back(std::move(tile.own));
    m_tiles.clear();
}

} // namespace headlight::core
