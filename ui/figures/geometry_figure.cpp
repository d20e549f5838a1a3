#include "ui/figures/geometry_figure.h"

#include "ui/figures/number_text.h"
#include "ui/figures/text.h"
#include "ui/figures/trace_heatmap.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using Text = FigureStyle::Text;
using core::VectorSpace;

constexpr double kMargin = 16;
constexpr double kPadding = 14; // within a card
constexpr double kGap = 16;     // between the cards

std::vector<VectorSpace> spacesOf(ShownSpaces shown) {
    switch (shown) {
    case ShownSpaces::Residual:
        return {VectorSpace::Residual};
    case ShownSpaces::QueryKey:
        return {VectorSpace::QueryKey};
    case ShownSpaces::ValueContext:
        return {VectorSpace::ValueContext};
    case ShownSpaces::All:
        break;
    }
    return {VectorSpace::Residual, VectorSpace::QueryKey, VectorSpace::ValueContext};
}

} // namespace

std::optional<std::size_t> GeometryGeometry::planeAt(QPointF point) const {
    for (std::size_t i = 0; i < planes.size(); ++i)
        if (planes[i].plot.contains(point))
            return i;
    return std::nullopt;
}

GeometryFigure::GeometryFigure(std::vector<SpacePlane> planes, QString title, QStringList words,
                               FigureStyle style)
    : m_planes(std::move(planes)),
      m_title(std::move(title)),
      m_words(std::move(words)),
      m_style(std::move(style)) {
    for (const SpacePlane &plane : m_planes)
        m_figures.emplace_back(plane.content, m_style);
}

GeometryFigure GeometryFigure::fromTrace(const core::TracePointer &trace,
                                         const core::Selection &selection, const FigureStyle &style,
                                         const FigureOptions &options,
                                         const HeldProjections &held) {
    std::vector<SpacePlane> planes;
    for (const VectorSpace space : spacesOf(options.plane.spaces))
        planes.push_back(planeOf(trace, selection, space, style, options.plane,
                                 held[static_cast<std::size_t>(space)].get()));
    QString title = options.title;
    if (title.isEmpty() && selection.query)
        title = tr("What %1 attends to, in the plane")
                    .arg(tokensOf(*trace, selection.sequence).value(*selection.query));
    else if (title.isEmpty())
        title = tr("Vectors in the plane");
    return {std::move(planes), std::move(title), planeWords(*trace, selection, options.plane),
            style};
}

QSizeF GeometryFigure::naturalSize() const {
    const double one = m_style.scaled(400);
    return {static_cast<double>(m_planes.size()) * (one + kGap) + 2 * kMargin,
            one + m_style.scaled(110)};
}

QSizeF GeometryFigure::minimumSize() const {
    return {static_cast<double>(m_planes.size()) * m_style.scaled(200) + 2 * kMargin,
            m_style.scaled(300)};
}

GeometryGeometry GeometryFigure::geometry(const QRectF &area, const PlaneSights &sights) const {
    GeometryGeometry geometry;
    geometry.area = area;
    const QRectF inner = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const double titleHeight = lineHeight(m_style.font(Text::Title, true));
    geometry.title = QRectF(inner.left(), inner.top(), inner.width(), titleHeight);
    const double line = lineHeight(m_style.font(Text::Body)) + 4;
    double bottom = inner.bottom();
    for (qsizetype i = m_words.size(); i-- > 0;) {
        geometry.words.insert(geometry.words.begin(),
                              QRectF(inner.left(), bottom - line, inner.width(), line));
        bottom -= line;
    }
    const double top = geometry.title.bottom() + 10;
    const double height = std::max(1.0, bottom - 10 - top);
    const auto count = static_cast<double>(m_planes.size());
    const double width = std::floor((inner.width() - (count - 1) * kGap) / count);
    for (std::size_t i = 0; i < m_planes.size(); ++i) {
        const QRectF card(inner.left() + static_cast<double>(i) * (width + kGap), top, width,
                          height);
        geometry.cards.push_back(card);
        geometry.planes.push_back(m_figures[i].geometry(
            card.adjusted(kPadding, kPadding, -kPadding, -kPadding), sights[i]));
    }
    return geometry;
}

void GeometryFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    paintIn(painter, area, {});
}

void GeometryFigure::paintIn(QPainter &painter, const QRectF &area,
                             const PlaneSights &sights) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(area, m_style.background);
    const GeometryGeometry places = geometry(area, sights);
    drawLine(painter, places.title, Qt::AlignLeft, m_title, m_style.font(Text::Title, true),
             m_style.text);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        painter.setPen(QPen(m_style.border, 1));
        painter.setBrush(m_style.surface);
        painter.drawRoundedRect(places.cards[i].adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter.setBrush(Qt::NoBrush);
        m_figures[i].paintContent(painter, places.planes[i]);
    }
    for (std::size_t i = 0; i < places.words.size(); ++i)
        drawLine(painter, places.words[i], Qt::AlignLeft | Qt::AlignVCenter,
                 m_words[static_cast<qsizetype>(i)], m_style.font(Text::Body), m_style.text);
    painter.restore();
}

QString GeometryFigure::description() const {
    QStringList said{m_title};
    for (const PlaneFigure &figure : m_figures)
        said.append(figure.description());
    return (said + m_words).join(QLatin1Char('\n'));
}

QString GeometryFigure::words(std::size_t plane, std::size_t vector) const {
    if (plane >= m_planes.size() || vector >= m_planes[plane].places.size())
        return {};
    const PlaneVector &shown = m_planes[plane].content.vectors[vector];
    const VectorPlace &place = m_planes[plane].places[vector];
    const QString name = shown.name.isEmpty() ? titleOf(place.stage) : shown.name;
    return tr("%1: (%2, %3) in this plane")
        .arg(name, fixedText(shown.at.x, 3), fixedText(shown.at.y, 3));
}

} // namespace headlight::ui
