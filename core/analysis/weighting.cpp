#include "core/analysis/weighting.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

Weighting weightingOf(const Trace &trace, Site site, Index head) {
    if (trace.input().interventions.stateOf(site, head) == HeadState::Uniform)
        return {.isUniform = true};
    const Config &config = trace.model().config;
    const bool hides = std::any_of(trace.masks(site)->begin(), trace.masks(site)->end(),
                                   [](const Mask &mask) { return mask.hidesAnything(); });
    return {.isUniform = false,
            .hidesWholly = config.masking.afterSoftmax || std::isinf(config.masking.value),
            .sumsToOne = config.softmax && !(config.masking.afterSoftmax && hides),
            .mayBeNegative = !config.softmax};
}

bool weightsMakeContext(const Trace &trace, Site site, Index head) {
    const HeadState state = trace.input().interventions.stateOf(site, head);
    return state != HeadState::Zero && state != HeadState::Mean;
}

bool seesNothing(const Trace &trace, Index sequence, Site site, Index head, Index query) {
    return trace.mask(sequence, site).seesNothing(query) &&
           weightingOf(trace, site, head).hidesWholly;
}

} // namespace headlight::core
