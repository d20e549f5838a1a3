#include "ui/figures/geometry/geometry_figure.h"

#include "core/analysis/row_measures.h"
#include "ui/figures/card.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/spacing.h"
#include "ui/figures/text/text.h"
#include "ui/words/number_text.h"
#include "ui/words/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using Text = FigureStyle::Text;
using core::VectorSpace;

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

/// One vector of a stage.
QString nounOf(core::Stage stage) {
    switch (stage) {
    case core::Stage::Query:
        return GeometryFigure::tr("query");
    case core::Stage::Key:
        return GeometryFigure::tr("key");
    case core::Stage::Value:
        return GeometryFigure::tr("value");
    case core::Stage::Context:
        return GeometryFigure::tr("context");
    case core::Stage::Output:
    case core::Stage::Concatenated:
        return GeometryFigure::tr("output");
    default:
        return QStringLiteral("x");
    }
}

using Cards = std::vector<QRectF>;

Cards inARow(const QRectF &room, std::size_t count) {
    const auto n = static_cast<double>(count);
    const double width = std::floor((room.width() - (n - 1) * kFigureMargin) / n);
    Cards cards;
    for (std::size_t i = 0; i < count; ++i)
        cards.emplace_back(room.left() + static_cast<double>(i) * (width + kFigureMargin),
                           room.top(), width, room.height());
    return cards;
}

Cards inAColumn(const QRectF &room, std::size_t count) {
    const auto n = static_cast<double>(count);
    const double height = std::floor((room.height() - (n - 1) * kFigureMargin) / n);
    Cards cards;
    for (std::size_t i = 0; i < count; ++i)
        cards.emplace_back(room.left(),
                           room.top() + static_cast<double>(i) * (height + kFigureMargin),
                           room.width(), height);
    return cards;
}

/// Side by side; where that makes them narrow, the first beside a column of the others, or all in a
/// column: so that the squares that fit into their plots are largest.
Cards arranged(const QRectF &room, std::size_t count, double beside, double above) {
    std::vector<Cards> choices{inARow(room, count), inAColumn(room, count)};
    if (count == 3) {
        const Cards halves = inARow(room, 2);
        Cards cards = inAColumn(halves[1], 2);
        cards.insert(cards.begin(), halves[0]);
        choices.push_back(std::move(cards));
    }
    const auto worth = [&](const Cards &cards) {
        double sum = 0;
        for (const QRectF &card : cards) {
            const double side =
                std::max(0.0, std::min(card.width() - beside, card.height() - above));
            sum += side * side;
        }
        return sum;
    };
    return *std::max_element(choices.begin(), choices.end(),
                             [&](const Cards &a, const Cards &b) { return worth(a) < worth(b); });
}

/// Why the side of the comparison that is asked for has no planes; empty: it has.
QString whyNotSide(const core::Trace &now, core::Selection selection, const Compared &compared) {
    if (compared.shown == Shown::Now)
        return {};
    if (compared.shown == Shown::Difference)
        return GeometryFigure::noDifference();
    selection.stage = core::Stage::Value; // of a sequence, a layer and a head
    return whyNot(now, selection, compared, Shown::A);
}

core::Selection placeInA(const core::Trace &a, const Compared &compared,
                         core::Selection selection) {
    selection = inA(compared, selection);
    if (selection.query && *selection.query >= a.queries(selection.site()).length())
        selection.query.reset();
    if (selection.key && *selection.key >= a.keys(selection.site()).length())
        selection.key.reset();
    return selection;
}

} // namespace

std::optional<std::size_t> GeometryGeometry::planeAt(QPointF point) const {
    for (std::size_t i = 0; i < planes.size(); ++i)
        if (planes[i].plot.contains(point))
            return i;
    return std::nullopt;
}

GeometryFigure::GeometryFigure(core::TracePointer trace, const core::Selection &selection,
                               std::vector<SpacePlane> planes, QString title, QStringList words,
                               FigureStyle style)
    : m_trace(std::move(trace)),
      m_selection(selection),
      m_planes(std::move(planes)),
      m_title(std::move(title)),
      m_words(std::move(words)),
      m_style(std::move(style)) {
    for (const SpacePlane &plane : m_planes)
        m_figures.emplace_back(plane.content, m_style);
}

GeometryFigure GeometryFigure::fromTrace(const core::TracePointer &now,
                                         const core::Selection &selected, const FigureStyle &style,
                                         const FigureOptions &options,
                                         const HeldProjections &held) {
    if (const QString why = whyNotSide(*now, selected, options.compared); !why.isEmpty()) {
        SpacePlane none;
        none.content.nothing = why;
        return {now, selected, {none}, options.title, {}, style};
    }
    const bool showsA = options.compared.shown == Shown::A;
    const core::TracePointer &trace = showsA ? options.compared.a : now;
    const core::Selection selection =
        showsA ? placeInA(*trace, options.compared, selected) : selected;
    std::vector<SpacePlane> planes;
    for (const VectorSpace space : spacesOf(options.plane.spaces))
        planes.push_back(planeOf(trace, selection, space, style, options.plane,
                                 held[static_cast<std::size_t>(space)].get()));
    QString title = options.title;
    if (title.isEmpty() && selection.query)
        title = tr("What “%1” attends to, in the plane")
                    .arg(queryTokens(*trace, selection).value(*selection.query));
    else if (title.isEmpty())
        title = tr("Vectors in the plane");
    // Without a word to follow they are a hint of what to click.
    const bool hasWords = selection.query || !style.isPaper;
    return {trace,
            selection,
            std::move(planes),
            std::move(title),
            hasWords ? planeWords(*trace, selection, options.plane) : QStringList(),
            style};
}

QString GeometryFigure::noDifference() {
    return tr("the planes show one side of a comparison, Now or A, not their difference");
}

QString GeometryFigure::nothing() const {
    for (const SpacePlane &plane : m_planes)
        if (plane.content.nothing.isEmpty())
            return {};
    return m_planes.front().content.nothing;
}

core::Stage GeometryFigure::captionedStage(ShownSpaces spaces) {
    switch (spaces) {
    case ShownSpaces::QueryKey:
        return core::Stage::ScaledScores;
    case ShownSpaces::Residual:
    case ShownSpaces::ValueContext:
    case ShownSpaces::All:
        break;
    }
    return core::Stage::Context;
}

QSizeF GeometryFigure::naturalSize() const {
    const double one = m_style.scaled(400);
    return {static_cast<double>(m_planes.size()) * (one + kFigureMargin) + 2 * kFigureMargin,
            one + m_style.scaled(110)};
}

QSizeF GeometryFigure::minimumSize() const {
    return {static_cast<double>(m_planes.size()) * m_style.scaled(200) + 2 * kFigureMargin,
            m_style.scaled(300)};
}

GeometryGeometry GeometryFigure::geometry(const QRectF &area, const PlaneSights &sights) const {
    GeometryGeometry geometry;
    geometry.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
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
    const QRectF room(inner.left(), top, inner.width(), height);
    const double beside = m_style.scaled(34) + 2 * kCardPadding; // of a card, what is no plot
    const double above = 5 * lineHeight(m_style.font(Text::Label)) + 2 * kCardPadding;
    geometry.cards = arranged(room, m_planes.size(), beside, above);
    for (std::size_t i = 0; i < m_planes.size(); ++i)
        geometry.planes.push_back(m_figures[i].geometry(
            geometry.cards[i].adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding),
            sights[i]));
    return geometry;
}

void GeometryFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    paintIn(painter, area, {});
}

void GeometryFigure::paintIn(QPainter &painter, const QRectF &area,
                             const PlaneSights &sights) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const GeometryGeometry places = geometry(area, sights);
    drawLine(painter, places.title, Qt::AlignLeft, m_title, m_style.font(Text::Title, true),
             m_style.text);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        paintCard(painter, places.cards[i].adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1),
                  8, m_style);
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
    const VectorPlace &place = m_planes[plane].places[vector];
    const bool ofKeys = core::infoOf(place.stage).ofKeys();
    const core::Site site = m_selection.site();
    const core::Batch &batch = ofKeys ? m_trace->keys(site) : m_trace->queries(site);
    const QString token = tokensOf(batch, place.sequence).value(place.token);
    const core::HeadPlace of{place.sequence, site.layer, m_selection.head, site.block, site.stack};
    const std::vector<float> numbers = core::vectorAt(*m_trace, of, place.stage, place.token);
    QString words = tr("%1 of %2: %3, length %4")
                        .arg(nounOf(place.stage), token, coordinatesText(numbers),
                             numberText(core::normOf(numbers), 3));
    const auto &query = m_selection.query;
    if (place.stage == core::Stage::Key && query && place.sequence == m_selection.sequence) {
        const core::VectorPair pair = core::comparedVectors(
            core::vectorAt(*m_trace, of, core::Stage::Query, *query), numbers);
        if (pair.angled)
            words = tr("%1; angle to the query of %2 %3°")
                        .arg(words, tokensOf(m_trace->queries(site), place.sequence).value(*query),
                             numberText(pair.degrees, 1));
    }
    if (m_planes[plane].projection.kind != core::Projection::Kind::Exact) {
        const core::PlanePoint at = m_planes[plane].content.vectors[vector].at;
        words =
            tr("%1; in the plane (%2, %3)").arg(words, numberText(at.x, 3), numberText(at.y, 3));
    }
    return words;
}

} // namespace headlight::ui
