// Queries about the captured stages of a model. They are a plan, a higher layer than the model, so
// core/transformer/plan implements these functions.
#pragma once

#include "core/transformer/names/attention_id.h"

#include <optional>

namespace headlight::core {

class Plan;

bool hasCapturedCrossAttention(const Plan &captured);
/// The most heads of any captured stage of the attention module, at least 1: keys and values may
/// have fewer. Empty if no stage of it was captured.
std::optional<Index> capturedHeads(const Plan &captured, AttentionId attention);

} // namespace headlight::core
