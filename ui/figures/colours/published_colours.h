// The colour maps that were published as 256 colours each, from low to high.
#pragma once

#include <QRgb>

#include <array>

namespace headlight::ui {

extern const std::array<QRgb, 256> kViridis;
extern const std::array<QRgb, 256> kMagma;
extern const std::array<QRgb, 256> kCividis;

} // namespace headlight::ui
