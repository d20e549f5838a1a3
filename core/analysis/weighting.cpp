#include "core/analysis/weighting.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

Weighting weightingOf(const Trace &trace, Index layer, Index head) {
    if (trace.input().interventions.stateOf(layer, head) == HeadState::Uniform)
        return {.isUniform = true};
    const Config &config = trace.model().config;
    const bool hides = std::any_of(trace.masks()->begin(), trace.masks()->end(),
                                   [](const Mask &mask) { return mask.hidesAnything(); });
    return {.isUniform = false,
            .hidesWholly = config.masking.afterSoftmax || std::isinf(config.masking.value),
            .sumsToOne = config.softmax && !(config.masking.afterSoftmax && hides),
            .mayBeNegative = !config.softmax};
}

bool seesNothing(const Trace &trace, Index sequence, Index layer, Index head, Index query) {
    return trace.mask(sequence).seesNothing(query) && weightingOf(trace, layer, head).hidesWholly;
}

} // namespace headlight::core
