// The strip beneath the flow: the formula of the current stage and, under it, the same line with
// the selected numbers. A long line scrolls on the screen; in a file it leaves out its middle.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <optional>

namespace headlight::ui {

struct FlowStrip {
    Spans formula;
    Spans arithmetic; ///< may be empty

    /// px that both lines need, whether there are numbers or not: a selection never moves anything.
    static double heightFor(const FigureStyle &style);
    /// The same where the numbers stand elsewhere.
    static double heightOfFormula(const FigureStyle &style);
    /// Where the formula is, within the strip.
    QRectF formulaIn(const QRectF &strip, const FigureStyle &style) const;
    /// Enlarged type is somewhat smaller where the line fits then.
    QFont formulaFont(const QRectF &strip, const FigureStyle &style) const;
    QFont numbersFont(const QRectF &strip, const FigureStyle &style) const;
    /// Where the numbers are, within the strip.
    QRectF numbersIn(const QRectF &strip, const FigureStyle &style) const;
    /// px of all numbers in one line.
    double length(const QRectF &strip, const FigureStyle &style) const;

    /// `scroll`: how far the numbers have gone to the left, px; none: as in a file.
    void paint(QPainter &painter, const QRectF &strip, const FigureStyle &style,
               std::optional<double> scroll) const;
};

} // namespace headlight::ui
