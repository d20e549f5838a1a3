// Backward passes of traces, with random targets or from a random gradient.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "tests/core/random_models.h"

namespace headlight::core::test {

inline std::vector<Target> randomTargets(Random &random, const Trace &trace) {
    std::vector<Target> asked;
    const bool ofClasses = trace.has(Stage::ClassLogits);
    const Tensor logits = trace.stage(ofClasses ? Stage::ClassLogits : Stage::Logits);
    for (Index b = 0; b < trace.batch().count(); ++b)
        for (int i = 0; i < 2; ++i)
            asked.push_back({b, ofClasses ? 0 : between(random, 0, trace.batch().length() - 1),
                             between(random, 0, logits.shape().last(0) - 1)});
    return asked;
}

/// Returns the last stage that is neither an alias nor computed on demand only.
inline StepId lastStage(const Plan &plan) {
    StepId last = plan.size() - 1;
    while (!plan[last].isNamed() || !plan[last].isOwn() || plan[last].isAside)
        --last;
    return last;
}

/// Runs a backward pass with random targets. A model without logits gets a random gradient at its
/// last stage instead. Null if gradients overflow 32-bit floats.
inline BackwardPassPointer randomBackwardPass(Random &random, const TracePointer &trace) {
    if (trace->has(Stage::Logits) || trace->has(Stage::ClassLogits)) {
        const auto made = runBackward(trace, randomTargets(random, *trace));
        return made ? *made : nullptr;
    }
    const Step &last = trace->plan()[lastStage(trace->plan())];
    const std::string name = stageName(last.at.stage, last.at.attention);
    std::vector<float> slopes(trace->stage(name).values().size());
    for (float &slope : slopes)
        slope = static_cast<float>(random.normal());
    const auto made = backward(*trace, {{name, Tensor(last.shape, std::move(slopes))}}, true);
    if (!made)
        return nullptr;
    BackwardPass pass;
    pass.trace = trace;
    pass.gradients = *made;
    return std::make_shared<const BackwardPass>(std::move(pass));
}

} // namespace headlight::core::test
