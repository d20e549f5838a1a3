// The strip below the flow: the formula of the current stage, and below it the same line with the
// selected numbers. A long line scrolls on screen; a file omits its middle.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <optional>

namespace headlight::ui {

struct ArithmeticStrip {
    Spans formula;
    Spans arithmetic; ///< may be empty

    /// Returns the height of both lines in px, with or without numbers, so that a selection does
    /// not move the layout.
    static double heightFor(const FigureStyle &style);
    /// Returns the height if the numbers are shown elsewhere.
    static double heightOfFormula(const FigureStyle &style);
    QRectF formulaIn(const QRectF &strip, const FigureStyle &style) const;
    /// Returns the font, slightly smaller for enlarged text if the line then fits.
    QFont formulaFont(const QRectF &strip, const FigureStyle &style) const;
    QFont numbersFont(const QRectF &strip, const FigureStyle &style) const;
    QRectF numbersIn(const QRectF &strip, const FigureStyle &style) const;
    /// Returns the width of all numbers in one line, in px.
    double length(const QRectF &strip, const FigureStyle &style) const;

    /// `scroll`: px by which the numbers are scrolled left; none: as in a file.
    void paint(QPainter &painter, const QRectF &strip, const FigureStyle &style,
               std::optional<double> scroll) const;
};

} // namespace headlight::ui
