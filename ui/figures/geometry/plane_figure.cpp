#include "ui/figures/geometry/plane_figure.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/geometry/plane_marks.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headlight::ui {

namespace {

using Text = FigureStyle::Text;

constexpr double kMarkSize = 8;
constexpr double kFaint = 0.6; // colour share of a faint vector
constexpr double kMaxNameLength = 140;
constexpr double kMinPlot = 72;      // px of height at the usual text size
constexpr double kMinWidth = 120;    // narrower planes are stacked instead
constexpr int kNamesWithRoom = 36;   // maximum number of names that the plane reserves space for
constexpr double kRoomOfNames = 2.4; // minimum plot area ÷ total area of the names

} // namespace

PlaneMark markOf(core::Stage stage) {
    switch (core::infoOf(stage).role) {
    case core::Role::Query:
        return PlaneMark::Triangle;
    case core::Role::Key:
        return PlaneMark::Square;
    case core::Role::Context:
        return stage == core::Stage::Context ? PlaneMark::Diamond : PlaneMark::Ring;
    case core::Role::Residual:
        return stage == core::Stage::Output ? PlaneMark::Ring : PlaneMark::Dot;
    default:
        return PlaneMark::Dot;
    }
}

namespace {

/// Returns true for one vector of each group of repeated words at the same point. Prefers a
/// selected one.
std::vector<bool> namedOnce(const std::vector<PlaneVector> &vectors) {
    std::map<std::tuple<QString, double, double>, std::size_t> named;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const auto [place, isNew] =
            named.try_emplace({vectors[i].name, vectors[i].at.x, vectors[i].at.y}, i);
        if (!isNew && vectors[i].selected)
            place->second = i;
    }
    std::vector<bool> isNamed(vectors.size(), false);
    for (const auto &[name, index] : named)
        isNamed[index] = true;
    return isNamed;
}

} // namespace

PlaneFigure::PlaneFigure(PlaneContent content, FigureStyle style)
    : m_content(std::move(content)), m_style(std::move(style)) {
    const QFont font = m_style.font(Text::Label);
    const double longest = m_style.scaled(kMaxNameLength);
    const double height = lineHeight(font);
    m_items.reserve(m_content.vectors.size());
    m_names.reserve(m_content.vectors.size());
    const std::vector<bool> isNamed = namedOnce(m_content.vectors);
    for (std::size_t i = 0; i < m_content.vectors.size(); ++i) {
        const PlaneVector &vector = m_content.vectors[i];
        QSizeF size;
        m_names.push_back(vector.name);
        if (!vector.name.isEmpty() && isNamed[i]) {
            const double width = textWidth(vector.name, font);
            size = {std::min(width, longest) + 2, height};
            if (width > longest)
                m_names.back() = elided(vector.name, font, longest);
        }
        m_items.push_back({vector.tip(), vector.from, vector.arrow, size,
                           vector.selected ? 0 : vector.rank + (vector.faint ? 1 : 0),
                           m_style.scaled(vector.selected ? 2 * kMarkSize + 2 : kMarkSize + 1),
                           vector.isFramed});
    }
}

PlaneRequest PlaneFigure::request(const QRectF &area) const {
    const QFont label = m_style.font(Text::Label);
    const auto height = [&](const QString &text, const QFont &font) {
        return wrappedHeight(text, font, area.width());
    };
    PlaneRequest request;
    request.area = area;
    request.titleHeight = height(m_content.title, m_style.font(Text::Body, true));
    request.subtitleHeight = height(m_content.subtitle, label);
    request.noteHeight = height(m_content.note, label);
    request.xNameHeight = height(m_content.xName, label);
    request.yNameHeight = height(m_content.yName, label);
    request.lineHeight = lineHeight(label);
    request.tickWidth = textWidth(QStringLiteral("−0.00"), label);
    return request;
}

double PlaneFigure::besidesPlot(double width) const {
    return PlaneGeometry::besidesPlot(request({0, 0, width, 0}));
}

double PlaneFigure::leftOfPlot() const {
    return textWidth(QStringLiteral("−0.00"), m_style.font(Text::Label)) + 4;
}

QSizeF PlaneFigure::minPlot(double width) const {
    const double least = m_style.scaled(kMinPlot);
    if (!m_content.nothing.isEmpty())
        return {least, least};
    double namesArea = 0, widest = 0;
    int count = 0;
    for (const PlaneItem &item : m_items) {
        if (item.name.isEmpty() || ++count > kNamesWithRoom)
            continue;
        namesArea += item.name.width() * item.name.height();
        widest = std::max(widest, item.name.width());
    }
    const double plot = std::max(1.0, width - leftOfPlot());
    return {std::max(m_style.scaled(kMinWidth), widest + m_style.scaled(2 * kMarkSize)),
            std::max(least, kRoomOfNames * namesArea / plot)};
}

bool PlaneFigure::showsAllNames(const PlaneGeometry &geometry) const {
    std::ptrdiff_t named = 0, shown = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        named += m_items[i].name.isEmpty() ? 0 : 1;
        shown += geometry.names[i].rect.isEmpty() ? 0 : 1;
    }
    return named == shown || named > kNamesWithRoom || !m_content.nothing.isEmpty();
}

PlaneGeometry PlaneFigure::geometry(const QRectF &area, std::optional<PlaneViewport> sight) const {
    PlaneRequest asked = request(area);
    asked.showsOrigin = m_content.showsOrigin;
    asked.items = m_items;
    for (const PlaneLine &line : m_content.lines) {
        asked.lines.emplace_back(line.from, line.to);
        if (line.isFramed)
            asked.framed.push_back(line.to);
    }
    asked.sight = sight;
    PlaneGeometry geometry = PlaneGeometry::of(asked);
    double widest = asked.tickWidth;
    for (const double tick : geometry.yTicks)
        widest = std::max(widest,
                          textWidth(tickText(tick, geometry.tickStep), m_style.font(Text::Label)));
    if (widest > asked.tickWidth) { // do not cut off numbers that are longer than usual
        asked.tickWidth = widest;
        geometry = PlaneGeometry::of(asked);
    }
    return geometry;
}

void PlaneFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.surface, m_style);
    paintContent(painter, geometry(area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin,
                                                 -kFigureMargin)));
    painter.restore();
}

void PlaneFigure::paintContent(QPainter &painter, const PlaneGeometry &geometry) const {
    drawWrapped(painter, geometry.title, Qt::AlignLeft, m_content.title,
                m_style.font(Text::Body, true),
                m_content.titleColour.isValid() ? m_content.titleColour : m_style.text);
    const QFont label = m_style.font(Text::Label);
    drawWrapped(painter, geometry.subtitle, Qt::AlignLeft, m_content.subtitle, label,
                m_style.mutedText);
    if (!m_content.nothing.isEmpty()) {
        QRectF middle = geometry.plot;
        middle.setHeight(wrappedHeight(m_content.nothing, label, middle.width()));
        middle.moveCenter(geometry.plot.center());
        drawWrapped(painter, middle, Qt::AlignHCenter, m_content.nothing, label, m_style.mutedText);
        return;
    }
    drawWrapped(painter, geometry.note, Qt::AlignLeft, m_content.note, label,
                m_content.noteColour.isValid() ? m_content.noteColour : m_style.mutedText);
    drawWrapped(painter, geometry.yName, Qt::AlignLeft, m_content.yName, label, m_style.mutedText);
    drawWrapped(painter, geometry.xName, Qt::AlignRight, m_content.xName, label, m_style.mutedText);
    paintGrid(painter, geometry);
    for (const PlaneLine &line : m_content.lines) {
        QPen pen(line.colour, line.thickness, line.dashed ? Qt::DashLine : Qt::SolidLine);
        drawArrow(painter, {geometry.onScreen(line.from), geometry.onScreen(line.to)},
                  geometry.plot, pen, line.head);
    }
    paintVectors(painter, geometry);
    paintNames(painter, geometry);
}

void PlaneFigure::paintGrid(QPainter &painter, const PlaneGeometry &geometry) const {
    const QRectF &plot = geometry.plot;
    const QPen grid(mixed(m_style.border, m_style.surface, 0.7), 1);
    const QPen axis(m_style.mutedText, 1);
    const QFont font = m_style.font(Text::Label);
    for (const double tick : geometry.xTicks) {
        const double x = std::round(geometry.onScreen({tick, 0}).x()) + 0.5;
        painter.setPen(tick == 0 && m_content.showsOrigin ? axis : grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const QString text = tickText(tick, geometry.tickStep);
        const double width = textWidth(text, font); // used to keep the number inside the card
        const double left =
            std::clamp(x - width / 2, plot.left() - 2, geometry.area.right() - width);
        drawFitting(painter, {left, plot.bottom() + 4, width, geometry.lineHeight}, text, font,
                    m_style.mutedText);
    }
    for (const double tick : geometry.yTicks) {
        const double y = std::round(geometry.onScreen({0, tick}).y()) + 0.5;
        painter.setPen(tick == 0 && m_content.showsOrigin ? axis : grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        // Keep the lowest label above the numbers of the horizontal axis.
        const double top =
            std::min(y - geometry.lineHeight / 2, plot.bottom() + 2 - geometry.lineHeight);
        drawLine(painter,
                 {geometry.area.left(), top, plot.left() - 4 - geometry.area.left(),
                  geometry.lineHeight},
                 Qt::AlignRight | Qt::AlignVCenter, tickText(tick, geometry.tickStep), font,
                 m_style.mutedText);
    }
    painter.setPen(QPen(m_style.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot.adjusted(0.5, 0.5, -0.5, -0.5));
}

void PlaneFigure::paintVectors(QPainter &painter, const PlaneGeometry &geometry) const {
    const auto colourOf = [this](const PlaneVector &vector) {
        return vector.faint ? faint(vector.colour, m_style.surface, kFaint) : vector.colour;
    };
    for (const PlaneVector &vector : m_content.vectors)
        if (vector.arrow)
            drawArrow(painter, {geometry.onScreen(vector.from), geometry.onScreen(vector.tip())},
                      geometry.plot, QPen(colourOf(vector), vector.thickness), true);
    for (const PlaneVector &vector : m_content.vectors) {
        const QPointF tip = geometry.onScreen(vector.tip());
        if (!geometry.plot.contains(tip))
            continue;
        const double size = m_style.scaled(kMarkSize);
        if (vector.selected && !m_style.isPaper) {
            painter.setPen(QPen(m_style.selection, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(tip, size, size);
        }
        drawMark(painter, vector.mark, tip, size, colourOf(vector), m_style.surface);
    }
}

void PlaneFigure::paintNames(QPainter &painter, const PlaneGeometry &geometry) const {
    const QFont plain = m_style.font(Text::Label);
    for (std::size_t i = 0; i < m_content.vectors.size(); ++i) {
        const PlaneName &name = geometry.names[i];
        if (name.rect.isEmpty())
            continue;
        const PlaneVector &vector = m_content.vectors[i];
        if (name.leader) {
            painter.setPen(QPen(m_style.border, 1));
            const QPointF tip = geometry.onScreen(vector.tip());
            painter.drawLine(tip, {std::clamp(tip.x(), name.rect.left(), name.rect.right()),
                                   std::clamp(tip.y(), name.rect.top(), name.rect.bottom())});
        }
        drawFitting(painter, name.rect.adjusted(1, 0, 0, 0), m_names[i], plain,
                    vector.faint ? m_style.mutedText : m_style.text);
    }
}

QString PlaneFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return QStringLiteral("%1: %2").arg(m_content.title, m_content.nothing);
    QStringList places;
    constexpr std::size_t kMaxDescribed = 50; // limit for screen readers
    for (std::size_t i = 0; i < std::min(kMaxDescribed, m_content.vectors.size()); ++i) {
        const PlaneVector &vector = m_content.vectors[i];
        if (!vector.name.isEmpty())
            places.append(
                tr("%1 at (%2, %3)")
                    .arg(vector.name, numberText(vector.at.x, 2), numberText(vector.at.y, 2)));
    }
    QStringList parts{m_content.title, m_content.subtitle, m_content.note,
                      places.join(QStringLiteral("; "))};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(". "));
}

} // namespace headlight::ui
