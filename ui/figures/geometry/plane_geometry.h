// Where the parts of a plane with vectors in it are: plain numbers, no painting, no window.
#pragma once

#include "core/analysis/projection.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace headlight::ui {

/// One vector to be placed: its tip, and its name's size as measured elsewhere.
struct PlaneItem {
    core::PlanePoint at;
    core::PlanePoint from{}; ///< where its arrow begins
    bool arrow = false;      ///< else a point
    QSizeF name{};           ///< empty: it has none
    int rank = 0;            ///< names of a lower rank find their places first
    double size = 9;         ///< of its mark, px, which no name covers
    bool isFramed = true;    ///< what is in sight is chosen so that this is
};

/// The part of the plane that is looked at. Both axes have the same scale, so that angles and
/// lengths are true.
struct PlaneViewport {
    core::PlanePoint centre;
    double unit = 1; ///< pixels a unit, > 0
    bool operator==(const PlaneViewport &) const = default;
};

struct PlaneRequest {
    QRectF area;
    double titleHeight = 0;
    double subtitleHeight = 0;
    double noteHeight = 0;
    double lineHeight = 14;  ///< of the numbers at the axes
    double tickWidth = 30;   ///< of the widest number at the vertical axis
    double xNameHeight = 0;  ///< beneath the numbers
    double yNameHeight = 0;  ///< above the plot
    bool showsOrigin = true; ///< the origin is in sight
    std::vector<PlaneItem> items;
    std::vector<std::pair<core::PlanePoint, core::PlanePoint>> lines; ///< beneath the items
    std::optional<PlaneViewport> sight; ///< none: all items are in sight
};

/// Where a name lies, if there was a place for it.
struct PlaneName {
    QRectF rect;         ///< empty: no room; the word is said under the mouse
    bool leader = false; ///< it lies so far away that a line leads to it
};

struct PlaneGeometry {
    static PlaneGeometry of(const PlaneRequest &request);
    /// What stands over and under the plot needs so much height.
    static double besidesPlot(const PlaneRequest &request);

    QRectF area;
    QRectF title, subtitle, note, xName, yName; ///< empty where there is none
    QRectF plot;
    PlaneViewport sight;
    double tickStep = 1;                ///< 1, 2 or 5 times a power of ten
    std::vector<double> xTicks, yTicks; ///< within the plot, from low to high
    std::vector<PlaneName> names;       ///< one an item; they do not overlap each other or any tip
    double lineHeight = 0;

    QPointF onScreen(const core::PlanePoint &point) const;
    core::PlanePoint inPlane(QPointF point) const;
    /// The item whose tip is nearest, within `reach` pixels. Later items lie on top.
    std::optional<std::size_t> itemAt(QPointF point, const std::vector<PlaneItem> &items,
                                      double reach = 10) const;
};

/// All of the items, and the origin where it is shown, with a margin around them.
PlaneViewport sightOf(const PlaneRequest &request, const QSizeF &plot);

} // namespace headlight::ui
