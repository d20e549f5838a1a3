// One of the three spaces as a plane: which vectors it shows, where, and what each of them is.
#pragma once

#include "core/analysis/projection.h"
#include "core/selection/selection.h"
#include "ui/figures/base/plane_options.h"
#include "ui/figures/geometry/plane_figure.h"

#include <QStringList>

namespace headlight::ui {

/// What a vector of the plane is; the same place as in the content's list.
struct VectorSource {
    core::Stage stage = core::Stage::Embeddings;
    core::Index sequence = 0;
    core::Index token = 0;
    bool operator==(const VectorSource &) const = default;
};

/// What stays of a plane while one of its vectors is dragged, or while another is chosen.
struct PinnedPlane {
    core::Projection projection;
    std::optional<double> share; ///< of the queries' lengths; none: as long as has room
};

struct SpacePlane {
    core::VectorSpace space = core::VectorSpace::Residual;
    core::Projection projection;
    double share = 1; ///< of the queries' lengths that is drawn
    PlaneContent content;
    std::vector<VectorSource> places;
};

/// "(1.000, 1.000)"; of a long vector the first ones.
QString coordinatesText(std::span<const float> numbers);

/// `held`: the projection to use instead of the one made from these vectors, so that it stays while
/// one of them is dragged; must have the width of the space. An error becomes the content's
/// `nothing`.
SpacePlane planeOf(const core::TracePointer &trace, const core::Selection &selection,
                   core::VectorSpace space, const FigureStyle &style, const PlaneOptions &options,
                   const PinnedPlane *held = nullptr);

/// What the selected query and key have to do with each other, in words and numbers, a line each:
/// angle, lengths, dot product; the pull; that it is not symmetric. Without a query: what to do.
QStringList planeWords(const core::Trace &trace, const core::Selection &selection,
                       const PlaneOptions &options);

} // namespace headlight::ui
