// Texts of a plane: its title, axis names and legend.
#pragma once

#include "ui/figures/geometry/space_plane.h"

namespace headlight::ui {

/// Translation context that the planes of all three spaces share.
struct SpacePlaneText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SpacePlane)
};

QString spaceTitle(core::VectorSpace space, const core::Trace &trace,
                   const core::Selection &selection);

/// Returns the legend of the marks. `showsShift` is true if the plane also shows where attention
/// moves the words.
QString legendOf(core::VectorSpace space, const core::Trace &trace,
                 const core::Selection &selection, bool showsShift);

/// Returns the name of axis 0 or 1. `query` is the selected query's word.
QString axisName(const core::Projection &projection, std::size_t axis, const QString &query);

/// Describes which property of the vectors the plane preserves.
QString axesText(const SpacePlane &plane, const QString &query);

} // namespace headlight::ui
