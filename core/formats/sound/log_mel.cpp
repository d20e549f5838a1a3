#include "core/formats/sound/log_mel.h"

#include "core/cancelled.h"
#include "core/formats/sound/resampling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace headlight::core {

namespace {

// Slaney's mel scale is linear below 1000 Hz and logarithmic above.
constexpr double kLinearMels = 15, kLinearHertz = 1000;
constexpr double kHighestHertz = 8000; // the last band ends there at every rate
double logStep() {
    return std::log(6.4) / 27;
}
double melsOf(double hertz) {
    return hertz < kLinearHertz ? hertz * kLinearMels / kLinearHertz
                                : kLinearMels + std::log(hertz / kLinearHertz) / logStep();
}
double hertzOf(double mels) {
    return mels < kLinearMels ? mels * kLinearHertz / kLinearMels
                              : kLinearHertz * std::exp(logStep() * (mels - kLinearMels));
}

/// Fourier transform of real frames, all of the same even size.
class PowerSpectrum {
  public:
    explicit PowerSpectrum(Index size) : m_size(size), m_half(size / 2) {
        for (Index k = 0; k <= m_half; ++k)
            for (Index n = 0; n < m_half; ++n) {
                // Takes the remainder, because small angles are more precise.
                const double angle = 2 * std::numbers::pi * static_cast<double>(k * n % m_size) /
                                     static_cast<double>(m_size);
                m_cosines.push_back(std::cos(angle));
                m_sines.push_back(std::sin(angle));
            }
    }

    /// Sets `power` to the squares of the absolute values of the frequencies 0 to size / 2. Sample
    /// n and sample size − n have the same cosine and opposite sines, so they are combined first.
    void compute(const std::vector<double> &frame, std::vector<double> &power) {
        const auto at = [&](Index n) { return frame[static_cast<std::size_t>(n)]; };
        m_sums.assign(static_cast<std::size_t>(m_half), 0);
        m_differences = m_sums;
        m_sums[0] = at(0);
        for (Index n = 1; n < m_half; ++n) {
            m_sums[static_cast<std::size_t>(n)] = at(n) + at(m_size - n);
            m_differences[static_cast<std::size_t>(n)] = at(n) - at(m_size - n);
        }
        power.resize(static_cast<std::size_t>(m_half) + 1);
        const double *cosine = m_cosines.data(), *sine = m_sines.data();
        for (Index k = 0; k <= m_half; ++k) {
            double real = (k % 2 == 0 ? 1 : -1) * at(m_half), imaginary = 0;
            for (std::size_t n = 0; n < m_sums.size(); ++n) {
                real += m_sums[n] * cosine[n];
                imaginary += m_differences[n] * sine[n];
            }
            power[static_cast<std::size_t>(k)] = real * real + imaginary * imaginary;
            cosine += m_half;
            sine += m_half;
        }
    }

  private:
    Index m_size, m_half;
    std::vector<double> m_cosines, m_sines; ///< [size / 2 + 1, size / 2]
    std::vector<double> m_sums, m_differences;
};

/// Returns the sample at `index` of audio that continues as its mirror image at both ends.
double mirrored(const std::vector<float> &samples, Index index) {
    const auto last = static_cast<Index>(samples.size()) - 1;
    index = std::abs(index);
    index = index > last ? 2 * last - index : index;
    return static_cast<double>(
        samples[static_cast<std::size_t>(std::clamp<Index>(index, 0, last))]);
}

} // namespace

std::vector<double> melFilters(const SoundPreparation &preparation) {
    const Index bands = preparation.bands, bins = preparation.window / 2 + 1;
    std::vector<double> edges;
    for (Index i = 0; i < bands + 2; ++i)
        edges.push_back(hertzOf(melsOf(kHighestHertz) * static_cast<double>(i) /
                                static_cast<double>(bands + 1)));
    const double highest =
        static_cast<double>(preparation.rate) / 2; // the frequency of the last bin
    std::vector<double> filters;
    filters.reserve(static_cast<std::size_t>(bands * bins));
    for (std::size_t band = 0; band < static_cast<std::size_t>(bands); ++band) {
        const double low = edges[band], middle = edges[band + 1], high = edges[band + 2];
        for (Index bin = 0; bin < bins; ++bin) {
            const double hertz = highest * static_cast<double>(bin) / static_cast<double>(bins - 1);
            const double rising = (hertz - low) / (middle - low);
            const double falling = (high - hertz) / (high - middle);
            filters.push_back(std::max(0.0, std::min(rising, falling)) * 2 / (high - low));
        }
    }
    return filters;
}

Matrix logMelFrames(const Sound &sound, const SoundPreparation &preparation,
                    const std::stop_token &stop) {
    assert(preparation.window % 2 == 0 && preparation.frames > 0);
    Sound read = resampled(sound, preparation.rate, stop);
    read.samples.resize(static_cast<std::size_t>(preparation.samples())); // cuts or appends silence
    const Index size = preparation.window, bands = preparation.bands;
    std::vector<double> window, frame(static_cast<std::size_t>(size)), power;
    for (Index n = 0; n < size; ++n)
        window.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) /
                                              static_cast<double>(size)));
    const std::vector<double> filters = melFilters(preparation);
    PowerSpectrum spectrum(size);
    std::vector<double> logs;
    logs.reserve(static_cast<std::size_t>(preparation.frames * bands));
    for (Index t = 0; t < preparation.frames; ++t) {
        throwIfCancelled(stop);
        for (Index n = 0; n < size; ++n)
            frame[static_cast<std::size_t>(n)] =
                window[static_cast<std::size_t>(n)] *
                mirrored(read.samples, t * preparation.hop + n - size / 2);
        if (std::ranges::all_of(frame, [](double sample) { return sample == 0; }))
            power.assign(static_cast<std::size_t>(size / 2) + 1, 0);
        else
            spectrum.compute(frame, power);
        auto filter = filters.begin();
        for (Index band = 0; band < bands; ++band) {
            double sum = 0;
            for (const double each : power)
                sum += each * *filter++;
            logs.push_back(std::log10(std::max(sum, 1e-10)));
        }
    }
    const double floor = *std::ranges::max_element(logs) - 8;
    Matrix frames(preparation.frames, bands);
    auto log = logs.begin();
    for (Index t = 0; t < preparation.frames; ++t)
        for (Index band = 0; band < bands; ++band)
            frames(t, band) = static_cast<float>((std::max(*log++, floor) + 4) / 4);
    return frames;
}

} // namespace headlight::core
