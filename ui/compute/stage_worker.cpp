#include "ui/compute/stage_worker.h"

namespace headlight::ui {

bool isReady(const core::Trace &trace, const DetailRequest &look) {
    const core::StageId at = look.at;
    const std::optional<core::Index> row = requestedRow(trace, look);
    return trace.isReady(core::Stage::AttentionWeights, at.attention, look.sequence, look.head) &&
           trace.isReady(at.stage, at.attention, look.sequence, look.head) &&
           (!row || trace.isRowReady(at.stage, look.sequence, *row));
}

core::TracePointer StageWorker::traceWith(const core::TracePointer &trace,
                                          const DetailRequest &look) {
    if (!trace || isReady(*trace, look)) {
        if (std::exchange(m_wanted, std::nullopt))
            m_runner->cancel();
        m_of = m_made = nullptr; // frees the memory of a completed trace that is no longer shown
        return trace;
    }
    if (trace == m_of && m_made && isReady(*m_made, look))
        return m_made;
    if (trace == m_of && m_wanted == look)
        return nullptr;
    m_of = trace;
    m_made = nullptr;
    m_wanted = look;
    if (!m_runner) {
        m_runner = std::make_unique<TraceRunner>();
        connect(m_runner.get(), &TraceRunner::finished, this,
                [this](quint64, const core::TracePointer &finished) {
                    m_made = finished;
                    m_wanted.reset();
                    emit made();
                });
        connect(m_runner.get(), &TraceRunner::failed, this, [this](quint64, core::Error error) {
            emit failed(error); // m_wanted stays set, because a retry would fail again
        });
    }
    m_runner->request({0, std::nullopt, nullptr, look, trace});
    return nullptr;
}

} // namespace headlight::ui
