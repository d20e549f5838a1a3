#include "ui/figures/geometry/plane_geometry.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/geometry/name_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::ui {

namespace {

constexpr double kNameGap = 4;
constexpr double kMinMargin = 0.09; // margin for names, relative to the plot's sides
constexpr double kMaxMargin = 0.22;
constexpr double kTickDistance = 56; // px, smallest distance between two axis numbers
constexpr double kTickAir = 1.7;     // like kTickDistance, as a multiple of the number's width
constexpr double kLessTickAir = 1.2; // used instead if an axis would have only one number
constexpr double kMinTickSpacing = 1.06;
constexpr double kMinExtent = 1e-6; // smallest visible extent, if all points coincide

} // namespace

PlaneViewport sightOf(const PlaneRequest &request, const QSizeF &plot) {
    constexpr double far = std::numeric_limits<double>::max();
    double left = far, right = -far, bottom = far, top = -far;
    const auto include = [&](const core::PlanePoint &point) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        bottom = std::min(bottom, point.y);
        top = std::max(top, point.y);
    };
    for (const PlaneItem &item : request.items) {
        if (!item.isFramed)
            continue;
        include(item.at);
        if (item.arrow)
            include(item.from);
    }
    for (const core::PlanePoint &point : request.framed)
        include(point);
    if (request.showsOrigin || left > right)
        include({0, 0});
    const bool isOnePlace = std::max(right - left, top - bottom) < kMinExtent;
    const double least = isOnePlace ? 1 : kMinExtent;
    const double width = std::max({right - left, (top - bottom) * 1e-3, least});
    const double height = std::max({top - bottom, (right - left) * 1e-3, least});
    double widest = 0;
    for (const PlaneItem &item : request.items)
        widest = std::max(widest, item.name.width());
    const double beside =
        std::clamp(widest + 16, kMinMargin * plot.width(), kMaxMargin * plot.width());
    const double unit = std::min((plot.width() - 2 * beside) / width,
                                 plot.height() * (1 - 2 * kMinMargin) / height);
    return {{(left + right) / 2, (bottom + top) / 2}, std::max(unit, 1e-9)};
}

double PlaneGeometry::besidesPlot(const PlaneRequest &request) {
    double height = request.lineHeight + kNameGap;
    for (const double each : {request.titleHeight, request.subtitleHeight, request.noteHeight,
                              request.yNameHeight, request.xNameHeight})
        height += each > 0 ? each + kNameGap : 0;
    return height;
}

PlaneGeometry PlaneGeometry::of(const PlaneRequest &request) {
    PlaneGeometry geometry;
    geometry.area = request.area;
    geometry.lineHeight = request.lineHeight;
    const QRectF &area = request.area;
    double top = area.top();
    const auto above = [&](double height) {
        const QRectF rect(area.left(), top, area.width(), height);
        top += height > 0 ? height + kNameGap : 0;
        return height > 0 ? rect : QRectF();
    };
    geometry.title = above(request.titleHeight);
    geometry.subtitle = above(request.subtitleHeight);
    geometry.note = above(request.noteHeight);
    geometry.yName = above(request.yNameHeight);
    double bottom = area.bottom();
    if (request.xNameHeight > 0) {
        geometry.xName =
            QRectF(area.left(), bottom - request.xNameHeight, area.width(), request.xNameHeight);
        bottom -= request.xNameHeight + kNameGap;
    }
    bottom -= request.lineHeight + kNameGap; // space for the numbers of the horizontal axis
    const double left = area.left() + request.tickWidth + kNameGap;
    geometry.plot =
        QRectF(left, top, std::max(1.0, area.right() - left), std::max(1.0, bottom - top));
    geometry.sight = request.sight.value_or(sightOf(request, geometry.plot.size()));

    const core::PlanePoint low = geometry.inPlane(geometry.plot.bottomLeft());
    const core::PlanePoint high = geometry.inPlane(geometry.plot.topRight());
    for (const double distance :
         {std::max(kTickDistance, kTickAir * request.tickWidth), kLessTickAir * request.tickWidth,
          kMinTickSpacing * request.tickWidth}) {
        geometry.tickStep = roundStep(distance / geometry.sight.unit);
        geometry.xTicks = ticksBetween(low.x, high.x, geometry.tickStep);
        geometry.yTicks = ticksBetween(low.y, high.y, geometry.tickStep);
        if (geometry.xTicks.size() > 1 && geometry.yTicks.size() > 1)
            break;
    }

    std::vector<QPointF> tips, starts;
    tips.reserve(request.items.size());
    starts.reserve(request.items.size());
    for (const PlaneItem &item : request.items) {
        tips.push_back(geometry.onScreen(item.at));
        starts.push_back(geometry.onScreen(item.from));
    }
    std::vector<QLineF> lines;
    for (const auto &[from, to] : request.lines)
        lines.emplace_back(geometry.onScreen(from), geometry.onScreen(to));
    for (std::size_t i = 0; i < request.items.size(); ++i)
        if (request.items[i].arrow)
            lines.emplace_back(starts[i], tips[i]);
    geometry.names = placeNames(request.items, tips, starts, lines, geometry.plot);
    return geometry;
}

QPointF PlaneGeometry::onScreen(const core::PlanePoint &point) const {
    const QPointF middle = plot.center();
    return {middle.x() + (point.x - sight.centre.x) * sight.unit,
            middle.y() - (point.y - sight.centre.y) * sight.unit};
}

core::PlanePoint PlaneGeometry::inPlane(QPointF point) const {
    const QPointF offset = point - plot.center();
    return {sight.centre.x + offset.x() / sight.unit, sight.centre.y - offset.y() / sight.unit};
}

std::optional<std::size_t> PlaneGeometry::itemAt(QPointF point, const std::vector<PlaneItem> &items,
                                                 double reach) const {
    std::optional<std::size_t> found;
    double nearest = reach * reach;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const QPointF offset = onScreen(items[i].at) - point;
        const double distance = QPointF::dotProduct(offset, offset);
        if (distance <= nearest) {
            nearest = distance;
            found = i;
        }
    }
    return found;
}

} // namespace headlight::ui
