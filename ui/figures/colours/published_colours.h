// Colour maps that were published as tables of 256 colours, from low to high.
#pragma once

#include <QRgb>

#include <array>

namespace headlight::ui {

extern const std::array<QRgb, 256> kViridis;
extern const std::array<QRgb, 256> kMagma;
extern const std::array<QRgb, 256> kCividis;

} // namespace headlight::ui
