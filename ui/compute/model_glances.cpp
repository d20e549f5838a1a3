#include "ui/compute/model_glances.h"

#include <utility>

namespace headlight::ui {

namespace {

constexpr qint64 kMadeInterval = 1000; // ms

} // namespace

void ModelGlances::show(const core::Trace &trace, core::Index sequence,
                        const core::PassGlances *pass) {
    if (of(trace, sequence))
        return;
    rest();
    const std::shared_ptr<const core::TraceGlances> earlier = std::exchange(m_glances, nullptr);
    if (pass)
        m_glances = pass->glancesOf(trace, sequence, earlier.get());
}

void ModelGlances::want(const core::TracePointer &trace, core::Index sequence,
                        const core::PassGlances *pass, std::vector<core::AttentionId> first) {
    show(*trace, sequence, pass);
    m_first = std::move(first);
    if (!m_glances)
        m_glances = std::make_shared<const core::TraceGlances>(*trace, sequence);
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
    const auto place = m_glances ? m_glances->next(m_first) : std::nullopt;
    if (!place)
        return m_holder.reset();
    m_job.start(
        [glances = m_glances, holder = m_holder, place](const std::stop_token &stop) {
            return glances->make(*place, holder.get(), stop);
        },
        [this, place](core::Result<core::HeadGlances> next) {
            auto more = std::make_shared<core::TraceGlances>(*m_glances);
            more->take(*place, std::move(next));
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
