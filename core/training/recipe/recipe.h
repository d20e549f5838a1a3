// All that a training run is made from: with the same recipe anyone gets the same run.
#pragma once

#include "core/training/recipe/architecture.h"
#include "core/training/recipe/optimizer_settings.h"

#include <cstdint>
#include <string>

namespace headlight::core {

struct Recipe {
    std::string task; ///< its id
    Architecture architecture{};
    OptimizerSettings optimizer{};
    Index batch = 32;       ///< examples in a step
    Index steps = 1000;     ///< after which the run is done, and the learning rate at its end
    std::uint64_t seed = 1; ///< of the first weights and of the examples; at most 2⁵³
    bool operator==(const Recipe &) const = default;
};

inline constexpr Index kMaximumBatch = 4096;
inline constexpr Index kMaximumSteps = 10'000'000;

/// Error: the field ("recipe.batch") and what it may be.
Outcome validate(const Recipe &recipe);

} // namespace headlight::core
