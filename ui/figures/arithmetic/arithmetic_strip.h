// The strip below a figure: the formula of the current stage, and below it the same formula with
// the selected numbers. Numbers that are too long are folded (folded_line.h).
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

    /// Returns the height of both lines in px, even if there are no numbers, so that a selection
    /// does not move the layout.
    static double heightFor(const FigureStyle &style);
    /// Returns the height of the formula line only, for numbers that are shown elsewhere.
    static double heightOfFormula(const FigureStyle &style);
    QRectF formulaIn(const QRectF &strip, const FigureStyle &style) const;
    /// Returns the formula's font. Enlarged text is reduced slightly if the line fits only then.
    QFont formulaFont(const QRectF &strip, const FigureStyle &style) const;
    QFont numbersFont(const QRectF &strip, const FigureStyle &style) const;
    QRectF numbersIn(const QRectF &strip, const FigureStyle &style) const;
    /// Returns the numbers as they are shown, folded if they are too long.
    Spans shownNumbers(const QRectF &strip, const FigureStyle &style) const;

    /// Returns the origin of the number at `x`; none if it is computed here, or if there is no
    /// number.
    std::optional<core::NumberOrigin> originAt(double x, const QRectF &strip,
                                               const FigureStyle &style) const;

    void paint(QPainter &painter, const QRectF &strip, const FigureStyle &style) const;
};

} // namespace headlight::ui
