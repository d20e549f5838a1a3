#include "core/formats/sound/resampling.h"

#include "core/cancelled.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace headlight::core {

namespace {

constexpr double kHalfCrossings = 16; // zero crossings on each side

/// Returns sin(πx) ÷ πx with a Hann window.
double windowedSinc(double x) {
    if (x == 0)
        return 1;
    if (std::abs(x) >= kHalfCrossings)
        return 0;
    const double angle = std::numbers::pi * x;
    return std::sin(angle) / angle * (0.5 + 0.5 * std::cos(angle / kHalfCrossings));
}

} // namespace

Sound resampled(const Sound &sound, Index rate, const std::stop_token &stop) {
    if (rate == sound.rate)
        return sound;
    const auto count = static_cast<Index>(sound.samples.size());
    const Index common = std::gcd(rate, sound.rate);
    const Index phases = rate / common; // the weights repeat after this many samples
    const double step = static_cast<double>(sound.rate) / static_cast<double>(rate);
    const double cutoff = std::min(1.0, 1 / step);
    const auto reach = static_cast<Index>(std::ceil(kHalfCrossings / cutoff));
    const Index taps = 2 * reach + 1, made = (count * rate + sound.rate - 1) / sound.rate;
    std::vector<std::vector<double>> weights(static_cast<std::size_t>(std::min(phases, made)));
    Sound result{rate, std::vector<float>(static_cast<std::size_t>(made))};
    for (Index i = 0; i < made; ++i) {
        if (i % 1024 == 0)
            throwIfCancelled(stop);
        // The position of output sample i in the input is i · sound.rate / rate: a whole number and
        // a remainder.
        const Index whole = i * sound.rate / rate;
        std::vector<double> &own = weights[static_cast<std::size_t>(i % phases)];
        if (own.empty()) {
            const double rest =
                static_cast<double>(i * sound.rate % rate) / static_cast<double>(rate);
            for (Index tap = 0; tap < taps; ++tap)
                own.push_back(cutoff *
                              windowedSinc((static_cast<double>(tap - reach) - rest) * cutoff));
        }
        double sum = 0;
        const Index first = std::max<Index>(0, reach - whole);
        const Index end = std::min(taps, count - whole + reach);
        for (Index tap = first; tap < end; ++tap)
            sum +=
                own[static_cast<std::size_t>(tap)] *
                static_cast<double>(sound.samples[static_cast<std::size_t>(whole + tap - reach)]);
        result.samples[static_cast<std::size_t>(i)] = static_cast<float>(sum);
    }
    return result;
}

} // namespace headlight::core
