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

/// Returns the request for the same stage and layer, `heads` heads later. Unset if there is no such
/// head.
std::optional<DetailRequest> headAfter(const core::Trace &trace, DetailRequest look,
                                       core::Index heads) {
    look.head += heads;
    if (look.head < 0 || look.head >= trace.model().headsOf(look.at.attention))
        return std::nullopt;
    return look;
}

/// Returns the bytes that the trace of a neighbouring head may keep alive: that head's matrices and
/// the displayed head's.
core::Index bytesOfHead(const core::Trace &trace, const DetailRequest &shown) {
    const auto weights = trace.plan().find({core::Stage::AttentionWeights, shown.at.attention});
    const core::Shape &shape = trace.plan()[*weights].shape;
    const bool isOther = shown.at.stage != core::Stage::AttentionWeights &&
                         trace.isByHead(shown.at.stage, shown.at.attention);
    return 2 * (isOther ? 2 : 1) * shape.last(1) * shape.last(0) *
           static_cast<core::Index>(sizeof(float));
}

/// Returns the request for the same stage and head, `layers` layers later. Unset if there is no
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

/// Returns the neighbours that fit into memory.
NeighbourLayers::Looks NeighbourLayers::looksAround(const core::Trace &trace,
                                                    const DetailRequest &shown) {
    m_areHeads = false;
    if (trace.isWhole())
        return {};
    const bool byHead = trace.isByHead(core::Stage::AttentionWeights, shown.at.attention);
    core::Index count =
        m_maxBytes / std::max<core::Index>(1, core::detailBytes(trace.plan(), byHead));
    m_areHeads = byHead && count == 0;
    if (m_areHeads)
        count = m_maxBytes / std::max<core::Index>(1, bytesOfHead(trace, shown));
    Looks looks;
    if (count > 0)
        looks = m_areHeads ? Looks{headAfter(trace, shown, 1), headAfter(trace, shown, -1)}
                           : Looks{lookAfter(trace, shown, 1), lookAfter(trace, shown, -1)};
    const std::size_t wanted = m_goesBack ? 1 : 0;
    if (count == 1 && looks[wanted])
        looks[1 - wanted].reset();
    return looks;
}

void NeighbourLayers::want(const core::TracePointer &trace, const DetailRequest &shown) {
    if (m_around) {
        const auto place = [](const DetailRequest &look) {
            return std::pair(look.at.attention.layer, look.head);
        };
        if (place(*m_around) != place(shown))
            m_goesBack = place(shown) < place(*m_around);
    }
    const Looks looks = looksAround(*trace, shown);
    if (!looks[0] && !looks[1])
        return forget();
    m_around = shown;
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
            m_job.cancel(); // its result would be a neighbour of the previous layer
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
        // Preparing a head requires the rest of its layer, which the displayed trace has.
        m_job.start(
            [look = *m_looks[side], trace = m_areHeads ? m_shown : m_shown->withoutDetails()](
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
