// What a plane says of itself: its title, its axes, what its marks are.
#pragma once

#include "ui/figures/geometry/space_plane.h"

namespace headlight::ui {

/// Of the sentences of all three spaces.
struct SpacePlaneWords {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SpacePlane)
};

QString spaceTitle(core::VectorSpace space, const core::Trace &trace,
                   const core::Selection &selection);

/// Which mark is what.
QString legendOf(core::VectorSpace space, const core::Trace &trace,
                 const core::Selection &selection);

/// Of axis 0 or 1; `query`: the chosen query's word.
QString axisName(const core::Projection &projection, std::size_t axis, const QString &query);

/// What the plane keeps of the vectors, and no more than that.
QString axesWords(const SpacePlane &plane, const QString &query);

} // namespace headlight::ui
