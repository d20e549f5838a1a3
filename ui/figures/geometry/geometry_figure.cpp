#include "ui/figures/geometry/geometry_figure.h"

#include "core/analysis/row_measures.h"
#include "core/format_number.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

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

/// Returns the noun for one vector of a stage.
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

using PlaneCards = std::vector<QRectF>;

/// Stacks cards of these heights in a column.
PlaneCards cardsInColumn(const QRectF &available, const std::vector<double> &heights) {
    PlaneCards cards;
    double top = available.top();
    for (const double height : heights) {
        cards.emplace_back(available.left(), top, available.width(), height);
        top += height + kFigureMargin;
    }
    return cards;
}

/// Returns a column of the card area.
QRectF cardColumn(const QRectF &available, std::size_t column, std::size_t count) {
    const auto n = static_cast<double>(count);
    const double width = std::floor((available.width() - (n - 1) * kFigureMargin) / n);
    return {available.left() + static_cast<double>(column) * (width + kFigureMargin),
            available.top(), width, available.height()};
}

/// Number of cards in each column.
using CardColumns = std::vector<std::size_t>;

/// Plane cards in columns: the size of the plots and the total height needed.
class PlaneArrangement {
  public:
    PlaneArrangement(const std::vector<PlaneFigure> &figures, const CardColumns &columns,
                     QRectF available, bool grows) {
        std::size_t first = 0;
        double least = 0;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const double width = cardColumn(available, column, columns.size()).width();
            double sum = -kFigureMargin;
            for (std::size_t i = first; i < first + columns[column]; ++i)
                sum += heightOf(figures[i], width) + kFigureMargin;
            least = std::max(least, sum);
            first += columns[column];
        }
        isHighEnough = least <= available.height();
        if (grows)
            available.setHeight(std::max(available.height(), least));
        height = std::max(available.height(), least);
        first = 0;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            place(figures, first, columns[column], cardColumn(available, column, columns.size()));
            first += columns[column];
        }
    }

    PlaneCards cards;
    double height = 0;
    double worth = 0; ///< total area of the squares that fit into the plots
    bool isWideEnough = true;
    bool isHighEnough = true;

  private:
    static double plotWidth(const PlaneFigure &figure, double width) {
        return width - 2 * kCardPadding - figure.leftOfPlot();
    }
    static double heightOf(const PlaneFigure &figure, double width) {
        const double inner = width - 2 * kCardPadding;
        return std::ceil(figure.besidesPlot(inner) + figure.minPlot(inner).height() +
                         2 * kCardPadding);
    }

    /// Distributes a column's spare height equally among its cards.
    void place(const std::vector<PlaneFigure> &figures, std::size_t first, std::size_t count,
               const QRectF &column) {
        std::vector<double> heights;
        double spare = column.height() + kFigureMargin;
        for (std::size_t i = first; i < first + count; ++i) {
            heights.push_back(heightOf(figures[i], column.width()));
            spare -= heights.back() + kFigureMargin;
        }
        for (double &each : heights)
            each = std::max(1.0, std::floor(each + spare / static_cast<double>(count)));
        for (std::size_t i = 0; i < count; ++i) {
            const PlaneFigure &figure = figures[first + i];
            const double inner = column.width() - 2 * kCardPadding;
            const double width = plotWidth(figure, column.width());
            isWideEnough = isWideEnough && width >= figure.minPlot(inner).width();
            const double side = std::max(
                0.0, std::min(width, heights[i] - 2 * kCardPadding - figure.besidesPlot(inner)));
            worth += side * side;
        }
        const PlaneCards placed = cardsInColumn(column, heights);
        cards.insert(cards.end(), placed.begin(), placed.end());
    }
};

/// Chooses an arrangement: side by side, the first beside a column of the others, or all in one
/// column. Prefers the one that fits and has the largest plots. If none fits, chooses the one with
/// the smallest height.
PlaneArrangement arrangedPlanes(const std::vector<PlaneFigure> &figures, const QRectF &available,
                                bool grows) {
    const std::size_t count = figures.size();
    std::vector<CardColumns> choices{CardColumns(count, 1), {count}};
    if (count == 3)
        choices.push_back({1, 2});
    std::optional<PlaneArrangement> best;
    const auto isBetter = [](const PlaneArrangement &a, const PlaneArrangement &b) {
        if (a.isWideEnough != b.isWideEnough)
            return a.isWideEnough;
        if (a.isHighEnough != b.isHighEnough)
            return a.isHighEnough;
        return a.isHighEnough ? a.worth > b.worth : a.height < b.height;
    };
    for (const CardColumns &columns : choices)
        if (PlaneArrangement made(figures, columns, available, grows);
            !best || isBetter(made, *best))
            best = std::move(made);
    return *best;
}

} // namespace

std::optional<std::size_t> GeometryLayout::planeAt(QPointF point) const {
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
                                         const FigureOptions &options, const PinnedPlanes &held) {
    const QString side = captionOf(options.compared);
    const auto withSide = [&side](const QString &title) {
        return side.isEmpty() ? title : title + QStringLiteral(" · ") + side;
    };
    const UnavailableReason why = unavailableReason(*now, valuesAt(selected), options.compared,
                                                    options.compared.shown, Sought::Vectors);
    if (!why.isEmpty()) {
        SpacePlane none;
        none.content.nothing = why.sentences();
        const QString title = options.title.isEmpty() ? tr("Vectors in the plane") : options.title;
        return {now, selected, {none}, withSide(title), {}, style};
    }
    const auto [trace, selection] = shownRun(now, selected, options.compared);
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
    // Without a selected query, the text is only a click hint, which paper omits.
    const bool hasWords = selection.query || !style.isPaper;
    return {trace,
            selection,
            std::move(planes),
            withSide(title),
            hasWords ? planeText(*trace, selection, options.plane) : QStringList(),
            style};
}

core::Selection GeometryFigure::valuesAt(core::Selection selection) {
    selection.stage = core::Stage::Value;
    return selection;
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

double GeometryFigure::wordsHeight(double width) const {
    const QFont font = m_style.font(Text::Body);
    double height = 0;
    for (const QString &line : m_words)
        height += wrappedHeight(line, font, width) + 4;
    return height;
}

/// True if every plane with few names shows all of them.
bool GeometryFigure::showsAllNames(const QSizeF &size) const {
    const GeometryLayout places = geometry(QRectF(QPointF(), size));
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        if (!m_figures[i].showsAllNames(places.planes[i]))
            return false;
    return true;
}

QSizeF GeometryFigure::readableSize(const QSizeF &sight) const {
    constexpr double kGrows = 1.04;
    constexpr int kMaxTries = 32; // stops the loop if some names do not fit at any height
    const double inner = sight.width() - 2 * kFigureMargin;
    const double title = wrappedHeight(m_title, m_style.font(Text::Title, true), inner);
    const PlaneArrangement cards = arrangedPlanes(m_figures, {0, 0, inner, 1}, true);
    const double least = 2 * kFigureMargin + title + 10 + cards.height + 10 + wordsHeight(inner);
    const QSizeF start(sight.width(), std::max(sight.height(), std::ceil(least)));
    QSizeF size = start;
    for (int tries = 0; !showsAllNames(size); ++tries) {
        if (tries == kMaxTries)
            return start;
        size.setHeight(std::ceil(size.height() * kGrows));
    }
    return size;
}

GeometryLayout GeometryFigure::geometry(const QRectF &area, const PlaneViewports &sights) const {
    GeometryLayout geometry;
    geometry.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    geometry.title = QRectF(inner.left(), inner.top(), inner.width(),
                            wrappedHeight(m_title, m_style.font(Text::Title, true), inner.width()));
    const QFont body = m_style.font(Text::Body);
    double bottom = inner.bottom() - wordsHeight(inner.width());
    const double top = geometry.title.bottom() + 10;
    const QRectF available(inner.left(), top, inner.width(), std::max(1.0, bottom - 10 - top));
    for (const QString &line : m_words) {
        const double height = wrappedHeight(line, body, inner.width()) + 4;
        geometry.words.emplace_back(inner.left(), bottom, inner.width(), height);
        bottom += height;
    }
    geometry.cards = arrangedPlanes(m_figures, available, false).cards;
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
                             const PlaneViewports &sights) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const GeometryLayout places = geometry(area, sights);
    drawWrapped(painter, places.title, Qt::AlignLeft, m_title, m_style.font(Text::Title, true),
                m_style.text);
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        paintCard(painter, places.cards[i].adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1),
                  8, m_style);
        painter.setBrush(Qt::NoBrush);
        m_figures[i].paintContent(painter, places.planes[i]);
    }
    for (std::size_t i = 0; i < places.words.size(); ++i)
        drawWrapped(painter, places.words[i], Qt::AlignLeft, m_words[static_cast<qsizetype>(i)],
                    m_style.font(Text::Body), m_style.text);
    painter.restore();
}

QString GeometryFigure::description() const {
    QStringList descriptions{m_title};
    for (const PlaneFigure &figure : m_figures)
        descriptions.append(figure.description());
    return (descriptions + m_words).join(QLatin1Char('\n'));
}

QString GeometryFigure::words(std::size_t plane, std::size_t vector) const {
    if (plane >= m_planes.size() || vector >= m_planes[plane].places.size())
        return {};
    const VectorSource &place = m_planes[plane].places[vector];
    const bool ofKeys = core::infoOf(place.stage).ofKeys();
    const core::AttentionId attention = m_selection.attention();
    const core::Batch &batch = ofKeys ? m_trace->keys(attention) : m_trace->queries(attention);
    const QString token = tokensOf(batch, place.sequence).value(place.token);
    const core::SequenceHeadId of{place.sequence, attention.layer, m_selection.head,
                                  attention.block, attention.stack};
    const std::vector<float> numbers = core::vectorAt(*m_trace, of, place.stage, place.token);
    QString words = tr("%1 of %2: %3, length %4")
                        .arg(nounOf(place.stage), token, coordinatesText(numbers),
                             numberText(core::normOf(numbers), 3));
    const auto &query = m_selection.query;
    if (place.stage == core::Stage::Key && query && place.sequence == m_selection.sequence) {
        const core::VectorPair pair = core::comparedVectors(
            core::vectorAt(*m_trace, of, core::Stage::Query, *query), numbers);
        if (pair.angled)
            words =
                tr("%1; angle to the query of %2: %3°")
                    .arg(words, tokensOf(m_trace->queries(attention), place.sequence).value(*query),
                         numberText(pair.degrees, 1));
    }
    const PlaneVector &drawn = m_planes[plane].content.vectors[vector];
    if (drawn.share < 1)
        words =
            tr("%1; drawn at %2 of its length")
                .arg(words, QString::fromStdString(core::exact(static_cast<float>(drawn.share))));
    if (drawn.drawn && m_planes[plane].projection.kind == core::Projection::Kind::Principal)
        words = tr("%1; drawn as a direction from the keys' mean").arg(words);
    if (m_planes[plane].projection.kind != core::Projection::Kind::Exact) {
        const core::PlanePoint &at = drawn.at;
        words = tr("%1; coordinates in the plane (%2, %3)")
                    .arg(words, numberText(at.x, 3), numberText(at.y, 3));
    }
    return words;
}

} // namespace headlight::ui
