// PairsStrip: painting of the visible tokens.
#include "ui/figures/text/text.h"
#include "ui/strip/pairs_strip.h"

#include <QPainter>

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kChipRadius = 4;
constexpr double kEndWidth = 14; // px, width of the mark at an end where more tokens follow

} // namespace

void PairsStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(rect(), m_style.background);
    const QRectF area = tokensArea();
    const QFont label = m_style.font(FigureStyle::Text::Label);
    const bool hasRows = m_text.has_value();
    const double chip = hasRows ? m_layout.chipHeight : area.height();
    if (hasRows)
        drawLine(painter, QRectF(0, area.top(), area.left(), chip), Qt::AlignLeft, tr("current"),
                 label, m_style.mutedText);
    drawLine(painter,
             QRectF(0, area.top() + (hasRows ? chip + m_layout.rowGap : 0), area.left(), chip),
             Qt::AlignLeft, tr("A"), label, m_style.mutedText);
    if (!hasRows) {
        if (m_isComputing)
            drawLine(painter, area, Qt::AlignLeft, tr("computing…"), label, m_style.mutedText);
        return;
    }
    painter.save();
    painter.setClipRect(area.adjusted(-2, -2, 2, 2));
    const QPointF origin = area.topLeft() - QPointF(m_scroll, 0);
    const auto firstAfter =
        std::ranges::upper_bound(m_layout.columns, m_scroll, {}, &PairsLayout::Column::left);
    const auto visible = static_cast<std::size_t>(firstAfter - m_layout.columns.begin());
    for (std::size_t column = visible > 0 ? visible - 1 : 0; column < m_layout.columns.size();
         ++column) {
        const QRectF now = m_layout.chip({column, false}).translated(origin);
        const QRectF a = m_layout.chip({column, true}).translated(origin);
        if (now.left() > area.right())
            break;
        paintToken(painter, {column, false}, now);
        paintToken(painter, {column, true}, a);
        if (m_layout.columns[column].isPair()) {
            painter.setPen(QPen(m_style.mutedText, 1.5));
            painter.drawLine(QPointF(now.center().x(), now.bottom() + 1),
                             QPointF(a.center().x(), a.top() - 1));
        }
        if (column == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_style.selection, 2));
            painter.drawRoundedRect(now.united(a).adjusted(-1, -1, 1, 1), kChipRadius, kChipRadius);
        }
    }
    if (m_dragged) {
        painter.setPen(QPen(m_style.accent, 2));
        painter.drawLine(chipRect(*m_dragged).center(), m_mouse);
    }
    painter.restore();
    paintEnds(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(faint(m_style.accent, m_style.background, 0.6), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// Paints a token, or a dash in place of a missing partner.
void PairsStrip::paintToken(QPainter &painter, Token token, const QRectF &rect) const {
    const QFont font = m_style.font(FigureStyle::Text::Body);
    const PairsLayout::Column &column = m_layout.columns[token.column];
    if (!indexOf(token)) {
        drawLine(painter, rect, Qt::AlignHCenter, QStringLiteral("—"), font, m_style.mutedText);
        return;
    }
    const bool isReplaced =
        column.isPair() && nameOf({token.column, false}) != nameOf({token.column, true});
    painter.setBrush(isReplaced        ? mixed(m_style.accent, m_style.background, 0.12)
                     : column.isPair() ? m_style.surface
                                       : m_style.background);
    const QColor border = token == m_hovered ? m_style.mutedText : m_style.border;
    painter.setPen(column.isPair() ? QPen(border, 1) : QPen(m_style.mutedText, 1, Qt::DashLine));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), kChipRadius, kChipRadius);
    drawLine(painter, rect.adjusted(3, 0, -3, 0), Qt::AlignHCenter, nameOf(token), font,
             m_isComputing ? m_style.mutedText : m_style.text);
}

void PairsStrip::paintEnds(QPainter &painter) const {
    const QRectF area = tokensArea();
    for (const int end : {0, 1}) {
        const bool isCut = end == 0 ? m_scroll > 0 : m_layout.width - m_scroll > area.width() + 0.5;
        if (!isCut)
            continue;
        const QRectF place(end == 0 ? area.left() - 2 : area.right() - kEndWidth + 2, 0, kEndWidth,
                           height());
        painter.fillRect(place, m_style.background);
        painter.setPen(QPen(m_style.mutedText, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const double size = 5, way = end == 0 ? 1 : -1;
        const QPointF middle = place.center();
        painter.drawPolyline(
            QPolygonF({middle + QPointF(way * size / 2, -size), middle - QPointF(way * size / 2, 0),
                       middle + QPointF(way * size / 2, size)}));
    }
}

} // namespace headlight::ui
