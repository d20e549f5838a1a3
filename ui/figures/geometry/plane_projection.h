// Which vectors a plane is made from, and the two directions of it.
#pragma once

#include "core/analysis/projection.h"
#include "core/selection/selection.h"
#include "ui/figures/base/plane_options.h"

namespace headlight::ui {

core::HeadId placeOf(const core::Selection &selection);

/// Whose vectors the residual stream shows.
std::vector<core::Index> sequencesOf(const core::Trace &trace, const core::Selection &selection,
                                     const PlaneOptions &options);

/// The vectors of the space without those of padding.
std::vector<core::SpaceVector> realVectors(const core::Trace &trace, core::VectorSpace space,
                                           const core::HeadId &place);

/// 0 where the space has no vectors.
core::Index widthOf(const core::Trace &trace, const core::Selection &selection,
                    core::VectorSpace space);

/// Width 2 as it is; else the directions that `options` ask for. Errors: there are no such vectors;
/// dot products without a chosen query.
core::Result<core::Projection> projectionOf(const core::Trace &trace,
                                            const core::Selection &selection,
                                            core::VectorSpace space, const PlaneOptions &options);

} // namespace headlight::ui
