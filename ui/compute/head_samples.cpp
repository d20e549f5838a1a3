#include "ui/compute/head_samples.h"

#include <algorithm>

namespace headlight::ui {

HeadSamples::HeadSamples(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

HeadSamples::~HeadSamples() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

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
    if (!m_isRunning)
        makeNext();
}

void HeadSamples::rest() {
    m_wanted.clear();
    m_stop.request_stop();
    ++m_number;
    m_isRunning = false;
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
    m_isRunning = true;
    m_stop = std::stop_source();
    m_pool.start([this, sampler = m_sampler, head = m_wanted.front(), number = m_number,
                  stop = m_stop.get_token()] {
        if (stop.stop_requested())
            return;
        auto sample = sampler->of(head, stop);
        QMetaObject::invokeMethod(
            this, [this, number, head, sample = std::move(sample)] { take(number, head, sample); },
            Qt::QueuedConnection);
    });
}

void HeadSamples::take(quint64 number, core::Index head, core::Result<core::HeadSample> sample) {
    if (number != m_number)
        return;
    m_isRunning = false;
    std::erase(m_wanted, head);
    if (!sample) // the error is shown when the user selects the head
        return makeNext();
    m_sampled.heads.insert_or_assign(head, *std::move(sample));
    makeNext();
    emit made();
}

} // namespace headlight::ui
