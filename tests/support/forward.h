// forward() for a model and an input that have not been checked yet.
#pragma once

#include "core/generation/generator.h"
#include "core/transformer/run/forward.h"

namespace headlight::test {

/// Returns the errors of Computable::of() and core::forward().
inline core::Result<core::TracePointer> forward(const core::Model &model, const core::Input &input,
                                                const core::TracePointer &previous = nullptr,
                                                std::stop_token stop = {},
                                                const core::RetainedStages &keep = {},
                                                core::Progress *progress = nullptr) {
    const core::Result<core::Computable> computable = core::Computable::of(model, input);
    if (!computable)
        return computable.error();
    return core::forward(*computable, previous, std::move(stop), keep, progress);
}

/// Returns the errors of Computable::of() and Generator::create().
inline core::Result<core::Generator> makeGenerator(const core::Model &model,
                                                   const core::Input &input,
                                                   core::GenerationOptions options,
                                                   core::TracePointer before = nullptr) {
    const core::Result<core::Computable> computable = core::Computable::of(model, input);
    if (!computable)
        return computable.error();
    return core::Generator::create(*computable, std::move(options), std::move(before));
}

} // namespace headlight::test
