// A picture in memory, in red, green and blue.
#pragma once

#include "core/tensor/matrix.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headlight::core {

inline constexpr Index kMaxPicturePixels = Index(1) << 26;

/// Each pixel has three bytes: red, green, blue. Pixels are in reading order.
struct Picture {
    Index height = 0;
    Index width = 0;
    std::vector<std::uint8_t> bytes{}; ///< 3 · height · width

    std::uint8_t at(Index y, Index x, Index channel) const {
        return bytes[static_cast<std::size_t>((y * width + x) * 3 + channel)];
    }
    bool operator==(const Picture &) const = default;
};

/// Returns a picture of one colour.
Picture plainPicture(Index height, Index width, std::uint8_t red, std::uint8_t green,
                     std::uint8_t blue);
/// Returns a part of a picture, which must contain it.
Picture croppedPicture(const Picture &picture, Index top, Index left, Index height, Index width);

/// The resampling filter. Its radius is 1 or 2 pixels of the smaller picture.
enum class Resampling { Bilinear, Bicubic };

/// Resizes a picture exactly like Pillow, because most models were trained with its results.
/// Resizes the columns first and then the rows, and rounds each result to bytes. The weights have
/// 22 binary digits. Their kernel widens when the picture shrinks. `height` and `width` are at
/// least 1. Throws Cancelled once `stop` is requested.
Picture resizedPicture(const Picture &picture, Index height, Index width, Resampling resampling,
                       const std::stop_token &stop = {});

} // namespace headlight::core
