#include "ui/figures/flow/flow_opened.h"

#include "ui/figures/card.h"
#include "ui/figures/flow/flow_parts.h"
#include "ui/figures/flow/flow_sources.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/spacing.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr std::size_t kMostSources = 3;   // a layer whose blocks stand side by side adds three
constexpr double kArithmeticShare = 0.57; // of the height, at most
constexpr core::Index kFlatMatrix = 8;    // columns ÷ rows
constexpr double kNarrowestCell = 0.02;   // of a flat one: width ÷ height
constexpr double kWidestCell = 1.7;       // of a matrix that meets another: width ÷ height

/// "×" where the matrices are multiplied as they stand.
QString signOf(const core::Operation &operation) {
    if (std::holds_alternative<core::op::Linear>(operation) ||
        std::holds_alternative<core::op::Mix>(operation))
        return QStringLiteral("×");
    if (std::holds_alternative<core::op::Add>(operation))
        return QStringLiteral("+");
    if (std::holds_alternative<core::op::Gate>(operation))
        return QStringLiteral("⊙");
    return {};
}

HeatmapRequest requestOf(const HeatmapFigure &figure, const QSizeF &size,
                         double widest = kWidestCell) {
    HeatmapRequest request = figure.request(QRectF(QPointF(), size));
    request.colourBar = false;
    request.rowLabelShare = 0.4; // its width is what it needs
    request.rowAxis = request.columnAxis = request.columnGroups = false;
    if (request.columns > kFlatMatrix * request.rows) // or it would be a line
        request.minimumAspect = std::min(request.minimumAspect, kNarrowestCell);
    request.maximumAspect =
        widest < kWidestCell ? widest : std::max(request.maximumAspect, kWidestCell);
    request.maximumCell = std::max(request.maximumCell, 0.4 * size.height());
    return request;
}

/// Where there is less room than they need, none is narrower than the others that it would spare
/// room for.
void shareWidth(std::vector<double> &widths, double available) {
    std::vector<double *> all;
    for (double &width : widths)
        all.push_back(&width);
    std::ranges::sort(all, {}, [](const double *width) { return *width; });
    for (std::size_t i = 0; i < all.size(); ++i) {
        *all[i] = std::min(*all[i], std::floor(available / static_cast<double>(all.size() - i)));
        available -= *all[i];
    }
}

} // namespace

FlowOpened::FlowOpened(const core::TracePointer &trace, const core::Selection &cell,
                       ArithmeticTable table, const FigureStyle &style,
                       const FigureOptions &options, KeptHeatmaps *kept)
    : m_at{cell.stage, cell.site()}, m_table(std::move(table)), m_style(style) {
    const core::Plan &plan = trace->plan();
    const FlowSources sources(*trace, cell, style);
    if (const auto region = core::regionOf(plan, cell))
        for (const core::Region &from : core::sourcesOf(*trace, cell.sequence, *region)) {
            const bool isThere = std::ranges::any_of(
                m_sources, [&](const Source &one) { return one.at == from.at; });
            if (isThere || m_sources.size() == kMostSources)
                continue;
            HeatmapContent content = contentOf(trace, atStage(cell, from.at), style, options, kept);
            content.marks = sources.marksAt(from.at);
            content.rowAxis.clear();
            content.columnAxis.clear();
            m_sources.push_back({from.at, HeatmapFigure(std::move(content), style)});
        }
    if (options.learned)
        m_learned = learnedOf(trace, cell, style, options);
    if (m_learned) {
        if (auto mark = sources.learnedMarkAt(m_at)) {
            mark->column = m_learned->sample.sampledColumn(*mark->column);
            m_learned->content.marks = {*mark};
        }
        HeatmapContent content = m_learned->content;
        content.title = QStringLiteral(" "); // painted in its colours
        content.subtitle = shapeText(m_learned->sample.rows, m_learned->sample.columns);
        m_learnedFigure.emplace(std::move(content), style);
    }
    if (const auto step = plan.find(m_at)) {
        const core::Operation &made = plan[plan.origin(*step)].operation;
        m_sign = signOf(made);
    }
}

QSizeF FlowOpened::minimumSize(const FigureStyle &style) {
    return {160 + style.scaled(300), 120 + style.scaled(240)};
}

const HeatmapContent *FlowOpened::content(core::StageAt at) const & {
    const auto found = std::ranges::find(m_sources, at, &Source::at);
    return found == m_sources.end() ? nullptr : &found->figure.content();
}

std::vector<const HeatmapFigure *> FlowOpened::shown() const {
    std::vector<const HeatmapFigure *> figures;
    for (const Source &source : m_sources)
        figures.push_back(&source.figure);
    if (m_learnedFigure)
        figures.push_back(&*m_learnedFigure);
    return figures;
}

FlowGeometry FlowOpened::geometry(const QRectF &area, double formulaHeight,
                                  const HeatmapFigure &current,
                                  const std::optional<Cell> &origin) const {
    FlowGeometry geometry;
    geometry.current = m_at;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    geometry.formula =
        QRectF(inner.left(), inner.bottom() - formulaHeight, inner.width(), formulaHeight);
    const double gap = m_style.scaled(10);
    const double height = geometry.formula.top() - gap - inner.top();
    const double arithmetic = m_table.heightFor(inner.width() - 2 * kCardPadding,
                                                kArithmeticShare * height - 2 * kCardPadding) +
                              2 * kCardPadding;
    geometry.arithmetic =
        QRectF(inner.left(), geometry.formula.top() - gap - arithmetic, inner.width(), arithmetic);

    // The matrices, side by side: each as wide as it needs, or its share of what there is.
    std::vector<const HeatmapFigure *> figures = shown();
    figures.push_back(&current);
    const QSizeF room(inner.width(),
                      geometry.arithmetic.top() - gap - inner.top() - 2 * kCardPadding);
    const double between = m_style.scaled(18);
    const double available =
        inner.width() - static_cast<double>(figures.size() - 1) * between - 3 * kCardPadding;
    std::vector<double> widths;
    double sum = 0;
    for (const double widest : {kWidestCell, 1.3, 1.0}) { // rather narrower cells than less of one
        widths.clear();
        sum = 0;
        for (const HeatmapFigure *figure : figures) {
            const HeatmapRequest request = requestOf(*figure, room, widest);
            const HeatmapGeometry whole = HeatmapGeometry::of(request);
            const double words =
                textWidth(figure->content().title, m_style.font(FigureStyle::Text::Title, true));
            // Over few columns words stand flat, and whole.
            const double flat = whole.cells.left() + static_cast<double>(request.columns) *
                                                         (request.columnLabelWidth + 5);
            const bool isFew = flat <= 1.25 * available / static_cast<double>(figures.size());
            widths.push_back(
                std::ceil(std::max({whole.used.width(), words + 2, isFew ? flat : 0})));
            sum += widths.back();
        }
        if (sum <= available)
            break;
    }
    shareWidth(widths, available);
    double x = inner.left() + kCardPadding + std::max(0.0, std::floor((available - sum) / 2));
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool isCurrent = i + 1 == figures.size();
        const double width = widths[i];
        HeatmapRequest request = requestOf(*figures[i], {width, room.height()});
        request.window = isCurrent;
        request.origin = isCurrent ? origin : std::nullopt;
        HeatmapGeometry placed = HeatmapGeometry::of(request);
        placed.moveBy({x, inner.top() + kCardPadding});
        placed.setTextExtent(x, x + width);
        const QRectF frame(x, inner.top() + kCardPadding, width, room.height());
        if (isCurrent) {
            geometry.large = placed;
            geometry.card =
                QRectF(QPointF(x, frame.top()), QPointF(x + width, placed.used.bottom()))
                    .adjusted(-kCardPadding, -kCardPadding, kCardPadding, kCardPadding);
        } else {
            const bool isLearned = i >= m_sources.size();
            FlowNode node;
            node.at = isLearned ? m_at : m_sources[i].at;
            node.frame = frame;
            node.title = placed.title;
            node.subtitle = placed.subtitle;
            node.matrix = placed.cells;
            node.rows = placed.rows;
            node.columns = placed.columns;
            (isLearned ? geometry.learned : geometry.nodes).push_back(node);
            geometry.opened.push_back(placed);
            geometry.signs.push_back(
                {node.at, QPointF(x + width + between / 2, placed.cells.center().y())});
            if (i + 2 == figures.size()) // the card begins before the matrix
                x += kCardPadding;
        }
        x += width + between;
    }
    return geometry;
}

void FlowOpened::paint(QPainter &painter, const FlowGeometry &geometry,
                       const HeatmapFigure &current, Device device) const {
    const std::vector<const HeatmapFigure *> figures = shown();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        figures[i]->paintContent(painter, geometry.opened[i], device);
        if (m_learned && i >= m_sources.size()) {
            drawSpans(painter, geometry.opened[i].title,
                      m_learned->title(FlowLearned::name(), m_style),
                      m_style.font(FigureStyle::Text::Title));
            paintHeadRows(painter, geometry.opened[i], *m_learned, m_style);
        }
        const bool isLast = i + 1 == figures.size();
        const QString sign = !isLast            ? m_sign
                             : m_sign.isEmpty() ? QStringLiteral("→")
                                                : QStringLiteral("=");
        const double side = m_style.scaled(24);
        QRectF place(0, 0, side, side);
        place.moveCenter(geometry.signs[i].centre);
        drawLine(painter, place, Qt::AlignHCenter, sign,
                 m_style.font(FigureStyle::Text::Title, true), m_style.mutedText);
    }
    paintCard(painter, geometry.card.adjusted(0.75, 0.75, -0.75, -0.75), QPen(m_style.accent, 1.5),
              8, m_style);
    current.paintContent(painter, geometry.large, device);
    paintCard(painter, geometry.arithmetic.adjusted(0.5, 0.5, -0.5, -0.5), QPen(m_style.border, 1),
              6, m_style);
    m_table.paint(painter, geometry.arithmetic.adjusted(kCardPadding, kCardPadding, -kCardPadding,
                                                        -kCardPadding));
}

} // namespace headlight::ui
