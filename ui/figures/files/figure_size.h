// The size that a figure is asked to have, as a person says it: "800x600", "84mm", "3.3inx2.5in".
#pragma once

#include "ui/figures/base/figure.h"

#include <optional>

namespace headlight::ui {

enum class LengthUnit { Pixel, Millimetre, Inch };
inline constexpr LengthUnit kLengthUnits[]{LengthUnit::Pixel, LengthUnit::Millimetre,
                                           LengthUnit::Inch};

/// "px", "mm", "in".
QString nameOf(LengthUnit unit);
std::optional<LengthUnit> findLengthUnit(const QString &name);

/// Logical pixels, of which 96 make an inch.
inline constexpr double kPixelsPerInch = 96;
double pixelsOf(LengthUnit unit);

struct FigureSize {
    double width = 0;  ///< 0: the figure's own size
    double height = 0; ///< 0: what the figure is high at this width
    LengthUnit unit = LengthUnit::Pixel;

    FigureSize() = default;
    FigureSize(double wide, double high, LengthUnit of = LengthUnit::Pixel)
        : width(wide), height(high), unit(of) {}
    FigureSize(const QSizeF &pixels) : FigureSize(pixels.width(), pixels.height()) {}

    /// "800x600", "84mm", "84x60mm". Nothing where it is none.
    static std::optional<FigureSize> parse(const QString &text);
    /// As it is parsed; empty where it is empty.
    QString text() const;

    bool isEmpty() const { return !(width > 0); }
    /// Of paper, whatever shows it.
    bool isPhysical() const { return !isEmpty() && unit != LengthUnit::Pixel; }
    /// Logical pixels; a side of 0 is not said.
    QSizeF inPixels() const { return QSizeF(width, height) * pixelsOf(unit); }
    bool operator==(const FigureSize &) const = default;
};

/// Logical pixels, as large as it was asked for.
QSizeF sizeOf(const Figure &figure, const FigureSize &asked);

/// As people read it: "317 × 227", "84 × 60 mm". Pixels are rounded up.
QString sizeText(const QSizeF &pixels, LengthUnit unit);

} // namespace headlight::ui
