// The strip below a figure: the formula of the current stage, and below it the same line with the
// selected numbers. A sum that is too long shows its largest terms and the sum of the others. Other
// long lines scroll on screen; a file omits their middle.
#pragma once

#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

#include <optional>

namespace headlight::ui {

struct ArithmeticStrip {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::ArithmeticStrip)

  public:
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
    /// Returns the numbers as they are shown: if they are too long, the smallest terms of the sum
    /// are "(… 12 more = 0.31)".
    Spans shownNumbers(const QRectF &strip, const FigureStyle &style) const;
    /// Returns the width of the shown numbers, in px.
    double length(const QRectF &strip, const FigureStyle &style) const;

    /// Returns where the number at `x` comes from; none if it is computed here, or if there is no
    /// number. `scroll` as in paint().
    std::optional<core::NumberOrigin> originAt(double x, const QRectF &strip,
                                               const FigureStyle &style, double scroll) const;

    /// `scroll`: px by which the numbers are scrolled left; none: as in a file.
    void paint(QPainter &painter, const QRectF &strip, const FigureStyle &style,
               std::optional<double> scroll) const;
};

} // namespace headlight::ui
