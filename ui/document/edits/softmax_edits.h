// Edits of what the softmax view looks at: numbers of one's own, and which part of it is shown.
// None of them changes anything that is computed of the model.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Errors of all below: a number that is not finite or too large, a factor or a temperature that is
/// not greater than 0, no number or too many, vectors of no or too many components.

/// Empty: the model's row again.
core::Result<Change> setOwnLogits(const DocumentState &state, std::vector<float> logits);
/// Six that differ little; of × `times` softmax leaves one of them.
core::Result<Change> setSixLogits(const DocumentState &state, float times);
core::Result<Change> setOwnLogit(const DocumentState &state, std::size_t index, float logit);
/// A zero, behind the others.
core::Result<Change> addOwnLogit(const DocumentState &state);
core::Result<Change> removeOwnLogit(const DocumentState &state, std::size_t index);
core::Result<Change> setOwnTimes(const DocumentState &state, float times);
core::Result<Change> setOwnTemperature(const DocumentState &state, float temperature);

core::Result<Change> showSoftmaxPart(const DocumentState &state, core::SoftmaxPart part);
core::Result<Change> setDrawnHeadSize(const DocumentState &state, core::Index headSize);
/// Other draws of the same.
core::Result<Change> drawAgain(const DocumentState &state);

} // namespace headlight::ui::edits
