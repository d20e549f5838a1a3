#include "ui/figures/flow/flow_close_up.h"

#include "core/explain/meaning.h"
#include "core/explain/meeting.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/flow/flow_sources.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxSources = 3;  // a layer with parallel blocks adds three
constexpr core::Index kFlatMatrix = 8;  // columns ÷ rows
constexpr double kNarrowestCell = 0.02; // width ÷ height of a flat matrix's cells
constexpr core::Index kNamedRows = 12;  // up to this number every name is shown completely
constexpr double kSquareColumns = 3;    // up to this number of columns the cells are square

/// The elements shown around a matrix.
enum class Around { Names, Colours, Everything };

HeatmapRequest requestOf(const HeatmapFigure &figure, const QSizeF &size, Around around,
                         double widest) {
    HeatmapRequest request = figure.request(QRectF(QPointF(), size));
    request.rowLabelShare = 0.4; // the width is set by its content
    request.colourBar = around != Around::Names;
    request.rowAxis = request.columnAxis = around == Around::Everything;
    request.columnGroups = false;
    if (request.columns > kFlatMatrix * request.rows) // otherwise it would look like a line
        request.minimumAspect = std::min(request.minimumAspect, kNarrowestCell);
    request.maximumAspect =
        widest < kWidestMeetingCell ? widest : std::max(request.maximumAspect, kWidestMeetingCell);
    request.maximumCell = std::max(request.maximumCell, 0.4 * size.height());
    return request;
}

} // namespace

FlowCloseUp::FlowCloseUp(const core::TracePointer &trace, const core::Selection &current,
                         const FigureStyle &style, const FigureOptions &options, HeatmapCache *kept)
    : m_at{current.stage, current.attention()}, m_style(style) {
    const core::Plan &plan = trace->plan();
    const FlowSources sources(*trace, current, style);
    if (const auto region = core::regionOf(plan, current))
        for (const core::Region &from : core::sourcesOf(*trace, current.sequence, *region)) {
            const bool isThere = std::ranges::any_of(
                m_sources, [&](const Source &one) { return one.at == from.at; });
            if (isThere || m_sources.size() == kMaxSources)
                continue;
            HeatmapContent content =
                contentOf(trace, atStage(current, from.at), style, options, kept);
            content.marks = sources.marksAt(from.at);
            content.rowAxis.clear();
            content.columnAxis.clear();
            content.subtitle = // the current matrix already names the position
                shapeText(content.matrix().rows, content.matrix().columns);
            m_sources.push_back({from.at, HeatmapFigure(std::move(content), style)});
        }
    if (options.learned)
        m_learned = learnedOf(trace, current, style, options, kept);
    if (m_learned) {
        if (auto mark = sources.learnedMarkAt(m_at)) {
            mark->column = m_learned->sample.sampledColumn(*mark->column);
            m_learned->content.marks = {*mark};
        }
        HeatmapContent content = m_learned->content;
        content.title = QStringLiteral(" "); // painted in its own colours
        content.subtitle = shapeText(m_learned->sample.rows, m_learned->sample.columns);
        m_learnedFigure.emplace(std::move(content), style);
    }
    if (const auto region = core::regionOf(plan, current)) {
        const core::Slice whole{*plan.find(m_at), region->head, {}, {}};
        m_sign = QString::fromStdString(
            core::signBetween(core::meaningOf(*trace, current.sequence, whole).number));
    }
}

const HeatmapContent *FlowCloseUp::content(core::StageId at) const & {
    const auto found = std::ranges::find(m_sources, at, &Source::at);
    return found == m_sources.end() ? nullptr : &found->figure.content();
}

std::vector<const HeatmapFigure *> FlowCloseUp::shown() const {
    std::vector<const HeatmapFigure *> figures;
    for (const Source &source : m_sources)
        figures.push_back(&source.figure);
    if (m_learnedFigure)
        figures.push_back(&*m_learnedFigure);
    return figures;
}

double FlowCloseUp::titleWidth(const HeatmapFigure &figure) const {
    return m_learnedFigure && &figure == &*m_learnedFigure
               ? spansWidth(m_learned->title(ParameterHeatmap::name(), m_style),
                            m_style.font(FigureStyle::Text::Title))
               : figure.titleWidth();
}

std::vector<CloseUpMatrix> FlowCloseUp::matrices(const HeatmapFigure &large, Room share) const {
    const bool isAlone = share == Room::Alone;
    std::vector<const HeatmapFigure *> figures = shown();
    figures.push_back(&large);
    std::vector<CloseUpMatrix> matrices;
    for (const HeatmapFigure *figure : figures) {
        const Around around = !isAlone || figure != &large ? Around::Names
                              : figures.size() > 2         ? Around::Colours
                                                           : Around::Everything;
        const auto requestFor = [figure, around, isAlone](const QSizeF &room, double widest) {
            HeatmapRequest request = requestOf(*figure, room, around, widest);
            if (isAlone) // few columns of high cells would look like bars
                request.minimumAspect =
                    std::max(request.minimumAspect,
                             std::min(0.9, kSquareColumns / static_cast<double>(request.columns)));
            return request;
        };
        matrices.push_back(
            {requestFor, titleWidth(*figure), minCellOfNumbers(figure->content(), m_style)});
    }
    return matrices;
}

void FlowCloseUp::place(FlowGeometry &geometry, const QRectF &area, const HeatmapFigure &large,
                        const std::optional<Cell> &origin, Room share) const {
    const std::vector<CloseUpMatrix> matrices = this->matrices(large, share);
    const double between = m_style.scaled(18);
    const double subtitle =
        std::ceil(textWidth(large.content().subtitle, m_style.font(FigureStyle::Text::Label)) + 2);
    const CloseUpLayout rooms =
        CloseUpLayout::of(matrices, area, between, subtitle, share == Room::Alone);
    const auto placed = [&](std::size_t i) {
        const QRectF &frame = rooms.frames[i];
        HeatmapRequest request = matrices[i].request(frame.size(), kWidestMeetingCell);
        request.window = i + 1 == matrices.size();
        request.origin = request.window ? origin : std::nullopt;
        HeatmapGeometry one = HeatmapGeometry::of(request);
        one.moveBy(frame.topLeft());
        one.setTextExtent(frame.left(), frame.right());
        return one;
    };
    for (std::size_t i = 0; i + 1 < matrices.size(); ++i) {
        const QRectF &frame = rooms.frames[i];
        const HeatmapGeometry one = placed(i);
        const bool isLearned = i >= m_sources.size();
        FlowNode node;
        node.at = isLearned ? m_at : m_sources[i].at;
        node.frame = frame;
        node.title = one.title;
        node.subtitle = one.subtitle;
        node.matrix = one.cells;
        node.rows = one.rows;
        node.columns = one.columns;
        (isLearned ? geometry.learned : geometry.nodes).push_back(node);
        geometry.opened.push_back(one);
    }
    const QRectF &frame = rooms.frames.back();
    geometry.large = placed(matrices.size() - 1);
    geometry.card = QRectF(frame.topLeft(), QPointF(frame.right(), geometry.large.used.bottom()))
                        .adjusted(-kCardPadding, -kCardPadding, kCardPadding, kCardPadding);
    for (std::size_t i = 0; i + 1 < matrices.size(); ++i) {
        const bool isAboveAnother = rooms.isStacked && i + 2 < matrices.size();
        const QRectF &cells = geometry.opened[i].cells;
        const double y = rooms.isStacked ? geometry.large.cells.center().y() : cells.center().y();
        const QPointF centre =
            isAboveAnother ? QPointF(cells.center().x(), rooms.frames[i].bottom() + between / 2)
                           : QPointF(rooms.frames[i].right() + between / 2, y);
        geometry.signs.push_back({(i < m_sources.size() ? m_sources[i].at : m_at), centre});
    }
    if (share == Room::Alone) {
        double used = geometry.large.used.bottom();
        for (const HeatmapGeometry &one : geometry.opened)
            used = std::max(used, one.used.bottom());
        geometry.moveDiagram(
            {0, std::floor(std::max(0.0, area.bottom() - kCardPadding - used) / 3)});
    }
}

bool FlowCloseUp::hasAllWords(const FlowGeometry &geometry, const HeatmapFigure &large,
                              Room share) const {
    const std::vector<CloseUpMatrix> matrices = this->matrices(large, share);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        const bool isCurrent = i + 1 == matrices.size();
        const HeatmapGeometry &placed = isCurrent ? geometry.large : geometry.opened[i];
        const double names = matrices[i].request({}, kWidestMeetingCell).rowLabelWidth;
        const bool fits = matrices[i].titleWidth <= placed.title.width() &&
                          (placed.rows > kNamedRows || placed.rowLabelWidth + 0.5 >= names);
        if (!fits || (share == Room::Alone && !matrices[i].isComplete(placed)))
            return false;
    }
    return true;
}

void FlowCloseUp::paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &large,
                        Device device) const {
    const std::vector<const HeatmapFigure *> figures = shown();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        figures[i]->paintContent(painter, geometry.opened[i], device);
        if (m_learned && i >= m_sources.size()) {
            drawSpans(painter, geometry.opened[i].title,
                      m_learned->title(ParameterHeatmap::name(), m_style),
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
    large.paintContent(painter, geometry.large, device);
}

} // namespace headlight::ui
