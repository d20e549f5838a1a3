#include "ui/compute/softmax_samples.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxSpreads = 16; // a few hundred bytes each

} // namespace

core::SoftmaxSpreadPointer SoftmaxSamples::spreadOf(core::Index headSize, std::uint64_t seed) {
    const auto known = std::ranges::find_if(m_made, [&](const core::SoftmaxSpreadPointer &spread) {
        return spread->headSize == headSize && spread->seed == seed;
    });
    if (known != m_made.end()) {
        m_wanted.reset();
        m_job.cancel();
        return *known;
    }
    const Wanted wanted{headSize, seed};
    if (m_wanted == wanted)
        return nullptr;
    m_wanted = wanted;
    m_job.start(
        [headSize, seed](const std::stop_token &stop) {
            return core::softmaxSpread(headSize, seed, stop);
        },
        [this](core::Result<core::SoftmaxSpread> spread) {
            if (spread) // the only possible error is cancellation
                keep(*std::move(spread));
        });
    return nullptr;
}

void SoftmaxSamples::keep(core::SoftmaxSpread spread) {
    m_wanted.reset();
    if (m_made.size() == kMaxSpreads)
        m_made.erase(m_made.begin());
    m_made.push_back(std::make_shared<const core::SoftmaxSpread>(std::move(spread)));
    emit made();
}

} // namespace headlight::ui
