// Layout of a plane with vectors, without painting.
#pragma once

#include "core/analysis/projection.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace headlight::ui {

/// A vector to place: its tip and the measured size of its name.
struct PlaneItem {
    core::PlanePoint at;
    core::PlanePoint from{}; ///< start of the arrow
    bool arrow = false;      ///< if false, the vector is a point
    QSizeF name{};           ///< empty: no name
    int rank = 0;            ///< names of lower rank are placed first
    double size = 9;         ///< size of the mark in px; names do not cover it
    bool isFramed = true;    ///< the default view includes it
};

/// The visible part of the plane. Both axes have the same scale, so angles and ratios of lengths
/// are correct.
struct PlaneViewport {
    core::PlanePoint centre;
    double unit = 1; ///< pixels per unit, > 0
    bool operator==(const PlaneViewport &) const = default;
};

struct PlaneRequest {
    QRectF area;
    double titleHeight = 0;
    double subtitleHeight = 0;
    double noteHeight = 0;
    double lineHeight = 14;  ///< height of the axis numbers
    double tickWidth = 30;   ///< width of the widest number at the vertical axis
    double xNameHeight = 0;  ///< px, below the axis numbers
    double yNameHeight = 0;  ///< px, above the plot
    bool showsOrigin = true; ///< the origin is visible
    std::vector<PlaneItem> items;
    std::vector<std::pair<core::PlanePoint, core::PlanePoint>> lines; ///< below the items
    std::vector<core::PlanePoint> framed; ///< other points that must be visible
    std::optional<PlaneViewport> sight;   ///< if unset, all items are visible
};

/// The position of a name, if there is one.
struct PlaneName {
    QRectF rect;         ///< empty if there is no space; the name is then shown under the mouse
    bool leader = false; ///< true if a leader line connects the name to its distant point
};

struct PlaneGeometry {
    static PlaneGeometry of(const PlaneRequest &request);
    /// Returns the height needed above and below the plot.
    static double besidesPlot(const PlaneRequest &request);

    QRectF area;
    QRectF title, subtitle, note, xName, yName; ///< empty if missing
    QRectF plot;
    PlaneViewport sight;
    double tickStep = 1;                ///< 1, 2 or 5 times a power of ten
    std::vector<double> xTicks, yTicks; ///< inside the plot, from low to high
    std::vector<PlaneName> names;       ///< one per item; they cover neither each other nor a mark
    double lineHeight = 0;

    QPointF onScreen(const core::PlanePoint &point) const;
    core::PlanePoint inPlane(QPointF point) const;
    /// Returns the item whose tip is nearest, within `reach` pixels. If several are equally near,
    /// returns the last one, which is on top.
    std::optional<std::size_t> itemAt(QPointF point, const std::vector<PlaneItem> &items,
                                      double reach = 10) const;
};

/// Returns a view of all items, and of the origin if it is shown, with a margin.
PlaneViewport sightOf(const PlaneRequest &request, const QSizeF &plot);

} // namespace headlight::ui
