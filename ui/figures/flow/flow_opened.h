// The view that replaces the diagram when a number's arithmetic is expanded: the operands, the
// result, and below them the arithmetic, as large as possible.
#pragma once

#include "ui/figures/arithmetic/arithmetic_table.h"
#include "ui/figures/flow/flow_close_up.h"

namespace headlight::ui {

class FlowOpened {
  public:
    /// `table` is the arithmetic of a number of the close-up's result.
    FlowOpened(FlowCloseUp closeUp, ArithmeticTable table, const FigureStyle &style);

    static QSizeF minimumSize(const FigureStyle &style);
    /// `current` is the matrix with the number, as a window from `origin` on. The formula is at the
    /// bottom of the area.
    FlowGeometry geometry(const QRectF &area, double formulaHeight, const HeatmapFigure &current,
                          const std::optional<Cell> &origin) const;
    void paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &current,
               Device device) const;

    const ArithmeticTable &table() const { return m_table; }
    /// The close-up above the arithmetic.
    const FlowCloseUp &closeUp() const & { return m_closeUp; }

  private:
    FlowCloseUp m_closeUp;
    ArithmeticTable m_table;
    FigureStyle m_style;
};

} // namespace headlight::ui
