#include "core/formats/picture/picture.h"

#include "core/cancelled.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::core {

namespace {

constexpr int kWeightBits = 22;

/// The cubic convolution kernel of Keys (1981), with a = −½.
double bicubic(double x) {
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}
double bilinear(double x) {
    return std::max(0.0, 1 - std::abs(x));
}

/// The pixels of a row from which one pixel of the resized row is computed.
struct Tap {
    Index first = 0;
    std::vector<std::int32_t> weights;
};

std::vector<Tap> tapsOf(Index from, Index to, Resampling resampling) {
    const bool isCubic = resampling == Resampling::Bicubic;
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double widening = std::max(1.0, scale);
    const double reach = (isCubic ? 2 : 1) * widening;
    std::vector<Tap> taps(static_cast<std::size_t>(to));
    std::vector<double> weights;
    for (Index i = 0; i < to; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale;
        const Index first = std::max<Index>(0, static_cast<Index>(centre - reach + 0.5));
        const Index end = std::min(from, static_cast<Index>(centre + reach + 0.5));
        weights.clear();
        double sum = 0;
        for (Index pixel = first; pixel < end; ++pixel) {
            const double x = (static_cast<double>(pixel) - centre + 0.5) / widening;
            weights.push_back(isCubic ? bicubic(x) : bilinear(x));
            sum += weights.back();
        }
        Tap &tap = taps[static_cast<std::size_t>(i)];
        tap.first = first;
        for (const double weight : weights) {
            const double scaled = (sum != 0 ? weight / sum : weight) * (1 << kWeightBits);
            tap.weights.push_back(static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
        }
    }
    return taps;
}

/// Returns the weighted sum of bytes that are `stride` apart, rounded to a byte.
std::uint8_t mixed(const Tap &tap, const std::uint8_t *first, std::size_t stride) {
    std::int64_t sum = std::int64_t(1) << (kWeightBits - 1);
    for (const std::int32_t weight : tap.weights) {
        sum += std::int64_t(weight) * *first;
        first += stride;
    }
    return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kWeightBits, 0, 255));
}

Picture resizedColumns(const Picture &picture, Index width, Resampling resampling,
                       const std::stop_token &stop) {
    Picture made = plainPicture(picture.height, width, 0, 0, 0);
    const std::vector<Tap> taps = tapsOf(picture.width, width, resampling);
    auto out = made.bytes.begin();
    for (Index y = 0; y < picture.height; ++y) {
        throwIfCancelled(stop);
        for (const Tap &tap : taps)
            for (Index channel = 0; channel < 3; ++channel)
                *out++ = mixed(tap,
                               &picture.bytes[static_cast<std::size_t>(
                                   (y * picture.width + tap.first) * 3 + channel)],
                               3);
    }
    return made;
}

Picture resizedRows(const Picture &picture, Index height, Resampling resampling,
                    const std::stop_token &stop) {
    Picture made = plainPicture(height, picture.width, 0, 0, 0);
    const std::vector<Tap> taps = tapsOf(picture.height, height, resampling);
    const auto rowBytes = static_cast<std::size_t>(picture.width) * 3;
    auto out = made.bytes.begin();
    for (const Tap &tap : taps) {
        throwIfCancelled(stop);
        for (std::size_t i = 0; i < rowBytes; ++i)
            *out++ = mixed(tap, &picture.bytes[static_cast<std::size_t>(tap.first) * rowBytes + i],
                           rowBytes);
    }
    return made;
}

} // namespace

Picture plainPicture(Index height, Index width, std::uint8_t red, std::uint8_t green,
                     std::uint8_t blue) {
    Picture made{height, width, {}};
    made.bytes.resize(static_cast<std::size_t>(height * width * 3));
    for (std::size_t i = 0; i < made.bytes.size(); i += 3) {
        made.bytes[i] = red;
        made.bytes[i + 1] = green;
        made.bytes[i + 2] = blue;
    }
    return made;
}

Picture croppedPicture(const Picture &picture, Index top, Index left, Index height, Index width) {
    assert(top >= 0 && left >= 0 && top + height <= picture.height &&
           left + width <= picture.width);
    Picture made = plainPicture(height, width, 0, 0, 0);
    for (Index y = 0; y < height; ++y) {
        const auto from = picture.bytes.begin() + ((top + y) * picture.width + left) * 3;
        std::copy(from, from + width * 3, made.bytes.begin() + y * width * 3);
    }
    return made;
}

Picture resizedPicture(const Picture &picture, Index height, Index width, Resampling resampling,
                       const std::stop_token &stop) {
    assert(height > 0 && width > 0 && picture.height > 0 && picture.width > 0);
    Picture made = picture;
    if (width != made.width)
        made = resizedColumns(made, width, resampling, stop);
    if (height != made.height)
        made = resizedRows(made, height, resampling, stop);
    return made;
}

} // namespace headlight::core
