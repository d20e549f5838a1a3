#include "ui/compute/softmax_sample_worker.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr std::size_t kMostSpreads = 16; // a few hundred bytes each

} // namespace

SoftmaxSampleWorker::SoftmaxSampleWorker(QObject *parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

SoftmaxSampleWorker::~SoftmaxSampleWorker() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

core::SoftmaxSpreadPointer SoftmaxSampleWorker::spreadOf(core::Index headSize, std::uint64_t seed) {
    const auto known = std::ranges::find_if(m_made, [&](const core::SoftmaxSpreadPointer &spread) {
        return spread->headSize == headSize && spread->seed == seed;
    });
    if (known != m_made.end()) {
        if (std::exchange(m_wanted, std::nullopt))
            m_stop.request_stop();
        return *known;
    }
    const Wanted wanted{headSize, seed};
    if (m_wanted == wanted)
        return nullptr;
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_wanted = wanted;
    m_pool.start([this, wanted, stop = m_stop.get_token()] {
        core::Result<core::SoftmaxSpread> spread =
            core::softmaxSpread(wanted.headSize, wanted.seed, stop);
        if (!spread || stop.stop_requested())
            return;
        QMetaObject::invokeMethod(
            this,
            [this, wanted, drawn = std::make_shared<const core::SoftmaxSpread>(*spread)] {
                take(wanted, drawn);
            },
            Qt::QueuedConnection);
    });
    return nullptr;
}

void SoftmaxSampleWorker::take(const Wanted &of, core::SoftmaxSpreadPointer spread) {
    if (m_wanted != of)
        return; // a newer request replaced this one
    m_wanted.reset();
    if (m_made.size() == kMostSpreads)
        m_made.erase(m_made.begin());
    m_made.push_back(std::move(spread));
    emit made();
}

} // namespace headlight::ui
