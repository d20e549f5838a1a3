// The attention weights of one query, as far as the trace holds them, and the keys that a mask
// hides from it.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct AttentionRowId {
    AttentionId attention;
    Index sequence = 0;
    Index head = 0;
    Index query = 0;
};

/// Returns the row's weights, one for each key. Empty if they are not computed yet: computes
/// nothing.
std::vector<float> heldWeightsOf(const Trace &trace, const AttentionRowId &row);

/// Returns for each key whether a mask hides it wholly. Empty if hidden keys may keep a weight.
std::vector<bool> hiddenKeysOf(const Trace &trace, const AttentionRowId &row);

} // namespace headlight::core
