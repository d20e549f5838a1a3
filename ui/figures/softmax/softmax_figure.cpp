#include "ui/figures/softmax/softmax_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using SoftmaxText = FigureStyle::Text;

constexpr double kLargestSlope = 0.25;   // maximum of p·(1 − p)
constexpr double kMinSlopeCell = 4;      // px per cell of the Jacobian
constexpr std::size_t kNamedSlopes = 24; // Jacobians up to this size have named rows

/// Creates the heatmap of the Jacobian. Its colour scale ends at the largest possible slope, so
/// that a saturated softmax is pale.
HeatmapFigure jacobianOf(const SoftmaxContent &content, const FigureStyle &style) {
    HeatmapContent heatmap;
    const core::Index count = content.jacobian.rows();
    if (count == 0)
        return {std::move(heatmap), style};
    heatmap.tensor = core::Tensor({1, count, count}, content.jacobian.values());
    heatmap.scale = ColourScale::between(style.signedMap, -kLargestSlope, kLargestSlope);
    heatmap.scale.toneDown(style.isDark);
    heatmap.title = SoftmaxFigure::tr("Jacobian J = ∂p/∂z");
    heatmap.subtitle =
        SoftmaxFigure::tr("Frobenius norm ‖\u2009J\u2009‖ = %1").arg(normText(content.norm));
    if (content.bars.size() <= kNamedSlopes)
        for (const SoftmaxContent::Bar &bar : content.bars)
            heatmap.rowLabels << bar.name;
    heatmap.columnLabels = heatmap.rowLabels;
    heatmap.columnsAreTokens = true;
    if (content.chosen)
        heatmap.select(std::nullopt, static_cast<core::Index>(*content.chosen));
    return {std::move(heatmap), style};
}

} // namespace

SoftmaxFigure SoftmaxFigure::of(const core::TracePointer &trace, const core::Selection &selection,
                                const core::SoftmaxLook &look, const GivenSoftmax &given,
                                const FigureStyle &style, const FigureOptions &options) {
    SoftmaxContent content = softmaxContentOf(trace, selection, look, given, options.compared);
    if (!options.title.isEmpty())
        content.title = options.title;
    HeatmapFigure jacobian = jacobianOf(content, style);
    return {std::move(content), std::move(jacobian), style};
}

double SoftmaxFigure::headHeight(double width) const {
    const double inner = std::max(1.0, width - 2 * kFigureMargin);
    double height = kFigureMargin + lineHeight(m_style.font(SoftmaxText::Title, true)) + 2 +
                    wrappedHeight(m_content.subtitle, m_style.font(SoftmaxText::Label), inner);
    if (!m_content.facts.isEmpty())
        height += 6 + wrappedHeight(m_content.facts.join(QStringLiteral(" · ")),
                                    m_style.font(SoftmaxText::Body), inner);
    return std::ceil(height + 10);
}

double SoftmaxFigure::footHeight(double width) const {
    const double inner = std::max(1.0, width - 2 * kFigureMargin);
    return kFigureMargin + (m_content.note.isEmpty()
                                ? 0
                                : std::ceil(wrappedHeight(
                                      m_content.note, m_style.font(SoftmaxText::Label), inner)) +
                                      8);
}

bool SoftmaxFigure::isBeside(const QSizeF &size) const {
    return size.width() >= minSoftmaxBars(m_content, m_style).width() + minJacobian().width() +
                               4 * kCardPadding + 3 * kFigureMargin &&
           size.width() > 1.1 * size.height();
}

QSizeF SoftmaxFigure::minJacobian() const {
    const double cells = kMinSlopeCell * static_cast<double>(m_content.bars.size());
    return m_jacobian.minimumSize().expandedTo(
        {std::max(m_style.scaled(150), cells + m_style.scaled(60)),
         std::max(m_style.scaled(150), cells + m_style.scaled(90))});
}

QSizeF SoftmaxFigure::minBody(bool beside, double width) const {
    const QSizeF padding(2 * kCardPadding, 2 * kCardPadding);
    if (!isRow())
        return minSoftmaxSpread(m_content, m_style, width - 2 * kFigureMargin - padding.width()) +
               padding;
    const QSizeF bars = minSoftmaxBars(m_content, m_style) + padding;
    const QSizeF jacobian = minJacobian() + padding;
    return beside ? QSizeF(bars.width() + kFigureMargin + jacobian.width(),
                           std::max(bars.height(), jacobian.height()))
                  : QSizeF(std::max(bars.width(), jacobian.width()),
                           bars.height() + kFigureMargin + jacobian.height());
}

QSizeF SoftmaxFigure::naturalSize() const {
    const double width = std::max(960.0, m_style.scaled(900));
    return readableSize({width, m_style.scaled(540)});
}

QSizeF SoftmaxFigure::minimumSize() const {
    return {m_style.scaled(240), m_style.scaled(200)};
}

QSizeF SoftmaxFigure::readableSize(const QSizeF &sight) const {
    if (!m_content.nothing.isEmpty())
        return sight.expandedTo(minimumSize());
    const bool beside = isBeside(sight);
    const QSizeF body = minBody(beside, sight.width());
    const double width = std::ceil(
        std::max({sight.width(), minimumSize().width(), body.width() + 2 * kFigureMargin}));
    return {width, std::ceil(std::max(sight.height(),
                                      headHeight(width) + body.height() + footHeight(width)))};
}

SoftmaxGeometry SoftmaxFigure::geometry(const QRectF &area) const {
    SoftmaxGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const QFont label = m_style.font(SoftmaxText::Label);
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(SoftmaxText::Title, true)));
    places.subtitle = QRectF(inner.left(), places.title.bottom() + 2, inner.width(),
                             wrappedHeight(m_content.subtitle, label, inner.width()));
    const double bodyTop = area.top() + headHeight(area.width());
    places.facts = QRectF(QPointF(inner.left(), places.subtitle.bottom() + 6),
                          QPointF(inner.right(), bodyTop - 10));
    const double bodyBottom = area.bottom() - footHeight(area.width());
    if (!m_content.note.isEmpty())
        places.note = QRectF(QPointF(inner.left(), bodyBottom + 8), inner.bottomRight());
    const QRectF body(QPointF(inner.left(), bodyTop), QPointF(inner.right(), bodyBottom));
    const auto within = [](const QRectF &card) {
        return card.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
    };
    if (!m_content.nothing.isEmpty())
        return places;
    if (!isRow()) {
        places.spreadCard = body;
        places.spread = softmaxSpreadGeometry(m_content, m_style, within(body));
        return places;
    }
    places.barsCard = places.jacobianCard = body;
    if (isBeside(area.size())) {
        const double least = minJacobian().width() + 2 * kCardPadding;
        const double wide = std::max(least, std::floor(0.36 * body.width()));
        places.barsCard.setRight(body.right() - wide - kFigureMargin);
        places.jacobianCard.setLeft(body.right() - wide);
    } else {
        const double least = minJacobian().height() + 2 * kCardPadding;
        const double high = std::max(least, std::floor(0.42 * body.height()));
        places.barsCard.setBottom(body.bottom() - high - kFigureMargin);
        places.jacobianCard.setTop(body.bottom() - high);
    }
    places.bars = softmaxBarsGeometry(m_content, m_style, within(places.barsCard));
    HeatmapRequest request = m_jacobian.request(QRectF());
    request.area = within(places.jacobianCard);
    request.maximumCell = 90;
    places.jacobian = HeatmapGeometry::of(request);
    const double spare = request.area.width() - places.jacobian.used.width();
    places.jacobian.moveBy({std::floor(std::max(0.0, spare / 2)), 0});
    places.jacobian.setTextExtent(request.area.left(), request.area.right());
    return places;
}

void SoftmaxFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    const double shrink = shrinkOf(readableSize(area.size()), area.size());
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(shrink, shrink);
    paintReadable(painter, {QPointF(), area.size() / shrink}, device);
    painter.restore();
}

void SoftmaxFigure::paintReadable(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const SoftmaxGeometry places = geometry(area);
    const QFont label = m_style.font(SoftmaxText::Label);
    drawHeading(painter, places.title, m_content.title, m_style.font(SoftmaxText::Title, true),
                m_style.text);
    if (!m_content.nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.title.bottom() + 10,
                           std::min(places.title.width(), m_style.scaled(640)),
                           area.bottom() - places.title.bottom()),
                    Qt::AlignLeft, m_content.nothing, m_style.font(SoftmaxText::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    drawWrapped(painter, places.subtitle, Qt::AlignLeft, m_content.subtitle, label,
                m_style.mutedText);
    drawWrapped(painter, places.facts, Qt::AlignLeft, m_content.facts.join(QStringLiteral(" · ")),
                m_style.font(SoftmaxText::Body), m_style.text);
    const auto card = [&](const QRectF &rect) {
        paintCard(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1), 8,
                  m_style);
        painter.setBrush(Qt::NoBrush);
    };
    if (isRow()) {
        card(places.barsCard);
        card(places.jacobianCard);
        paintSoftmaxBars(painter, places.bars, m_content, m_style);
        m_jacobian.paintContent(painter, places.jacobian, device);
    } else {
        card(places.spreadCard);
        paintSoftmaxSpread(painter, places.spread, m_content, m_style);
    }
    drawWrapped(painter, places.note, Qt::AlignLeft, m_content.note, label, m_style.mutedText);
    painter.restore();
}

QString SoftmaxFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return labelled(m_content.title, m_content.nothing);
    QStringList facts{m_content.subtitle};
    facts << m_content.facts;
    if (isRow()) {
        constexpr std::size_t kMax = 12;
        for (std::size_t i = 0; i < std::min(kMax, m_content.bars.size()); ++i)
            facts << barText(m_content.bars[i]);
        facts << tr("norm of the Jacobian %1").arg(normText(m_content.norm));
    } else if (m_content.spread) {
        for (qsizetype i = 0; i < m_content.rows.size(); ++i)
            facts << tr("%1: %2 for q·k, %3 for q·k ÷ √d_k")
                         .arg(m_content.rows[i], m_content.plain[i], m_content.scaled[i]);
    }
    return plainSymbols(labelled(m_content.title, facts.join(QStringLiteral("; "))));
}

QString SoftmaxFigure::words(const SoftmaxGeometry &places, QPointF point) const {
    if (!m_content.nothing.isEmpty())
        return {};
    if (!isRow())
        return spreadText(places.spread, m_content, point);
    if (const auto column = places.bars.columnAt(point))
        return barText(m_content.bars[*column]);
    const std::optional<Cell> cell = places.jacobian.cellAt(point);
    if (!cell)
        return {};
    const auto name = [&](core::Index at) {
        return m_content.bars[static_cast<std::size_t>(at)].name;
    };
    return tr("when the logit of “%1” rises, the probability of “%2” changes by %3 times as much")
        .arg(name(cell->column), name(cell->row),
             digitsText(static_cast<double>(m_content.jacobian(cell->row, cell->column))));
}

} // namespace headlight::ui
