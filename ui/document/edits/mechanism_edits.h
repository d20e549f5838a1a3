// Edits of the attention mechanism: scaling, masking, softmax, ablated heads, and score overrides.
// Also moves the sliders of a lesson's text.
#pragma once

#include "core/transformer/trace/trace.h"
#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

/// Error: a temperature that is not greater than 0 or not finite.
core::Result<Change> setTemperature(const DocumentState &state, float temperature);
/// Error: a divisor that is not greater than 0, or not finite.
core::Result<Change> setScale(const DocumentState &state, const core::Scale &scale);
core::Result<Change> setSoftmax(const DocumentState &state, bool on);
/// Error: the value is not less than 0.
core::Result<Change> setMasking(const DocumentState &state, const core::MaskOptions &masking);
/// Removes tables that the encoding does not use, and takes missing ones from `usual`.
core::Result<Change> setPositions(const DocumentState &state, core::Positions positions,
                                  const core::ModelParameters &usual);

// Errors of the functions up to clearInterventions(): no such layer, head, sequence, query or key;
// a score that is not finite; nothing to set or remove.

core::Result<Change> setHead(const DocumentState &state, core::AttentionId attention,
                             core::Index head, core::HeadState headState);
/// Sets all heads of the attention module.
core::Result<Change> setHeads(const DocumentState &state, core::AttentionId attention,
                              core::HeadState headState);
/// Overrides one or more scores, replacing earlier overrides.
core::Result<Change> setScores(const DocumentState &state,
                               const std::vector<core::ScoreIntervention> &scores);
/// Removes score overrides. The values in `scores` are ignored.
core::Result<Change> removeScores(const DocumentState &state,
                                  const std::vector<core::ScoreIntervention> &scores);
/// Turns every head on and removes all score overrides.
core::Result<Change> clearInterventions(const DocumentState &state);

/// Sets the value of a slider. `mark` is "slider temperature 0.25 to 4" as hexadecimal digits
/// (core::hexOf()), `share` is the position on the slider, 0 … 1. Errors: as core::takeSlider().
core::Result<Change> moveSlider(const DocumentState &state, const core::Trace &trace,
                                const QString &mark, double share);

} // namespace headlight::ui::edits
