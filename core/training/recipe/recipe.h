// The complete configuration of a training run. Equal recipes lead to equal runs.
#pragma once

#include "core/training/recipe/architecture.h"
#include "core/training/recipe/optimizer_settings.h"

#include <cstdint>
#include <string>

namespace headlight::core {

struct Recipe {
    std::string task; ///< id of the task
    Architecture architecture{};
    OptimizerSettings optimizer{};
    Index batch = 32;       ///< number of examples per step
    Index steps = 1000;     ///< number of steps, which also sets the learning rate schedule
    std::uint64_t seed = 1; ///< seed of the initial parameters and the examples; at most 2⁵³
    bool operator==(const Recipe &) const = default;
};

inline constexpr Index kMaxBatch = 4096;
inline constexpr Index kMaxSteps = 10'000'000;

/// Checks all fields (recipe_fields.cpp). Errors name the field ("recipe.batch") and its valid
/// values.
Outcome validate(const Recipe &recipe);

} // namespace headlight::core
