#include "ui/compute/head_samples.h"

#include <algorithm>

namespace headlight::ui {

void HeadSamples::want(const core::Trace &trace, const Place &place,
                       std::vector<core::Index> heads) {
    if (!isOf(trace, place)) {
        forget();
        m_place = place;
        m_sampler = std::make_shared<const core::HeadSampler>(trace, place.at, place.sequence);
        m_sampled.hidden = m_sampler->hidden();
    }
    m_wanted = std::move(heads);
    std::erase_if(m_wanted, [this](core::Index head) { return m_sampled.heads.contains(head); });
    if (!m_job.isBusy())
        makeNext();
}

void HeadSamples::rest() {
    m_wanted.clear();
    m_job.cancel();
}

void HeadSamples::forget() {
    rest();
    m_sampled = {};
    m_sampler.reset();
}

SampledHeads HeadSamples::of(const core::Trace &trace, const Place &place) const {
    return isOf(trace, place) ? m_sampled : SampledHeads();
}

void HeadSamples::makeNext() {
    if (m_wanted.empty())
        return;
    const core::Index head = m_wanted.front();
    m_job.start(
        [sampler = m_sampler, head](const std::stop_token &stop) {
            return sampler->of(head, stop);
        },
        [this, head](core::Result<core::HeadSample> sample) { take(head, std::move(sample)); });
}

void HeadSamples::take(core::Index head, core::Result<core::HeadSample> sample) {
    std::erase(m_wanted, head);
    if (!sample) // the error is shown when the user selects the head
        return makeNext();
    m_sampled.heads.insert_or_assign(head, *std::move(sample));
    makeNext();
    emit made();
}

} // namespace headlight::ui
