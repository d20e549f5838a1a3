#include "ui/figures/whole/whole_arrows.h"

#include "ui/figures/whole/whole_geometry.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::StageId;

constexpr double kLane = 12;    // px
constexpr double kDistance = 4; // px between an arrow's end and a matrix
constexpr double kBend = 8;     // px, radius

struct Spot {
    std::size_t column = 0, row = 0, count = 0; ///< `count` is the number of stages in the column
};

Spot spotOf(const WholeGraph &graph, const std::vector<std::vector<std::size_t>> &columns,
            StageId at) {
    const std::size_t index = graph.indexOf(at);
    for (std::size_t column = 0; column < columns.size(); ++column)
        if (const auto found = std::ranges::find(columns[column], index);
            found != columns[column].end())
            return {column, static_cast<std::size_t>(found - columns[column].begin()),
                    columns[column].size()};
    return {};
}

/// True if the arrow leads neither to the next column nor to the next stage of its column.
bool passes(const Spot &from, const Spot &to) {
    return from.column == to.column ? to.row != from.row + 1 : to.column != from.column + 1;
}

class Router {
  public:
    Router(const WholeGeometry &geometry, const WholeGraph &graph,
           const std::vector<std::vector<std::size_t>> &columns, const WholeLanes &lanes,
           const WholeColumns &edges, const QRectF &rows)
        : m_geometry(geometry),
          m_graph(graph),
          m_columns(columns),
          m_lanes(lanes),
          m_edges(edges),
          m_rows(rows) {}

    WholeArrow route(const WholeGraph::Link &link) const {
        const Spot from = spotOf(m_graph, m_columns, link.from);
        const Spot to = spotOf(m_graph, m_columns, link.to);
        const WholeNode &left = *m_geometry.node(link.from);
        const QRectF source = left.numbers();
        const WholeNode *weights = m_geometry.learnedOf(link.to);
        const WholeNode &entered = weights ? *weights : *m_geometry.node(link.to);
        if (from.column == to.column && !passes(from, to))
            return down(link, left, entered);
        const QPointF tip(
            entered.matrix.left() - kDistance,
            std::round(entered.matrix.top() + entered.matrix.height() * shareOf(link, to.column)));
        const double start = std::round(source.center().y());
        QPainterPath path(QPointF(source.right() + kDistance, start));
        if (!passes(from, to)) {
            const double edge = m_edges[from.column].right;
            path.lineTo(std::max(edge, path.currentPosition().x()), start);
            curve(path, {std::max(m_edges[to.column].left - kDistance, edge + 1), tip.y()});
            path.lineTo(tip);
            return {link.from, link.to, path, 0};
        }
        const double lane = laneOf(link.from);
        const double out = m_edges[from.column].right + 0.35 * gapAfter(from.column);
        const double in = m_edges[to.column].left - 0.4 * gapBefore(to.column);
        path.lineTo(out - kBend, start);
        bend(path, {out, start}, {out, lane});
        bend(path, {out, lane}, {in, lane});
        bend(path, {in, lane}, {in, tip.y()});
        bend(path, {in, tip.y()}, tip);
        path.lineTo(tip);
        return {link.from, link.to, path, 0};
    }

  private:
    double gapAfter(std::size_t column) const {
        return column + 1 < m_edges.size() ? m_edges[column + 1].left - m_edges[column].right : 20;
    }
    double gapBefore(std::size_t column) const { return column > 0 ? gapAfter(column - 1) : 20; }

    double laneOf(StageId from) const {
        if (const auto over = std::ranges::find(m_lanes.over, from); over != m_lanes.over.end())
            return m_rows.top() - m_lanes.above() +
                   kLane * (static_cast<double>(over - m_lanes.over.begin()) + 0.5);
        const auto under = std::ranges::find(m_lanes.under, from);
        return m_rows.bottom() + m_lanes.height() - m_lanes.above() -
               kLane * (static_cast<double>(under - m_lanes.under.begin()) + 0.5);
    }

    /// Returns where an arrow ends on its stage's left edge, 0 … 1. The arrows are spread evenly
    /// over the edge.
    double shareOf(const WholeGraph::Link &link, std::size_t column) const {
        std::vector<std::pair<double, StageId>> sources;
        for (const WholeGraph::Link &one : m_graph.links) {
            if (one.to != link.to)
                continue;
            const Spot from = spotOf(m_graph, m_columns, one.from);
            if (from.column == column && !passes(from, spotOf(m_graph, m_columns, one.to)))
                continue; // this arrow arrives from above
            const bool isLane = passes(from, spotOf(m_graph, m_columns, one.to));
            sources.emplace_back(isLane ? laneOf(one.from)
                                        : m_geometry.node(one.from)->matrix.center().y(),
                                 one.from);
        }
        std::ranges::sort(sources);
        const auto place =
            std::ranges::find(sources, link.from, &std::pair<double, StageId>::second);
        return (static_cast<double>(place - sources.begin()) + 1) /
               (static_cast<double>(sources.size()) + 1);
    }

    static WholeArrow down(const WholeGraph::Link &link, const WholeNode &left,
                           const WholeNode &entered) {
        const QRectF &source = left.matrix;
        const double x = std::round(source.left() + std::min(source.width() / 2, 10.0));
        QPainterPath path(QPointF(x, left.frame().bottom() + 2));
        const QRectF target = entered.frame();
        if (x <= target.right()) {
            path.lineTo(x, entered.title.top() - 1);
            return {link.from, link.to, path, 90};
        }
        const QPointF tip(target.right() + kDistance, std::round(entered.matrix.center().y()));
        path.lineTo(x, tip.y() - kBend);
        bend(path, {x, tip.y()}, tip);
        path.lineTo(tip);
        return {link.from, link.to, path, 180};
    }

    static void curve(QPainterPath &path, QPointF to) {
        const QPointF from = path.currentPosition();
        const double middle = (from.x() + to.x()) / 2;
        path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
    }

    /// Adds a rounded corner, and a line that ends shortly before the next corner.
    static void bend(QPainterPath &path, QPointF corner, QPointF next) {
        const QPointF way = next - corner;
        const double length = std::hypot(way.x(), way.y());
        const QPointF unit = length > 0 ? way / length : QPointF();
        const double radius = std::min(kBend, length / 2);
        path.quadTo(corner, corner + unit * radius);
        path.lineTo(corner + unit * std::max(radius, length - kBend));
    }

    const WholeGeometry &m_geometry;
    const WholeGraph &m_graph;
    const std::vector<std::vector<std::size_t>> &m_columns;
    const WholeLanes &m_lanes;
    const WholeColumns &m_edges;
    QRectF m_rows;
};

} // namespace

WholeLanes WholeLanes::of(const WholeGraph &graph,
                          const std::vector<std::vector<std::size_t>> &columns) {
    WholeLanes lanes;
    for (const WholeGraph::Link &link : graph.links) {
        const Spot from = spotOf(graph, columns, link.from);
        if (!passes(from, spotOf(graph, columns, link.to)))
            continue;
        const bool isLast = from.count > 1 && from.row + 1 == from.count;
        std::vector<StageId> &side = isLast ? lanes.under : lanes.over;
        if (std::ranges::find(side, link.from) == side.end())
            side.push_back(link.from);
    }
    return lanes;
}

double WholeLanes::above() const {
    return kLane * static_cast<double>(over.size());
}

double WholeLanes::height() const {
    return above() + kLane * static_cast<double>(under.size());
}

std::vector<WholeArrow> wholeArrows(const WholeGeometry &geometry, const WholeGraph &graph,
                                    const std::vector<std::vector<std::size_t>> &columns,
                                    const WholeLanes &lanes, const WholeColumns &edges,
                                    const QRectF &rows) {
    const Router router(geometry, graph, columns, lanes, edges, rows);
    std::vector<WholeArrow> arrows;
    for (const WholeGraph::Link &link : graph.links)
        arrows.push_back(router.route(link));
    return arrows;
}

} // namespace headlight::ui
