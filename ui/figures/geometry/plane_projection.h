// Selects the vectors that define a plane and computes its two directions.
#pragma once

#include "core/analysis/projection.h"
#include "core/selection/selection.h"
#include "ui/figures/base/plane_options.h"

namespace headlight::ui {

core::SequenceHeadId placeOf(const core::Selection &selection);

/// Returns the sequences shown in the residual stream.
std::vector<core::Index> sequencesOf(const core::Trace &trace, const core::Selection &selection,
                                     const PlaneOptions &options);

/// Returns the space's vectors, except those of padding.
std::vector<core::SpaceVector> realVectors(const core::Trace &trace, core::VectorSpace space,
                                           const core::SequenceHeadId &place);

/// Returns the width of the space; 0 if it has no vectors.
core::Index widthOf(const core::Trace &trace, const core::Selection &selection,
                    core::VectorSpace space);

/// Returns a projection. It is the identity for width 2, otherwise a projection onto the directions
/// set in `options`. Errors: no vectors, or dot products without a selected query.
core::Result<core::Projection> projectionOf(const core::Trace &trace,
                                            const core::Selection &selection,
                                            core::VectorSpace space, const PlaneOptions &options);

} // namespace headlight::ui
