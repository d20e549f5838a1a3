#include "ui/figures/flow/flow_opened.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"

namespace headlight::ui {

namespace {

constexpr double kArithmeticShare = 0.57; // maximum share of the height

} // namespace

FlowOpened::FlowOpened(FlowCloseUp closeUp, ArithmeticTable table, const FigureStyle &style)
    : m_closeUp(std::move(closeUp)), m_table(std::move(table)), m_style(style) {}

QSizeF FlowOpened::minimumSize(const FigureStyle &style) {
    return {160 + style.scaled(300), 120 + style.scaled(240)};
}

FlowGeometry FlowOpened::geometry(const QRectF &area, double formulaHeight,
                                  const HeatmapFigure &current,
                                  const std::optional<Cell> &origin) const {
    FlowGeometry geometry;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    geometry.formula =
        QRectF(inner.left(), inner.bottom() - formulaHeight, inner.width(), formulaHeight);
    const double gap = m_style.scaled(10);
    const double height = geometry.formula.top() - gap - inner.top();
    const double arithmetic = m_table.heightFor(inner.width() - 2 * kCardPadding,
                                                kArithmeticShare * height - 2 * kCardPadding) +
                              2 * kCardPadding;
    geometry.arithmetic =
        QRectF(inner.left(), geometry.formula.top() - gap - arithmetic, inner.width(), arithmetic);

    m_closeUp.place(
        geometry, QRectF(inner.topLeft(), QPointF(inner.right(), geometry.arithmetic.top() - gap)),
        current, origin, FlowCloseUp::Room::Shared);
    return geometry;
}

void FlowOpened::paint(QPainter &painter, const FlowGeometry &geometry,
                       const HeatmapFigure &current, Device device) const {
    m_closeUp.paint(painter, geometry, current, device);
    paintCard(painter, geometry.arithmetic.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1),
              6, m_style);
    m_table.paint(painter, geometry.arithmetic.adjusted(kCardPadding, kCardPadding, -kCardPadding,
                                                        -kCardPadding));
}

} // namespace headlight::ui
