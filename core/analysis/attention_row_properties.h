// Properties of a head's attention weights. Mechanism options and interventions can change all of
// them.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

struct AttentionRowProperties {
    bool isUniform = false;     ///< the head attends equally to all visible keys
    bool hidesWholly = true;    ///< every hidden key has weight exactly 0
    bool sumsToOne = true;      ///< true for every query with visible keys
    bool mayBeNegative = false; ///< without softmax, weights can be any number
};

AttentionRowProperties weightingOf(const Trace &trace, AttentionId attention, Index head);

/// True if a query's context is the weighted sum of the values. False if the head is ablated (zero
/// or mean): its weights are shown but not used.
bool weightsMakeContext(const Trace &trace, AttentionId attention, Index head);

/// True if all weights of the query are exactly zero, because every key is hidden. False if hidden
/// scores have a finite value, because softmax then makes the row uniform.
bool seesNothing(const Trace &trace, Index sequence, AttentionId attention, Index head,
                 Index query);

} // namespace headlight::core
