// A figure size as the user enters it: "800x600", "84mm", "3.3inx2.5in".
#pragma once

#include "ui/figures/base/figure.h"

#include <optional>

namespace headlight::ui {

enum class LengthUnit { Pixel, Millimetre, Inch };
inline constexpr LengthUnit kLengthUnits[]{LengthUnit::Pixel, LengthUnit::Millimetre,
                                           LengthUnit::Inch};

/// Returns "px", "mm" or "in".
QString nameOf(LengthUnit unit);
std::optional<LengthUnit> findLengthUnit(const QString &name);

/// logical pixels per inch
inline constexpr double kPixelsPerInch = 96;
double pixelsOf(LengthUnit unit);

struct FigureSize {
    double width = 0;  ///< 0: the figure's natural width
    double height = 0; ///< 0: the figure's height at this width
    LengthUnit unit = LengthUnit::Pixel;

    FigureSize() = default;
    FigureSize(double wide, double high, LengthUnit of = LengthUnit::Pixel)
        : width(wide), height(high), unit(of) {}
    FigureSize(const QSizeF &pixels) : FigureSize(pixels.width(), pixels.height()) {}

    /// Parses "800x600", "84mm", "84x60mm". Returns nothing for other text.
    static std::optional<FigureSize> parse(const QString &text);
    /// Returns text that parse() accepts; empty if the size is empty.
    QString text() const;

    bool isEmpty() const { return !(width > 0); }
    /// True if the size is in millimetres or inches.
    bool isPhysical() const { return !isEmpty() && unit != LengthUnit::Pixel; }
    /// Returns the size in logical pixels. A side of 0 is not set.
    QSizeF inPixels() const { return QSizeF(width, height) * pixelsOf(unit); }
    bool operator==(const FigureSize &) const = default;
};

/// Returns the requested size in logical pixels. Sides that are not set come from the figure.
QSizeF sizeOf(const Figure &figure, const FigureSize &asked);

/// Formats a size for display: "317 × 227", "84 × 60 mm". Pixels are rounded up.
QString sizeText(const QSizeF &pixels, LengthUnit unit);

} // namespace headlight::ui
