// The attention weights of one query, if the trace has them, and the keys that a mask hides from
// it.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct AttentionRowId {
    AttentionId attention;
    Index sequence = 0;
    Index head = 0;
    Index query = 0;
};

/// Returns the row's weights, one for each key. Does not compute them: empty if they are not
/// computed yet.
std::vector<float> heldWeightsOf(const Trace &trace, const AttentionRowId &row);

/// Returns for each key whether a mask hides it completely. Empty if hidden keys may keep some
/// weight.
std::vector<bool> hiddenKeysOf(const Trace &trace, const AttentionRowId &row);

} // namespace headlight::core
