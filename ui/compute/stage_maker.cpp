#include "ui/compute/stage_maker.h"

namespace headlight::ui {

bool isReady(const core::Trace &trace, const core::StageAt &at) {
    return trace.isReady(core::Stage::Weights, at.site) && trace.isReady(at.stage, at.site);
}

core::TracePointer StageMaker::traceWith(const core::TracePointer &trace, const core::StageAt &at) {
    if (!trace || isReady(*trace, at)) {
        if (std::exchange(m_wanted, std::nullopt))
            m_runner->cancel();
        m_of = m_made = nullptr; // not longer in memory than it is looked at
        return trace;
    }
    if (trace == m_of && m_made && isReady(*m_made, at))
        return m_made;
    if (trace == m_of && m_wanted == at)
        return nullptr;
    m_of = trace;
    m_made = nullptr;
    m_wanted = at;
    if (!m_runner) {
        m_runner = std::make_unique<TraceRunner>();
        connect(m_runner.get(), &TraceRunner::finished, this,
                [this](quint64, const core::TracePointer &finished) {
                    m_made = finished;
                    m_wanted.reset();
                    emit made();
                });
        connect(m_runner.get(), &TraceRunner::failed, this, [this](quint64, core::Error error) {
            emit failed(error); // it stays wanted: asking again would fail again
        });
    }
    m_runner->request({0, trace->model(), trace->input(), nullptr, at, trace});
    return nullptr;
}

} // namespace headlight::ui
