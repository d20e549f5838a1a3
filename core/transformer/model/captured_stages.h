// Queries for the captured stages of a model. core/transformer/plan implements these functions,
// because the stages are stored as a plan and the model must not depend on plans.
#pragma once

#include "core/transformer/names/attention_id.h"

#include <optional>

namespace headlight::core {

class Plan;

bool hasCapturedCrossAttention(const Plan &captured);
/// Returns the largest number of heads of the captured stages of the attention module, at least 1.
/// Keys and values may have fewer heads than queries. Nullopt if none of its stages was captured.
std::optional<Index> capturedHeads(const Plan &captured, AttentionId attention);

} // namespace headlight::core
