#include "ui/compute/neighbour_layers.h"

#include "core/transformer/plan/trace_bytes.h"
#include "ui/compute/stage_worker.h"

#include <algorithm>
#include <utility>

namespace headlight::ui {

namespace {

bool areOfOnePass(const core::TracePointer &a, const core::TracePointer &b) {
    return a && b && &a->plan() == &b->plan();
}

/// Returns the request for the same stage and head, this many layers later; none if there is no
/// such layer.
std::optional<DetailRequest> lookAfter(const core::Trace &trace, DetailRequest look,
                                       core::Index layers) {
    core::AttentionId &attention = look.at.attention;
    attention.layer += layers;
    if (attention.layer < 0 || !trace.plan().find({core::Stage::AttentionWeights, attention}))
        return std::nullopt;
    look.head = std::min(look.head, trace.model().headsOf(attention) - 1);
    return look;
}

} // namespace

void NeighbourLayers::want(const core::TracePointer &trace, const DetailRequest &shown) {
    const bool byHead = trace->isByHead(core::Stage::AttentionWeights, shown.at.attention);
    if (trace->isWhole() || 2 * core::detailBytes(trace->plan(), byHead) > kMaxBytes)
        return forget();
    const std::array<std::optional<DetailRequest>, 2> looks{lookAfter(*trace, shown, 1),
                                                            lookAfter(*trace, shown, -1)};
    if (areOfOnePass(trace, m_shown) && looks == m_looks) {
        m_shown = trace;
        return m_job.isBusy() ? void() : prepareNext();
    }
    m_job.cancel();
    const std::array<core::TracePointer, 2> known = std::exchange(m_ready, {});
    m_shown = trace;
    m_looks = looks;
    m_failed = {};
    for (std::size_t side = 0; side < m_looks.size(); ++side)
        for (const core::TracePointer &each : known)
            if (m_looks[side] && areOfOnePass(each, trace) && isReady(*each, *m_looks[side]))
                m_ready[side] = each;
    prepareNext();
}

void NeighbourLayers::forget() {
    m_job.cancel();
    m_shown.reset();
    m_looks = {};
    m_ready = {};
    m_failed = {};
}

core::TracePointer NeighbourLayers::exchange(const core::TracePointer &left,
                                             const DetailRequest &wanted) {
    for (core::TracePointer &each : m_ready)
        if (areOfOnePass(each, left) && isReady(*each, wanted)) {
            m_job.cancel(); // it prepares a neighbour of the layer that is left
            // A trace that holds single heads may hold many of them.
            const bool isSmall =
                !left->isByHead(core::Stage::AttentionWeights, wanted.at.attention);
            core::TracePointer found = std::exchange(each, isSmall ? left : nullptr);
            m_looks = {}; // the next want() sorts the layers
            return found;
        }
    return nullptr;
}

std::size_t NeighbourLayers::count() const {
    return m_ready.size() - static_cast<std::size_t>(std::ranges::count(m_ready, nullptr));
}

void NeighbourLayers::prepareNext() {
    for (std::size_t side = 0; side < m_looks.size(); ++side) {
        if (!m_looks[side] || m_ready[side] || m_failed[side] || isReady(*m_shown, *m_looks[side]))
            continue;
        m_job.start([look = *m_looks[side], trace = m_shown->withoutDetails()](
                        const std::stop_token &stop) { return preparedFor(look, trace, stop); },
                    [this, side](core::Result<core::TracePointer> made) {
                        if (made)
                            m_ready[side] = *std::move(made);
                        else
                            m_failed[side] = true;
                        prepareNext();
                    });
        return;
    }
}

} // namespace headlight::ui
