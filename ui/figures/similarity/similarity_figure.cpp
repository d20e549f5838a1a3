#include "ui/figures/similarity/similarity_figure.h"

#include "core/analysis/attention_change.h"
#include "core/analysis/cosine_similarity.h"
#include "core/selection/selected.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/compared_heatmap.h"
#include "ui/figures/heatmap/heatmap_cache.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/text.h"
#include "ui/text/attention_names.h"
#include "ui/text/core_message.h"
#include "ui/text/number_text.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kLargestCell = 110;

/// Returns a mask that hides the cosines of vectors without a direction.
std::shared_ptr<const core::Mask> undefined(const std::vector<bool> &hasNoDirection) {
    if (std::find(hasNoDirection.begin(), hasNoDirection.end(), true) == hasNoDirection.end())
        return nullptr;
    const std::size_t count = hasNoDirection.size();
    std::vector<bool> hidden(count * count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            hidden[i * count + j] = hasNoDirection[i] || hasNoDirection[j];
    return std::make_shared<const core::Mask>(hidden, static_cast<core::Index>(count),
                                              static_cast<core::Index>(count));
}

/// One side of a comparison: the words without padding, and their cosines.
struct SideCosines {
    QStringList words;
    core::CosineSimilarity cosines;
};
std::optional<SideCosines> sideCosines(const core::Trace &trace, const core::Selection &place) {
    core::SharedMatrix vectors = core::matrixAt(trace, place);
    if (vectors.empty())
        return std::nullopt;
    const core::Batch &batch = trace.queries(place.attention());
    const core::Index length = batch[place.sequence].length;
    vectors = vectors.rowBlock(0, std::min(vectors.rows, length));
    return SideCosines{tokensOf(batch, place.sequence).mid(0, length),
                       core::cosineSimilarity(vectors)};
}

/// Puts A's words into the order of the current text. A word without a partner has no cosines.
void orderByPartners(SideCosines &a, const core::TokenPartners &partners, std::size_t text,
                     const QStringList &now) {
    const auto count = static_cast<core::Index>(now.size());
    a.cosines.values =
        core::inOrderOfNow(a.cosines.values.view(), partners, {text, text}, count, count);
    std::vector<bool> hasNoDirection(static_cast<std::size_t>(count), true);
    for (core::Index word = 0; word < count; ++word)
        if (const auto partner = partners.inA(text, word))
            hasNoDirection[static_cast<std::size_t>(word)] =
                a.cosines.hasNoDirection[static_cast<std::size_t>(*partner)];
    a.cosines.hasNoDirection = std::move(hasNoDirection);
    a.words = partnerLabels(now, a.words, partners, text);
}

/// Replaces `side` with current − A. Both must have the same number of words. `hasPartners`: A's
/// words are the labels of both sides.
void takeDifference(SideCosines &side, const SideCosines &a, bool hasPartners,
                    HeatmapContent &content) {
    const core::Result<core::Difference> change =
        core::difference(side.cosines.values.view(), a.cosines.values.view());
    if (!change) {
        content.absence = translated(change.error());
        return;
    }
    side.cosines.values = change->values;
    for (std::size_t i = 0; i < a.cosines.hasNoDirection.size(); ++i)
        if (a.cosines.hasNoDirection[i])
            side.cosines.hasNoDirection[i] = true;
    side.words = hasPartners ? a.words : bothLabels(side.words, a.words);
    content.subtitle =
        changeText(*change, SimilarityFigure::tr("%1 and %2"), side.words, side.words);
}

} // namespace

std::optional<Cell> SimilarityGeometry::cellAt(QPointF point) const {
    for (const HeatmapGeometry &one : heatmaps)
        if (const auto cell = one.cellAt(point))
            return cell;
    return std::nullopt;
}

SimilarityFigure::SimilarityFigure(std::array<HeatmapFigure, 2> heatmaps, QStringList names,
                                   QString title, FigureStyle style)
    : m_heatmaps(std::move(heatmaps)),
      m_names(std::move(names)),
      m_title(std::move(title)),
      m_style(std::move(style)) {}

core::Stage SimilarityFigure::comparedStage(const core::Trace &trace, core::AttentionId attention,
                                            core::Stage wanted) {
    return core::afterAttention(trace, attention, wanted);
}

SimilarityFigure SimilarityFigure::fromTrace(const core::TracePointer &trace,
                                             const core::Selection &selection,
                                             const FigureStyle &style, const FigureOptions &options,
                                             HeatmapCache *kept) {
    if (!kept) {
        SimilarityFigure figure = made(trace, selection, style, options, false);
        figure.select(shownRun(trace, selection, options.compared).selection);
        return figure;
    }
    core::Selection place = withoutCell(selection);
    place.stage = core::Stage::AttentionWeights;
    const std::shared_ptr<const Figure> whole = kept->figure(trace, place, style, options, [&] {
        return std::make_shared<SimilarityFigure>(made(trace, place, style, options, true));
    });
    SimilarityFigure figure = static_cast<const SimilarityFigure &>(*whole);
    figure.select(shownRun(trace, selection, options.compared).selection);
    return figure;
}

void SimilarityFigure::select(const core::Selection &selection) {
    for (HeatmapFigure &heatmap : m_heatmaps)
        heatmap.select(selection.query, selection.key);
}

SimilarityFigure SimilarityFigure::made(const core::TracePointer &trace,
                                        const core::Selection &selection, const FigureStyle &style,
                                        const FigureOptions &options, bool keeps) {
    const Compared &compared = options.compared;
    const core::Trace &run = *shownRun(trace, selection, compared).trace;
    const core::Stage stage = comparedStage(run, selection.attention(), options.contextual);
    const bool perHead = core::infoOf(stage).perHead && stage == core::Stage::Context;
    core::Selection after = selection;
    after.stage = stage;
    std::array<Sides, 2> sides;
    const auto contentOfVectors = [&](const core::Selection &place, const QString &name,
                                      const QColor &colour, Sides &both) {
        HeatmapContent content;
        content.title = name;
        content.titleColour = colour;
        content.absence =
            unavailableReason(*trace, place, compared, compared.shown, Sought::Cosines).sentences();
        if (!content.absence.isEmpty())
            return HeatmapFigure(std::move(content), style);
        std::optional<SideCosines> shown = sideCosines(*trace, place), a;
        if (compared.shown != ComparisonSide::Now)
            a = sideCosines(*compared.a, inA(compared, place));
        const auto text = compared.partners
                              ? core::stageTexts(*trace, {place.stage, place.attention()}).rows
                              : std::nullopt;
        const bool hasPartners = compared.shown == ComparisonSide::Difference &&
                                 compared.partners && compared.partners->has(text);
        if (shown && a && hasPartners)
            orderByPartners(*a, *compared.partners, *text, shown->words);
        // Compare by partners or, if the text has none, by position.
        const bool isByPosition = !compared.partners || !compared.partners->has(text);
        if (shown && a && (isByPosition || hasPartners))
            both = {std::make_shared<const core::Matrix>(shown->cosines.values),
                    std::make_shared<const core::Matrix>(a->cosines.values)};
        if (compared.shown == ComparisonSide::A)
            shown = a;
        else if (shown && a)
            takeDifference(*shown, *a, hasPartners, content);
        else if (compared.shown == ComparisonSide::Difference)
            shown.reset(); // one side lacks the vectors
        if (!shown) {
            content.subtitle = run.model().isCaptured() ? tr("These vectors were not captured.")
                                                        : tr("There are no such vectors.");
            return HeatmapFigure(std::move(content), style);
        }
        if (const QString only = onlyInA(compared, {text, text}); hasPartners && !only.isEmpty())
            content.subtitle += QStringLiteral(" · ") + only;
        const core::Matrix &cosines = shown->cosines.values;
        const core::Index count = cosines.rows();
        content.mask = undefined(shown->cosines.hasNoDirection);
        content.tensor = core::Tensor({1, count, count}, cosines.values());
        content.setScale(
            compared.shown == ComparisonSide::Difference
                ? ColourScale::of(content.tensor, 0, 0, style.signedMap, Range::PerHead)
                : ColourScale::between(style.signedMap, -1, 1),
            style, options);
        content.rowLabels = shown->words;
        content.columnLabels = content.rowLabels;
        content.columnsAreTokens = true;
        if (content.subtitle.isEmpty())
            content.subtitle = tr("%1 · cosine of each pair of words").arg(shapeText(count, count));
        content.emptyRowText =
            hasPartners ? tr("no partner in A") : tr("zero vector, so no direction");
        if (keeps)
            content.keptPainting = std::make_shared<PaintingCache>();
        content.maximumAspect = 1.35;
        return HeatmapFigure(std::move(content), style);
    };
    const QString attention = attentionName(trace->model(), selection.attention());
    const QString where = attention.isEmpty() ? tr("layer %1").arg(selection.layer) : attention;
    const QString contextual =
        perHead ? tr("context, %1, head %2").arg(where, QString::number(selection.head))
                : tr("output, %1").arg(where);
    const QStringList names{core::readsEmbeddings(selection.attention())
                                ? tr("embeddings")
                                : tr("input, %1").arg(where),
                            contextual};
    QString title = options.title.isEmpty()
                        ? tr("Similarity of the words, before and after attention")
                        : options.title;
    if (const QString side = captionOf(compared); !side.isEmpty())
        title += QStringLiteral(" · ") + side;
    SimilarityFigure figure(
        {contentOfVectors(atStage(selection, core::beforeAttention(*trace, selection.attention())),
                          names[0], style.text, sides[0]),
         contentOfVectors(after, names[1], style.context, sides[1])},
        names, std::move(title), style);
    figure.m_sides = std::move(sides);
    return figure;
}

QSizeF SimilarityFigure::naturalSize() const {
    const QSizeF one = m_heatmaps[0].naturalSize();
    return {std::max(720.0, 2 * one.width() + kFigureMargin), std::max(400.0, one.height() + 60)};
}

QSizeF SimilarityFigure::minimumSize() const {
    return {m_style.scaled(400), m_style.scaled(260)};
}

QSizeF SimilarityFigure::readableSize(const QSizeF &sight) const {
    const FigureStyle usualStyle = m_style.withUsualText();
    const std::array<HeatmapFigure, 2> usualHeatmaps{
        HeatmapFigure(m_heatmaps[0].content(), usualStyle),
        HeatmapFigure(m_heatmaps[1].content(), usualStyle)};
    const SimilarityGeometry usual =
        placed(QRectF(QPointF(), sight), {}, usualStyle, usualHeatmaps);
    const QSizeF start = sight.expandedTo(minimumSize());
    return grownUntil(start, 3 * m_style.textScale,
                      [&](const QSizeF &size) {
                          const SimilarityGeometry now = geometry(QRectF(QPointF(), size));
                          for (std::size_t i = 0; i < 2; ++i)
                              if (!showsAllOf(usual.heatmaps[i], usualHeatmaps[i].request(QRectF()),
                                              now.heatmaps[i], m_heatmaps[i].request(QRectF())))
                                  return false;
                          return true;
                      })
        .value_or(start);
}

SimilarityGeometry SimilarityFigure::geometry(const QRectF &area,
                                              std::optional<Cell> origin) const {
    return placed(area, origin, m_style, m_heatmaps);
}

SimilarityGeometry SimilarityFigure::placed(const QRectF &area, std::optional<Cell> origin,
                                            const FigureStyle &style,
                                            const std::array<HeatmapFigure, 2> &heatmaps) {
    SimilarityGeometry geometry;
    geometry.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    geometry.title = QRectF(inner.left(), inner.top(), inner.width(),
                            lineHeight(style.font(FigureStyle::Text::Title, true)));
    const QRectF body = inner.adjusted(0, geometry.title.height() + 10, 0, 0);
    const bool stacked = body.height() > 1.3 * body.width();
    for (std::size_t i = 0; i < 2; ++i) {
        QRectF available = body;
        const auto place = static_cast<double>(i);
        if (stacked) {
            available.setHeight(std::floor((body.height() - kFigureMargin) / 2));
            available.translate(0, place * (available.height() + kFigureMargin));
        } else {
            available.setWidth(std::floor((body.width() - kFigureMargin) / 2));
            available.translate(place * (available.width() + kFigureMargin), 0);
        }
        HeatmapRequest request = heatmaps[i].request(QRectF());
        request.area = available.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
        request.maximumCell = std::max({request.maximumCell, kLargestCell,
                                        0.18 * std::min(available.width(), available.height())});
        request.window = true;
        request.origin = origin;
        HeatmapGeometry &heatmap = geometry.heatmaps[i];
        heatmap = HeatmapGeometry::of(request);
        QRectF &card = geometry.cards[i];
        card = available;
        card.setHeight(
            std::min(available.height(), std::ceil(heatmap.used.height() + 2 * kCardPadding)));
        const double spare = card.width() - 2 * kCardPadding - heatmap.used.width();
        heatmap.moveBy({std::floor(std::max(0.0, spare / 2)), 0});
        heatmap.setTextExtent(card.left() + kCardPadding, card.right() - kCardPadding);
    }
    return geometry;
}

void SimilarityFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    paintIn(painter, area, device, {});
}

void SimilarityFigure::paintIn(QPainter &painter, const QRectF &area, Device device,
                               std::optional<Cell> origin) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const SimilarityGeometry places = geometry(area, origin);
    drawLine(painter, places.title, Qt::AlignLeft, m_title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    for (std::size_t i = 0; i < 2; ++i) {
        paintCard(painter, places.cards[i].adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1),
                  8, m_style);
        painter.setBrush(Qt::NoBrush);
        m_heatmaps[i].paintContent(painter, places.heatmaps[i], device);
    }
    painter.restore();
}

qint64 SimilarityFigure::cellCount() const {
    return m_heatmaps[0].cellCount() + m_heatmaps[1].cellCount();
}

QString SimilarityFigure::description() const {
    return QStringList{m_title, m_heatmaps[0].description(), m_heatmaps[1].description()}.join(
        QLatin1Char('\n'));
}

/// Formats the cosine. In a comparison, includes that of the other side.
QString SimilarityFigure::valueText(std::size_t index, Cell cell) const {
    const auto &[now, a] = m_sides[index];
    if (!now || now->rows() == 0 || now->rows() != a->rows())
        return fullText(m_heatmaps[index].content().matrix()(cell.row, cell.column));
    const float present = (*now)(cell.row, cell.column);
    const float before = (*a)(cell.row, cell.column);
    return ComparedCell{
        present, before,
        static_cast<float>(static_cast<double>(present) - static_cast<double>(before))}
        .words();
}

/// True if the other side has no number for this cell.
bool SimilarityFigure::hasNoPartner(std::size_t index, Cell cell) const {
    const auto &[now, a] = m_sides[index];
    return a && cell.row < a->rows() && cell.column < a->columns() &&
           std::isnan((*a)(cell.row, cell.column));
}

QString SimilarityFigure::words(Cell cell) const {
    const HeatmapContent &first = m_heatmaps[0].content();
    const core::SharedMatrix matrix = first.matrix();
    if (m_heatmaps[1].content().matrix().rows != matrix.rows)
        return {};
    if (cell.row < 0 || cell.column < 0 || cell.row >= matrix.rows || cell.column >= matrix.columns)
        return {};
    QStringList parts;
    for (qsizetype i = 0; i < 2; ++i) {
        const auto index = static_cast<std::size_t>(i);
        const HeatmapContent &content = m_heatmaps[index].content();
        const QString value = !content.isHidden(cell.row, cell.column) ? valueText(index, cell)
                              : hasNoPartner(index, cell)              ? tr("no partner in A")
                                                          : tr("no direction (a zero vector)");
        parts.append(tr("%1 as %2").arg(value, m_names[i]));
    }
    return tr("%1 and %2: %3")
        .arg(first.rowLabels.value(cell.row), first.rowLabels.value(cell.column),
             parts.join(QStringLiteral(", ")));
}

} // namespace headlight::ui
