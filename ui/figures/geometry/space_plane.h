// One of the three vector spaces as a plane: its vectors, their positions and their meaning.
#pragma once

#include "core/analysis/projection.h"
#include "core/selection/selection.h"
#include "ui/figures/base/plane_options.h"
#include "ui/figures/geometry/plane_figure.h"

#include <QStringList>

namespace headlight::ui {

/// The stage, sequence and token of a plane's vector, at the same index as in the content's list.
struct VectorSource {
    core::Stage stage = core::Stage::Embeddings;
    core::Index sequence = 0;
    core::Index token = 0;
    bool operator==(const VectorSource &) const = default;
};

/// The properties of a plane that are kept while a vector is dragged or another is selected.
struct PinnedPlane {
    core::Projection projection;
    std::optional<double> share; ///< drawn share of the queries' lengths; computed if unset
};

struct SpacePlane {
    core::VectorSpace space = core::VectorSpace::Residual;
    core::Projection projection;
    double share = 1; ///< drawn share of the queries' lengths
    PlaneContent content;
    std::vector<VectorSource> places;
};

/// Returns "(1.000, 1.000)"; a long vector is truncated.
QString coordinatesText(std::span<const float> numbers);

/// `held` replaces the projection computed from the vectors of the space, so that the plane does
/// not change during a drag. `held` must have the width of the space. Errors are stored in the
/// content's `nothing`.
SpacePlane planeOf(const core::TracePointer &trace, const core::Selection &selection,
                   core::VectorSpace space, const FigureStyle &style, const PlaneOptions &options,
                   const PinnedPlane *held = nullptr);

/// Describes the relation between the selected query and key, one fact per line: angle, lengths,
/// dot product, attention, and its asymmetry. Without a query, explains what to do.
QStringList planeText(const core::Trace &trace, const core::Selection &selection,
                      const PlaneOptions &options);

} // namespace headlight::ui
