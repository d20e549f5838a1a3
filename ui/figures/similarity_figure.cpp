#include "ui/figures/similarity_figure.h"

#include "core/analysis/cosine_similarity.h"
#include "ui/figures/number_text.h"
#include "ui/figures/text.h"
#include "ui/figures/trace_heatmap.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kMargin = 16;
constexpr double kPadding = 14; // within a card
constexpr double kGap = 16;     // between the cards
constexpr double kLargestCell = 110;

/// The pairs of which one has no direction, as a mask hides them.
std::shared_ptr<const core::Mask> undefined(const core::CosineSimilarity &similarity) {
    const auto count = static_cast<core::Index>(similarity.hasNoDirection.size());
    core::CellMask cells;
    for (core::Index i = 0; i < count; ++i)
        for (core::Index j = 0; j < count; ++j)
            if (similarity.hasNoDirection[static_cast<std::size_t>(i)] ||
                similarity.hasNoDirection[static_cast<std::size_t>(j)])
                cells.cells.push_back({{}, i, j, false});
    if (cells.cells.empty())
        return nullptr;
    return std::make_shared<const core::Mask>(core::MaskLayers{cells}, 0, count, count, count);
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

core::Stage SimilarityFigure::comparedStage(const core::Trace &trace, core::Index layer,
                                            core::Stage wanted) {
    return trace.has(wanted, layer) ? wanted : core::Stage::Concatenated;
}

SimilarityFigure SimilarityFigure::fromTrace(const core::TracePointer &trace,
                                             const core::Selection &selection,
                                             const FigureStyle &style,
                                             const FigureOptions &options) {
    const core::Index length = trace->batch()[selection.sequence].length;
    const core::Stage stage = comparedStage(*trace, selection.layer, options.contextual);
    const bool perHead = core::infoOf(stage).perHead && stage == core::Stage::Context;
    const auto contentOfVectors = [&](const core::Tensor &tensor, const QString &name,
                                      const QColor &colour) {
        HeatmapContent content;
        content.title = name;
        content.titleColour = colour;
        if (tensor.isNull()) {
            content.subtitle = tr("There are no such vectors.");
            return HeatmapFigure(std::move(content), style);
        }
        core::MatrixView vectors = tensor.matrix(
            selection.sequence, perHead && tensor.shape().rank() == 4 ? selection.head : 0);
        vectors.rows = std::min(vectors.rows, length);
        core::CosineSimilarity similarity = core::cosineSimilarity(vectors);
        content.mask = undefined(similarity);
        content.tensor = core::Tensor({1, vectors.rows, vectors.rows}, similarity.values.values());
        content.scale = ColourScale::between(style.signedMap, -1, 1);
        content.rowLabels = tokensOf(*trace, selection.sequence).mid(0, length);
        content.columnLabels = content.rowLabels;
        content.columnsAreTokens = true;
        content.subtitle =
            tr("%1 · cosine of each two words").arg(shapeText(vectors.rows, vectors.rows));
        content.emptyRowWords = tr("zero: no direction");
        content.selectedRow = selection.query;
        content.selectedColumn = selection.key;
        content.numbers = options.numbers;
        content.maximumAspect = 1.35;
        return HeatmapFigure(std::move(content), style);
    };
    const QString contextual =
        perHead ? tr("context, layer %1, head %2").arg(selection.layer).arg(selection.head)
                : tr("output, layer %1").arg(selection.layer);
    const QStringList names{tr("embeddings"), contextual};
    return SimilarityFigure(
        {contentOfVectors(trace->stage(core::Stage::Embeddings), names[0], style.text),
         contentOfVectors(trace->stage(stage, selection.layer), names[1], style.context)},
        names,
        options.title.isEmpty() ? tr("How alike the words are, before attention and after it")
                                : options.title,
        style);
}

QSizeF SimilarityFigure::naturalSize() const {
    const QSizeF one = m_heatmaps[0].naturalSize();
    return {std::max(720.0, 2 * one.width() + kGap), std::max(400.0, one.height() + 60)};
}

QSizeF SimilarityFigure::minimumSize() const {
    return {m_style.scaled(400), m_style.scaled(260)};
}

SimilarityGeometry SimilarityFigure::geometry(const QRectF &area,
                                              std::optional<Cell> origin) const {
    SimilarityGeometry geometry;
    geometry.area = area;
    const QRectF inner = area.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    geometry.title = QRectF(inner.left(), inner.top(), inner.width(),
                            lineHeight(m_style.font(FigureStyle::Text::Title, true)));
    const QRectF body = inner.adjusted(0, geometry.title.height() + 10, 0, 0);
    const bool stacked = body.height() > 1.3 * body.width();
    for (std::size_t i = 0; i < 2; ++i) {
        QRectF room = body;
        const auto place = static_cast<double>(i);
        if (stacked) {
            room.setHeight(std::floor((body.height() - kGap) / 2));
            room.translate(0, place * (room.height() + kGap));
        } else {
            room.setWidth(std::floor((body.width() - kGap) / 2));
            room.translate(place * (room.width() + kGap), 0);
        }
        HeatmapRequest request = m_heatmaps[i].request(QRectF());
        request.area = room.adjusted(kPadding, kPadding, -kPadding, -kPadding);
        request.maximumCell = std::max(
            {request.maximumCell, kLargestCell, 0.18 * std::min(room.width(), room.height())});
        request.window = true;
        request.origin = origin;
        HeatmapGeometry &heatmap = geometry.heatmaps[i];
        heatmap = HeatmapGeometry::of(request);
        QRectF &card = geometry.cards[i];
        card = room;
        card.setHeight(std::min(room.height(), std::ceil(heatmap.used.height() + 2 * kPadding)));
        const double spare = card.width() - 2 * kPadding - heatmap.used.width();
        heatmap.moveBy({std::floor(std::max(0.0, spare / 2)), 0});
        heatmap.setTextExtent(card.left() + kPadding, card.right() - kPadding);
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
    painter.fillRect(area, m_style.background);
    const SimilarityGeometry places = geometry(area, origin);
    drawLine(painter, places.title, Qt::AlignLeft, m_title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    for (std::size_t i = 0; i < 2; ++i) {
        painter.setPen(QPen(m_style.border, 1));
        painter.setBrush(m_style.surface);
        painter.drawRoundedRect(places.cards[i].adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
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

QString SimilarityFigure::words(Cell cell) const {
    const HeatmapContent &first = m_heatmaps[0].content();
    const core::MatrixView matrix = first.matrix();
    if (m_heatmaps[1].content().matrix().rows != matrix.rows)
        return {};
    if (cell.row < 0 || cell.column < 0 || cell.row >= matrix.rows || cell.column >= matrix.columns)
        return {};
    QStringList said;
    for (qsizetype i = 0; i < 2; ++i) {
        const HeatmapContent &content = m_heatmaps[static_cast<std::size_t>(i)].content();
        const QString value = content.isHidden(cell.row, cell.column)
                                  ? tr("no direction (a zero vector)")
                                  : fullText(content.matrix()(cell.row, cell.column));
        said.append(tr("%1 as %2").arg(value, m_names[i]));
    }
    return tr("%1 and %2: %3")
        .arg(first.rowLabels.value(cell.row), first.rowLabels.value(cell.column),
             said.join(QStringLiteral(", ")));
}

} // namespace headlight::ui
