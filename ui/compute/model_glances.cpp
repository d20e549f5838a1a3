#include "ui/compute/model_glances.h"

namespace headlight::ui {

namespace {

constexpr qint64 kMadeInterval = 1000; // ms

} // namespace

void ModelGlances::want(const core::TracePointer &trace, core::Index sequence) {
    if (!of(*trace, sequence)) {
        forget();
        m_glances = std::make_shared<const core::TraceGlances>(*trace, sequence);
    }
    if (m_job.isBusy())
        return;
    m_holder = trace;
    makeNext();
}

void ModelGlances::rest() {
    m_job.cancel();
    m_holder.reset();
    m_sinceMade.invalidate();
}

void ModelGlances::forget() {
    rest();
    m_glances.reset();
}

std::shared_ptr<const core::TraceGlances> ModelGlances::of(const core::Trace &trace,
                                                           core::Index sequence) const {
    return m_glances && m_glances->isOf(trace, sequence) ? m_glances : nullptr;
}

void ModelGlances::makeNext() {
    if (!m_glances || !m_glances->next())
        return m_holder.reset();
    m_job.start([glances = m_glances, holder = m_holder](
                    const std::stop_token &stop) { return glances->makeNext(holder.get(), stop); },
                [this](core::Result<core::HeadGlances> next) {
                    auto more = std::make_shared<core::TraceGlances>(*m_glances);
                    more->take(*more->next(), std::move(next));
                    m_glances = std::move(more);
                    makeNext();
                    const bool isFirst = !m_sinceMade.isValid(), isLast = !m_glances->next();
                    if (isFirst || isLast || m_sinceMade.hasExpired(kMadeInterval)) {
                        m_sinceMade.start();
                        emit made();
                    }
                });
}

} // namespace headlight::ui
