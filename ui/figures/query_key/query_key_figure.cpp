#include "ui/figures/query_key/query_key_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/attention_names.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"
#include "ui/text/token_names.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct QueryKeyText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::QueryKeyFigure)
};

constexpr double kBarsShare = 0.34;   // share of the height below the titles
constexpr double kMinBars = 70;       // px
constexpr double kMaxBars = 220;      // px
constexpr double kWidestColumn = 110; // px
constexpr std::size_t kToldDimensions = 4;

/// Returns the products with their columns sorted by `products.order`.
core::Tensor sorted(const core::QueryKeyProducts &products) {
    core::Matrix matrix(products.products.rows(), products.products.columns());
    for (core::Index key = 0; key < matrix.rows(); ++key)
        for (core::Index column = 0; column < matrix.columns(); ++column)
            matrix(key, column) =
                products.products(key, products.order[static_cast<std::size_t>(column)]);
    return {core::Shape{1, matrix.rows(), matrix.columns()}, matrix.values()};
}

QString productNumber(double number) {
    return numberText(number, 2);
}

QueryKeyContent contentOfProducts(const core::TracePointer &now, const core::Selection &selection,
                                  const FigureOptions &options) {
    using core::Stage;
    QueryKeyContent content;
    const Compared &compared = options.compared;
    const core::Selection at = atStage(selection, {Stage::Query, selection.attention()});
    const auto why = unavailableReason(*now, at, compared, compared.shown, Sought::Head);
    const ShownRun run = why.isEmpty() ? shownRun(now, at, compared) : ShownRun{now, at};
    const core::Trace &trace = *run.trace;
    const core::AttentionId attention = run.selection.attention();
    const QString name = attentionName(trace.model(), attention);
    content.title =
        !options.title.isEmpty()
            ? options.title
            : QueryKeyText::tr("Query times key by dimension, %1, head %2")
                  .arg(name.isEmpty() ? QueryKeyText::tr("layer %1").arg(attention.layer) : name)
                  .arg(run.selection.head);
    if (const QString side = captionOf(compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    content.nothing = why.sentences();
    if (content.nothing.isEmpty() &&
        !(trace.has(Stage::Query, attention) && trace.has(Stage::Key, attention)))
        content.nothing = trace.model().isCaptured()
                              ? QueryKeyText::tr("The queries and the keys of this layer were not "
                                                 "captured.")
                              : QueryKeyText::tr("This layer has no queries and keys.");
    const QStringList queries =
        content.nothing.isEmpty()
            ? queryTokens(trace, run.selection)
                  .mid(0, trace.queries(attention)[run.selection.sequence].length)
            : QStringList();
    const core::Selection chosen =
        why.isEmpty() ? shownRun(now, selection, compared).selection : selection;
    if (content.nothing.isEmpty() && (!chosen.query || *chosen.query >= queries.size()))
        content.nothing = QueryKeyText::tr("Select a token above to see how its query is "
                                           "multiplied by each key.");
    if (!content.nothing.isEmpty())
        return content;
    content.products = core::queryKeyProducts(
        trace, {attention, run.selection.sequence, run.selection.head, *chosen.query}, chosen.key);
    if (content.products.products.rows() == 0) {
        content.nothing = QueryKeyText::tr("The queries and the keys have not been computed yet.");
        return content;
    }
    const core::QueryKeyProducts &products = content.products;
    content.keys = keyTokens(trace, run.selection).mid(0, products.products.rows());
    content.query = queries[*chosen.query];
    content.chosen = content.keys.value(products.chosen);
    content.subtitle =
        QueryKeyText::tr("“%1” (query) and “%2” (key) · dimensions sorted by how far they move "
                         "this key's score from the mean of the visible keys")
            .arg(content.query, content.chosen);
    content.sums =
        QueryKeyText::tr("q · k = %1 · mean of the visible keys %2")
            .arg(productNumber(products.scores[static_cast<std::size_t>(products.chosen)]),
                 productNumber(products.mean));
    return content;
}

HeatmapContent heatmapOf(const QueryKeyContent &content, const FigureStyle &style,
                         const FigureOptions &options) {
    HeatmapContent heatmap;
    if (!content.nothing.isEmpty()) {
        heatmap.absence = content.nothing;
        return heatmap;
    }
    const core::QueryKeyProducts &products = content.products;
    heatmap.tensor = sorted(products);
    heatmap.setScale(
        ColourScale::of(heatmap.tensor, 0, 0, style.signedMap,
                        options.range == Range::Fixed ? Range::PerHead : options.range),
        style, options);
    heatmap.rowLabels = content.keys;
    for (const core::Index dimension : products.order)
        heatmap.columnLabels << QString::number(dimension);
    heatmap.rowAxis = QueryKeyText::tr("key");
    heatmap.columnAxis = QueryKeyText::tr("dimension");
    heatmap.minimumAspect = 0.2;
    heatmap.maximumAspect = 4;
    core::CellMask cells;
    for (std::size_t key = 0; key < products.hidden.size() && key < products.scores.size(); ++key)
        if (products.hidden[key])
            for (core::Index column = 0; column < products.products.columns(); ++column)
                cells.cells.push_back({{}, static_cast<core::Index>(key), column, false});
    if (!cells.cells.empty()) {
        const core::Index rows = products.products.rows(), columns = products.products.columns();
        heatmap.mask = std::make_shared<const core::Mask>(core::MaskLayers{std::move(cells)}, 0,
                                                          rows, columns, columns);
        heatmap.emptyRowText = QueryKeyText::tr("hidden by a mask");
    }
    heatmap.selectedRow = products.chosen;
    return heatmap;
}

} // namespace

QueryKeyFigure::QueryKeyFigure(QueryKeyContent content, HeatmapFigure heatmap, FigureStyle style)
    : m_content(std::move(content)), m_heatmap(std::move(heatmap)), m_style(std::move(style)) {}

QueryKeyFigure QueryKeyFigure::fromTrace(const core::TracePointer &trace,
                                         const core::Selection &selection, const FigureStyle &style,
                                         const FigureOptions &options, HeatmapCache *) {
    QueryKeyContent content = contentOfProducts(trace, selection, options);
    HeatmapFigure heatmap(heatmapOf(content, style, options), style);
    return {std::move(content), std::move(heatmap), style};
}

QSizeF QueryKeyFigure::naturalSize() const {
    const double keys = static_cast<double>(std::clamp<qsizetype>(m_content.keys.size(), 4, 40));
    return {std::max(760.0, m_style.scaled(700)), std::ceil(m_style.scaled(260 + 18 * keys))};
}

QSizeF QueryKeyFigure::readableSize(const QSizeF &sight) const {
    if (!m_content.nothing.isEmpty())
        return sight.expandedTo(minimumSize());
    const double row = lineHeight(m_style.font(FigureStyle::Text::Label)) + 1;
    const auto keys = static_cast<double>(std::min<qsizetype>(m_content.keys.size(), 400));
    return sight.expandedTo(minimumSize())
        .expandedTo({1, std::ceil(m_style.scaled(kMinBars + 150) + keys * row)});
}

QRectF QueryKeyGeometry::bar(core::Index column, double product) const {
    const QRectF cells = heatmap.columnRect(column);
    const double wide = std::max(0.5, cells.width() - (cells.width() > 6 ? 2 : 0));
    const double high = std::abs(product) * pixels;
    return {cells.center().x() - wide / 2, product < 0 ? zero : zero - high, wide, high};
}

QueryKeyGeometry QueryKeyFigure::geometry(const QRectF &area) const {
    QueryKeyGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    const double small = lineHeight(m_style.font(FigureStyle::Text::Label));
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(FigureStyle::Text::Title, true)));
    places.subtitle = QRectF(inner.left(), places.title.bottom() + 2, inner.width(), small);
    if (!m_content.nothing.isEmpty())
        return places;
    places.sums = QRectF(inner.left(), places.subtitle.bottom() + 2, inner.width(), small);
    const double top = places.sums.bottom() + m_style.scaled(8);
    const double height = std::clamp(kBarsShare * (inner.bottom() - top), m_style.scaled(kMinBars),
                                     m_style.scaled(kMaxBars));
    const double below = top + height + m_style.scaled(10);
    HeatmapRequest request = m_heatmap.request(
        QRectF(inner.left(), below, inner.width(), std::max(1.0, inner.bottom() - below)));
    request.maximumCell = std::max(request.maximumCell, m_style.scaled(kWidestColumn));
    places.heatmap = HeatmapGeometry::of(request);
    const double spare = std::floor((inner.right() - places.heatmap.used.right()) / 2);
    if (spare > kFigureMargin) // centre the columns if there are few dimensions
        places.heatmap.moveBy({spare, 0});
    places.bars = QRectF(places.heatmap.cells.left(), top, places.heatmap.cells.width(), height);
    double low = 0, high = 0;
    const core::QueryKeyProducts &products = m_content.products;
    for (core::Index d = 0; d < products.products.columns(); ++d) {
        const auto product = static_cast<double>(products.products(products.chosen, d));
        low = std::min(low, product);
        high = std::max(high, product);
    }
    // Leave space for the numbers beyond the ends of the bars.
    places.pixels = high - low > 0 ? (height - 2 * small) / (high - low) : 0;
    places.zero = top + small + high * places.pixels;
    return places;
}

void QueryKeyFigure::paintBars(QPainter &painter, const QueryKeyGeometry &places) const {
    const core::QueryKeyProducts &products = m_content.products;
    const ColourScale &scale = m_heatmap.content().scale;
    const QFont label = m_style.font(FigureStyle::Text::Label);
    double widest = 0;
    for (const core::Index d : products.order)
        widest = std::max(
            widest,
            textWidth(productNumber(static_cast<double>(products.products(products.chosen, d))),
                      label));
    const QColor above = faint(QColor(scale.colourAt(0.85)), m_style.background, 0.999);
    const QColor below = faint(QColor(scale.colourAt(0.15)), m_style.background, 0.999);
    const bool haveNumbers = places.heatmap.cell.width() >= widest + 4;
    for (std::size_t column = 0; column < products.order.size(); ++column) {
        const auto product =
            static_cast<double>(products.products(products.chosen, products.order[column]));
        const QRectF bar = places.bar(static_cast<core::Index>(column), product);
        painter.setPen(Qt::NoPen);
        painter.setBrush(product < 0 ? below : above);
        painter.drawRect(bar);
        if (!haveNumbers)
            continue;
        const double high = lineHeight(label);
        const QRectF text(bar.center().x() - widest, product < 0 ? bar.bottom() : bar.top() - high,
                          2 * widest, high);
        drawLine(painter, text, Qt::AlignHCenter, productNumber(product), label, m_style.text);
    }
    painter.setPen(QPen(m_style.mutedText, 1));
    painter.drawLine(QPointF(places.bars.left(), places.zero),
                     QPointF(places.bars.right(), places.zero));
    const double left = std::max(places.title.left(), places.bars.left() - m_style.scaled(80));
    const double beside = places.bars.left() - left - 6;
    const QRectF caption(left, places.zero - lineHeight(label) / 2, beside, lineHeight(label));
    drawLine(painter, caption, Qt::AlignRight, QStringLiteral("q ⊙ k"), label, m_style.mutedText);
}

void QueryKeyFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const QueryKeyGeometry places = geometry(area);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    drawLine(painter, places.title, Qt::AlignLeft, m_content.title,
             m_style.font(FigureStyle::Text::Title, true), m_style.text);
    if (!m_content.nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.subtitle.top() + 8,
                           places.subtitle.width(), area.bottom() - places.subtitle.top()),
                    Qt::AlignLeft, m_content.nothing, m_style.font(FigureStyle::Text::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    drawLine(painter, places.subtitle, Qt::AlignLeft,
             firstParts(m_content.subtitle, label, places.subtitle.width()), label,
             m_style.mutedText);
    drawLine(painter, places.sums, Qt::AlignLeft, m_content.sums, label, m_style.text);
    paintBars(painter, places);
    m_heatmap.paintContent(painter, places.heatmap,
                           cellCount() > kMaxVectorCells ? Device::Raster : device);
    painter.restore();
}

std::optional<Cell> QueryKeyFigure::productAt(const QueryKeyGeometry &places, QPointF point) const {
    if (!m_content.nothing.isEmpty())
        return std::nullopt;
    if (const auto cell = places.heatmap.cellAt(point))
        return cell;
    if (!places.bars.contains(point))
        return std::nullopt;
    const auto above = places.heatmap.cellAt({point.x(), places.heatmap.cells.top() + 0.5});
    return above ? std::optional(Cell{m_content.products.chosen, above->column}) : std::nullopt;
}

QString QueryKeyFigure::words(Cell product) const {
    const core::QueryKeyProducts &products = m_content.products;
    const core::Index dimension = products.order[static_cast<std::size_t>(product.column)];
    return tr("%1 and %2, dimension %3: product %4, sum of all products %5")
        .arg(m_content.query, m_content.keys.value(product.row))
        .arg(dimension)
        .arg(fullText(products.products(product.row, dimension)),
             digitsText(products.scores[static_cast<std::size_t>(product.row)]));
}

QString QueryKeyFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return labelled(m_content.title, m_content.nothing);
    QStringList parts;
    const core::QueryKeyProducts &products = m_content.products;
    for (std::size_t i = 0; i < std::min(kToldDimensions, products.order.size()); ++i)
        parts << tr("dimension %1: %2")
                     .arg(products.order[i])
                     .arg(productNumber(static_cast<double>(
                         products.products(products.chosen, products.order[i]))));
    return sentences({ended(labelled(m_content.title, m_content.subtitle)), ended(m_content.sums),
                      enumerated(parts)});
}

} // namespace headlight::ui
