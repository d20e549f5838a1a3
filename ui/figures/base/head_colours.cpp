#include "ui/figures/base/head_colours.h"

#include <array>

namespace headlight::ui {

namespace {

/// Neighbours differ in hue and in lightness, so that they also differ for the colour-blind.
constexpr std::array<QRgb, 12> kHeadHues{0xFF0072B2, 0xFFD55E00, 0xFF009E73, 0xFFAA3377,
                                         0xFFB8860B, 0xFF4B3FA7, 0xFF2E9FCB, 0xFFC2303C,
                                         0xFF5E8C1F, 0xFFD873B0, 0xFF8C5A2B, 0xFF4F6D7A};

QColor coloured(core::Index head, const FigureStyle &style, double contrast) {
    constexpr auto kHues = static_cast<core::Index>(kHeadHues.size());
    const QColor hue = QColor::fromRgb(kHeadHues[static_cast<std::size_t>(head % kHues)]);
    const core::Index round = head / kHues;
    const QColor colour = round == 0 ? hue : mixed(hue, style.text, round % 2 == 1 ? 0.6 : 0.8);
    return faint(colour, style.background, 0.999, contrast);
}

} // namespace

QColor headColour(core::Index head, const FigureStyle &style) {
    return coloured(head, style, kMarkContrast);
}

QColor headTextColour(core::Index head, const FigureStyle &style) {
    return coloured(head, style, kTextContrast);
}

} // namespace headlight::ui
