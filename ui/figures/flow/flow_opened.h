// What stands in place of the diagram where a number's arithmetic is opened: the matrices that
// meet, the one that they make, and beneath them the arithmetic, as large as there is room.
#pragma once

#include "ui/figures/arithmetic/arithmetic_table.h"
#include "ui/figures/flow/flow_close_up.h"

namespace headlight::ui {

class FlowOpened {
  public:
    /// The arithmetic of a number of the matrix that they make.
    FlowOpened(FlowCloseUp meeting, ArithmeticTable table, const FigureStyle &style);

    static QSizeF minimumSize(const FigureStyle &style);
    /// `current`: the matrix that has the number, of a window onto it from `origin` on. The formula
    /// stands at the bottom of the area.
    FlowGeometry geometry(const QRectF &area, double formulaHeight, const HeatmapFigure &current,
                          const std::optional<Cell> &origin) const;
    void paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &current,
               Device device) const;

    const ArithmeticTable &table() const { return m_table; }
    /// What stands above it.
    const FlowCloseUp &meeting() const & { return m_meeting; }

  private:
    FlowCloseUp m_meeting;
    ArithmeticTable m_table;
    FigureStyle m_style;
};

} // namespace headlight::ui
