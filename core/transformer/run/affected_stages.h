// Compares a pass with an earlier one. Finds the stages that an edit leaves unchanged, and the
// stages that the pass recomputed.
#pragma once

#include "core/transformer/trace/trace.h"

#include <vector>

namespace headlight::core {

/// Returns the stages that a pass of `plan` takes from `before`, sorted: their operations,
/// parameters, tokens, masks and inputs have not changed. Fast, because it compares parameters by
/// identity and compares no values. A stage that is missing in the result may therefore have the
/// same values.
std::vector<StageId> unaffectedStages(const Plan &plan, const Model &model, const Input &input,
                                      const Trace &before);

/// Returns the stages that the pass of `now` computed instead of taking them from `before`, sorted.
/// Includes other names of these stages, and stages that are now another name of a stage. A stage
/// that `now` computes on demand is included if the edit may affect it.
std::vector<StageId> recomputedStages(const Trace &now, const Trace &before);

} // namespace headlight::core
