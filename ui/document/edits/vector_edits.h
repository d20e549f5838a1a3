// Moves a vector of the computation by changing its inputs: a word's embedding, or the head's part
// of W_Q, W_K or W_V.
#pragma once

#include "core/analysis/vector_space.h"
#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

struct VectorId {
    core::SequenceHeadId place;
    core::Stage stage = core::Stage::Positioned; ///< Positioned: the input of the layer
    core::Index token = 0;
    bool operator==(const VectorId &) const = default;
};

/// Returns why no parameter moves this vector alone: "a context is computed …". Empty if it can be
/// moved.
QString unmovableReason(const VectorId &id);

/// Makes the vector equal to `to`. `trace` must belong to `state`. Moving an input of the first
/// layer changes the word's embedding, or the sequence's own, by the difference divided by the
/// embedding scale. Moving a query, key or value changes the head's part of its matrix as little as
/// possible (see core::smallestChange). Errors: as unmovableReason(); a different width; values
/// that are not finite; a token whose x is zero, which no matrix can move.
core::Result<Change> moveVector(const DocumentState &state, const core::Trace &trace,
                                const VectorId &id, const std::vector<float> &to);

} // namespace headlight::ui::edits
