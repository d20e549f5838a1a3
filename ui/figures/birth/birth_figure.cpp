#include "ui/figures/birth/birth_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/birth/birth_painting.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <algorithm>

namespace headlight::ui {

QSizeF BirthFigure::naturalSize() const {
    return {m_leftRoom + m_style.scaled(1040), m_style.scaled(680)};
}

QSizeF BirthFigure::minimumSize() const {
    const double heads = std::max<double>(1, static_cast<double>(m_content.heads.size()));
    return {m_leftRoom + m_style.scaled(60 + 250 * heads), m_style.scaled(400)};
}

void BirthFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    if (!m_content.nothing.isEmpty()) {
        paintNoBirth(painter, area.adjusted(m_leftRoom, 0, 0, 0), m_content, m_style);
        painter.restore();
        return;
    }
    const BirthGeometry places = geometry(area);
    for (std::size_t i = 0; i < places.heads.size(); ++i) {
        const BirthHeadPlace &place = places.heads[i];
        const BirthHead &head = m_content.heads[i];
        paintCard(painter, place.card.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 8,
                  m_style);
        HeatmapFigure(head.content, m_style).paintContent(painter, place.large, device);
        if (head.isSilenced) { // the head has weights, but passes nothing on
            painter.setPen(QPen(colourOf(BirthAnswer::State::Wrong, m_style), 2));
            painter.drawLine(place.large.cells.bottomLeft(), place.large.cells.topRight());
        }
        for (std::size_t j = 0; j < place.earlier.size(); ++j) {
            const BirthThumbnail &earlier = head.earlier[place.earlier[j].index];
            paintPattern(painter, place.earlier[j].picture, earlier.content, m_style, device);
            drawLine(painter, place.earlier[j].caption, Qt::AlignLeft, earlier.caption,
                     m_style.font(FigureStyle::Text::Label), m_style.mutedText);
        }
    }
    if (m_content.heads.empty())
        drawWrapped(painter,
                    QRectF(places.answersTitle.left(), area.top() + kFigureMargin,
                           area.right() - kFigureMargin - places.answersTitle.left(),
                           places.answersTitle.top() - area.top() - kFigureMargin),
                    Qt::AlignLeft, m_content.noHeads, m_style.font(FigureStyle::Text::Body),
                    m_style.mutedText);
    paintChips(painter, m_content, places, m_style);
    paintBirthCurve(painter, m_content, places.curve, places.marks, m_style);
    painter.restore();
}

qint64 BirthFigure::cellCount() const {
    qint64 count = 0;
    for (const BirthHead &head : m_content.heads) {
        const core::SharedMatrix matrix = head.content.matrix();
        count += matrix.rows * matrix.columns * static_cast<qint64>(1 + head.earlier.size());
    }
    return count;
}

QString BirthFigure::description() const {
    return describe(m_content);
}

std::optional<double> BirthFigure::stepAt(const BirthGeometry &places, QPointF point) const {
    if (m_content.curves.plots.empty() || !places.curve.card.contains(point))
        return std::nullopt;
    return std::clamp(places.curve.stepAt(point.x()), 0.0, places.curve.lastStep);
}

QString BirthFigure::words(const BirthGeometry &places, QPointF point) const {
    for (std::size_t i = 0; i < places.heads.size(); ++i) {
        const HeatmapContent &content = m_content.heads[i].content;
        if (const auto cell = places.heads[i].large.cellAt(point))
            return tr("%1: %2 looks at %3, weight %4")
                .arg(m_content.heads[i].name, content.rowLabels.value(cell->row),
                     content.columnLabels.value(cell->column),
                     numberText(static_cast<double>(content.matrix()(cell->row, cell->column)), 3));
    }
    for (std::size_t i = 0; i < places.chips.size(); ++i)
        if (places.chips[i].rect.contains(point)) {
            const BirthAnswer &answer = m_content.answers[places.firstChip + i];
            return tr("it answers %1 with a probability of %2")
                .arg(answer.given, percentText(answer.probability));
        }
    if (const auto step = stepAt(places, point))
        return tr("step %1: drag to go back or forward").arg(qRound64(*step));
    return {};
}

} // namespace headlight::ui
