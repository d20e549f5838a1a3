// A vector of the computation put elsewhere by changing what it was made from: a word's embedding,
// or the head's part of W_Q, W_K or W_V.
#pragma once

#include "core/analysis/vector_space.h"
#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

struct VectorId {
    core::HeadId place;
    core::Stage stage = core::Stage::Positioned; ///< Positioned: what enters the layer
    core::Index token = 0;
    bool operator==(const VectorId &) const = default;
};

/// Why nothing that a person can change is this vector alone: "a context is computed …"; empty: it
/// can be moved.
QString whyNotMovable(const VectorId &id);

/// So that the vector becomes `to`, where `trace` is that of `state`. What enters the first layer:
/// the word's embedding, or the sequence's own, moves by the same difference, since positions are
/// added to it. A query, key or value: the head's part of its matrix by the smallest change (see
/// core::smallestChange). Errors: whyNotMovable(); another width; numbers that are not finite; a
/// token whose x is zero, so that no matrix changes what it gives.
core::Result<Change> moveVector(const DocumentState &state, const core::Trace &trace,
                                const VectorId &id, const std::vector<float> &to);

} // namespace headlight::ui::edits
