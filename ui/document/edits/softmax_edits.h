// Edits of the softmax view: custom logits, and the displayed panel. They do not change the
// model's computation.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Errors of all functions below: a logit that is not finite or too large; a factor or temperature
/// not greater than 0; no logits or too many; vectors of zero or too many components.

/// Sets custom logits. An empty list shows the model's row again.
core::Result<Change> setOwnLogits(const DocumentState &state, std::vector<float> logits);
/// Sets six similar logits. Multiplied by `times`, their softmax is close to one-hot.
core::Result<Change> setSixLogits(const DocumentState &state, float times);
core::Result<Change> setOwnLogit(const DocumentState &state, std::size_t index, float logit);
/// Appends a zero.
core::Result<Change> addOwnLogit(const DocumentState &state);
core::Result<Change> removeOwnLogit(const DocumentState &state, std::size_t index);
core::Result<Change> setOwnTimes(const DocumentState &state, float times);
core::Result<Change> setOwnTemperature(const DocumentState &state, float temperature);

core::Result<Change> showSoftmaxPart(const DocumentState &state, core::SoftmaxPart part);
core::Result<Change> setDrawnHeadSize(const DocumentState &state, core::Index headSize);
/// Draws new samples with another seed.
core::Result<Change> drawAgain(const DocumentState &state);

} // namespace headlight::ui::edits
