#include "ui/window/lessons/lesson_routes.h"

#include <QMap>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Free space between two cards of a column, above the first card or below the last.
struct Corridor {
    double top, bottom;
    double away(double y) const { return std::max({top - y, y - bottom, 0.0}); }
};

struct MapColumn {
    double left = 0, right = 0;
    QList<Corridor> corridors; // from top to bottom
};

QMap<int, MapColumn> columnsOf(const QList<LessonMapPosition> &places, const QList<QRect> &cards,
                               int gap) {
    QMap<int, QList<QRectF>> stacks;
    for (qsizetype at = 0; at < places.size(); ++at)
        stacks[places[at].cell.x()] << QRectF(cards[at]);
    QMap<int, MapColumn> columns;
    for (auto stack = stacks.begin(); stack != stacks.end(); ++stack) {
        std::ranges::sort(*stack, {}, [](const QRectF &card) { return card.top(); });
        MapColumn column{stack->first().left(), stack->first().right(), {}};
        column.corridors << Corridor{stack->first().top() - gap, stack->first().top()};
        for (qsizetype row = 1; row < stack->size(); ++row)
            column.corridors << Corridor{(*stack)[row - 1].bottom(), (*stack)[row].top()};
        column.corridors << Corridor{stack->last().bottom(), stack->last().bottom() + gap};
        columns.insert(stack.key(), column);
    }
    return columns;
}

/// A line with its chosen corridor in each column that it passes.
struct Route {
    qsizetype from, to;
    QMap<int, qsizetype> corridors; // key: the column
};

/// Lanes of each corridor: one for each lesson whose lines pass through it.
using Lanes = QMap<std::pair<int, qsizetype>, QList<qsizetype>>;

QPointF beginOf(const QRect &card) {
    return {QRectF(card).right(), QRectF(card).center().y()};
}

QPointF endOf(const QRect &card) {
    return {QRectF(card).left(), QRectF(card).center().y()};
}

Route routeOf(qsizetype from, qsizetype to, const QList<LessonMapPosition> &places,
              const QList<QRect> &cards, const QMap<int, MapColumn> &columns) {
    Route route{from, to, {}};
    const QPointF begin = beginOf(cards[from]), end = endOf(cards[to]);
    for (int x = places[from].cell.x() + 1; x < places[to].cell.x(); ++x) {
        const MapColumn &column = columns[x];
        const double middle = (column.left + column.right) / 2;
        const double straight =
            begin.y() + (end.y() - begin.y()) * (middle - begin.x()) / (end.x() - begin.x());
        const auto nearest =
            std::ranges::min_element(column.corridors, {}, [&](const Corridor &corridor) {
                return corridor.away(straight);
            });
        route.corridors.insert(x, nearest - column.corridors.begin());
    }
    return route;
}

/// Adds a curve that is horizontal at both ends, so that it stays between the columns.
void curveTo(QPainterPath &path, QPointF end) {
    const QPointF begin = path.currentPosition();
    const QPointF half((end.x() - begin.x()) / 2, 0);
    path.cubicTo(begin + half, end - half, end);
}

} // namespace

QList<QPainterPath> routesOf(const QList<LessonMapPosition> &places, const QList<QRect> &cards,
                             int gap) {
    const QMap<int, MapColumn> columns = columnsOf(places, cards, gap);
    QList<Route> routes;
    Lanes lanes;
    for (qsizetype to = 0; to < places.size(); ++to)
        for (const qsizetype from : places[to].from) {
            routes << routeOf(from, to, places, cards, columns);
            const auto &corridors = routes.last().corridors;
            for (auto at = corridors.begin(); at != corridors.end(); ++at)
                if (QList<qsizetype> &lane = lanes[{at.key(), at.value()}]; !lane.contains(from))
                    lane << from;
        }
    for (QList<qsizetype> &lane : lanes) // sort lanes by the vertical order of their lessons
        std::ranges::sort(lane, {}, [&](qsizetype from) { return cards[from].top(); });
    QList<QPainterPath> paths;
    for (const Route &route : std::as_const(routes)) {
        QPainterPath path(beginOf(cards[route.from]));
        for (auto at = route.corridors.begin(); at != route.corridors.end(); ++at) {
            const MapColumn &column = columns[at.key()];
            const Corridor &corridor = column.corridors[at.value()];
            const QList<qsizetype> lane = lanes.value({at.key(), at.value()});
            const double y = corridor.top + (corridor.bottom - corridor.top) *
                                                static_cast<double>(lane.indexOf(route.from) + 1) /
                                                static_cast<double>(lane.size() + 1);
            curveTo(path, {column.left, y});
            path.lineTo(column.right, y);
        }
        curveTo(path, endOf(cards[route.to]));
        paths << path;
    }
    return paths;
}

} // namespace headlight::ui
