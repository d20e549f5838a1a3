#include "core/analysis/attention_row_properties.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

AttentionRowProperties weightingOf(const Trace &trace, AttentionId attention, Index head) {
    if (trace.input().interventions.stateOf(attention, head) == HeadState::Uniform)
        return {.isUniform = true};
    const Config &config = trace.model().config;
    const bool hides = std::any_of(trace.masks(attention)->begin(), trace.masks(attention)->end(),
                                   [](const Mask &mask) { return mask.hidesAnything(); });
    return {.isUniform = false,
            .hidesWholly = config.masking.afterSoftmax || std::isinf(config.masking.value),
            .sumsToOne = config.softmax && !(config.masking.afterSoftmax && hides) &&
                         !trace.model().hasSinks(attention),
            .mayBeNegative = !config.softmax};
}

bool weightsMakeContext(const Trace &trace, AttentionId attention, Index head) {
    const HeadState state = trace.input().interventions.stateOf(attention, head);
    return state != HeadState::Zero && state != HeadState::Mean;
}

bool seesNothing(const Trace &trace, Index sequence, AttentionId attention, Index head,
                 Index query) {
    return trace.mask(sequence, attention).seesNothing(query) &&
           weightingOf(trace, attention, head).hidesWholly;
}

} // namespace headlight::core
