#include "ui/compute/silenced_head.h"

namespace headlight::ui {

void SilencedHead::want(const core::Computable &computable, const core::TracePointer &trace,
                        const Place &place) {
    if (isOf(*trace, place) && (m_result || m_job.isBusy()))
        return;
    m_trace = trace->withoutDetails(); // stages computed on demand are not needed
    m_place = place;
    m_result.reset();
    m_job.start(
        [computable, trace = m_trace, place](const std::stop_token &stop) {
            core::AblationTarget target{.place = place.output};
            target.only.emplace(place.head.attention, place.head.head);
            target.withLoss = false;
            return core::ablateHeads(computable, trace, target, stop);
        },
        [this](core::Result<core::AblatedHeads> result) {
            m_result = std::move(result);
            emit made();
        });
}

void SilencedHead::forget() {
    m_job.cancel();
    m_trace.reset();
    m_result.reset();
}

const core::Result<core::AblatedHeads> *SilencedHead::of(const core::Trace &trace,
                                                         const Place &place) const {
    return isOf(trace, place) && m_result ? &*m_result : nullptr;
}

} // namespace headlight::ui
