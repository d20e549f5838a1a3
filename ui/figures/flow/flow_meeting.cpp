#include "ui/figures/flow/flow_meeting.h"

#include "ui/figures/card.h"
#include "ui/figures/flow/flow_parts.h"
#include "ui/figures/flow/flow_sources.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/spacing.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr std::size_t kMostSources = 3; // a layer whose blocks stand side by side adds three
constexpr core::Index kFlatMatrix = 8;  // columns ÷ rows
constexpr double kNarrowestCell = 0.02; // of a flat one: width ÷ height
constexpr core::Index kFewRows = 12;    // of which every name stands as a whole
constexpr double kNumberWidth = 21;     // px: of a cell that has its number
constexpr double kMostOfAlone = 0.5;    // of the width, for the current one
constexpr double kSquareColumns = 3;    // so many have cells as wide as they are high
constexpr double kWidestCell = 1.7;     // of a matrix that meets another: width ÷ height

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

/// What of a matrix stands with it.
enum class Around { Names, Colours, Everything };

HeatmapRequest requestOf(const HeatmapFigure &figure, const QSizeF &size, Around around,
                         double widest) {
    HeatmapRequest request = figure.request(QRectF(QPointF(), size));
    request.rowLabelShare = 0.4; // its width is what it needs
    request.colourBar = around != Around::Names;
    request.rowAxis = request.columnAxis = around == Around::Everything;
    request.columnGroups = false;
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

FlowMeeting::FlowMeeting(const core::TracePointer &trace, const core::Selection &current,
                         const FigureStyle &style, const FigureOptions &options, KeptHeatmaps *kept)
    : m_at{current.stage, current.site()}, m_style(style) {
    const core::Plan &plan = trace->plan();
    const FlowSources sources(*trace, current, style);
    if (const auto region = core::regionOf(plan, current))
        for (const core::Region &from : core::sourcesOf(*trace, current.sequence, *region)) {
            const bool isThere = std::ranges::any_of(
                m_sources, [&](const Source &one) { return one.at == from.at; });
            if (isThere || m_sources.size() == kMostSources)
                continue;
            HeatmapContent content =
                contentOf(trace, atStage(current, from.at), style, options, kept);
            content.marks = sources.marksAt(from.at);
            content.rowAxis.clear();
            content.columnAxis.clear();
            content.subtitle = // where it is from the current one's says
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
        content.title = QStringLiteral(" "); // painted in its colours
        content.subtitle = shapeText(m_learned->sample.rows, m_learned->sample.columns);
        m_learnedFigure.emplace(std::move(content), style);
    }
    if (const auto step = plan.find(m_at)) {
        const core::Operation &made = plan[plan.origin(*step)].operation;
        m_sign = signOf(made);
    }
}

const HeatmapContent *FlowMeeting::content(core::StageAt at) const & {
    const auto found = std::ranges::find(m_sources, at, &Source::at);
    return found == m_sources.end() ? nullptr : &found->figure.content();
}

std::vector<const HeatmapFigure *> FlowMeeting::shown() const {
    std::vector<const HeatmapFigure *> figures;
    for (const Source &source : m_sources)
        figures.push_back(&source.figure);
    if (m_learnedFigure)
        figures.push_back(&*m_learnedFigure);
    return figures;
}

double FlowMeeting::titleWidth(const HeatmapFigure &figure) const {
    return m_learnedFigure && &figure == &*m_learnedFigure
               ? spansWidth(m_learned->title(FlowLearned::name(), m_style),
                            m_style.font(FigureStyle::Text::Title))
               : figure.titleWidth();
}

/// Each as wide as it needs, or its share of what there is.
void FlowMeeting::place(FlowGeometry &geometry, const QRectF &area, const HeatmapFigure &large,
                        const std::optional<Cell> &origin, Room share) const {
    const bool isAlone = share == Room::Alone;
    std::vector<const HeatmapFigure *> figures = shown();
    figures.push_back(&large);
    const auto requestFor = [&](const HeatmapFigure &figure, const QSizeF &size, double widest) {
        const Around around = !isAlone || &figure != &large ? Around::Names
                              : figures.size() > 2          ? Around::Colours
                                                            : Around::Everything;
        HeatmapRequest request = requestOf(figure, size, around, widest);
        if (isAlone) // few columns of high cells would look like bars
            request.minimumAspect =
                std::max(request.minimumAspect,
                         std::min(0.9, kSquareColumns / static_cast<double>(request.columns)));
        return request;
    };
    const QSizeF room(area.width(), area.height() - 2 * kCardPadding);
    const double between = m_style.scaled(18);
    const double available =
        area.width() - static_cast<double>(figures.size() - 1) * between - 3 * kCardPadding;
    std::vector<double> widths;
    double sum = 0;
    for (const double widest : {kWidestCell, 1.3, 1.0}) { // rather narrower cells than less of one
        widths.clear();
        sum = 0;
        for (const HeatmapFigure *figure : figures) {
            const HeatmapRequest request = requestFor(*figure, room, widest);
            const HeatmapGeometry whole = HeatmapGeometry::of(request);
            const double words = titleWidth(*figure);
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
    const double subtitle =
        std::ceil(textWidth(large.content().subtitle, m_style.font(FigureStyle::Text::Label)) + 2);
    const double more = std::clamp(subtitle - widths.back(), 0.0, std::max(0.0, available - sum));
    widths.back() += more;
    sum += more;
    if (isAlone && sum > available) { // its numbers stand before those that it is made from
        const HeatmapRequest request = requestFor(large, room, kWidestCell);
        const double numbers = HeatmapGeometry::of(request).cells.left() +
                               kNumberWidth * static_cast<double>(request.columns);
        const double own = std::clamp(numbers, available / static_cast<double>(figures.size()),
                                      kMostOfAlone * available);
        const double given = std::min(widths.back(), own);
        widths.pop_back();
        shareWidth(widths, available - given);
        widths.push_back(given);
    } else {
        shareWidth(widths, available);
    }
    double x = area.left() + kCardPadding + std::max(0.0, std::floor((available - sum) / 2));
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool isCurrent = i + 1 == figures.size();
        const double width = widths[i];
        HeatmapRequest request = requestFor(*figures[i], {width, room.height()}, kWidestCell);
        request.window = isCurrent;
        request.origin = isCurrent ? origin : std::nullopt;
        HeatmapGeometry placed = HeatmapGeometry::of(request);
        placed.moveBy({x, area.top() + kCardPadding});
        placed.setTextExtent(x, x + width);
        const QRectF frame(x, area.top() + kCardPadding, width, room.height());
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
    if (isAlone) {
        double used = geometry.large.used.bottom();
        for (const HeatmapGeometry &one : geometry.opened)
            used = std::max(used, one.used.bottom());
        geometry.moveDiagram(
            {0, std::floor(std::max(0.0, area.bottom() - kCardPadding - used) / 3)});
    }
}

bool FlowMeeting::hasAllWords(const FlowGeometry &geometry, const HeatmapFigure &large) const {
    const auto fits = [this](const HeatmapFigure &figure, const HeatmapGeometry &placed) {
        const double names = figure.request({}).rowLabelWidth;
        return titleWidth(figure) <= placed.title.width() &&
               (placed.rows > kFewRows || placed.rowLabelWidth + 0.5 >= names);
    };
    const std::vector<const HeatmapFigure *> figures = shown();
    for (std::size_t i = 0; i < figures.size(); ++i)
        if (!fits(*figures[i], geometry.opened[i]))
            return false;
    return fits(large, geometry.large);
}

void FlowMeeting::paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &large,
                        Device device) const {
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
    large.paintContent(painter, geometry.large, device);
}

} // namespace headlight::ui
