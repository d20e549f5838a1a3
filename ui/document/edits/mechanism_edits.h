// Edits of the mechanism itself: how scores are scaled, masked and turned into weights, which heads
// are silenced, which scores stand by hand.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Error: not greater than 0, or not finite.
core::Result<Change> setTemperature(const DocumentState &state, float temperature);
/// Error: a divisor that is not greater than 0, or not finite.
core::Result<Change> setScale(const DocumentState &state, const core::Scale &scale);
core::Result<Change> setSoftmax(const DocumentState &state, bool on);
/// Error: the value is not less than 0.
core::Result<Change> setMasking(const DocumentState &state, const core::MaskOptions &masking);
/// Tables that the positions leave without a place go, and those that they need come from `usual`,
/// where the model has none.
core::Result<Change> setPositions(const DocumentState &state, core::Positions positions,
                                  const core::ModelParameters &usual);

/// Errors of all below: no such layer, head, sequence, query or key; a score that is not finite;
/// nothing to take away.
core::Result<Change> setHead(const DocumentState &state, core::AttentionId attention,
                             core::Index head, core::HeadState headState);
/// Every head of the layer's attention.
core::Result<Change> setHeads(const DocumentState &state, core::AttentionId attention,
                              core::HeadState headState);
/// One score or many, each replacing the one that its place had.
core::Result<Change> setScores(const DocumentState &state,
                               const std::vector<core::ScoreIntervention> &scores);
/// Computed again; `score` counts by its place alone.
core::Result<Change> removeScores(const DocumentState &state,
                                  const std::vector<core::ScoreIntervention> &scores);
/// Every head on, every score computed.
core::Result<Change> clearInterventions(const DocumentState &state);

} // namespace headlight::ui::edits
