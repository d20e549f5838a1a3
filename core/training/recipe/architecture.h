// The architecture of a run's model, which the user selects.
#pragma once

#include "core/transformer/model/model.h"

#include <cstdint>

namespace headlight::core {

struct TaskInfo;

/// Sizes and switches of a model. An ablation study can turn off any switch.
struct Architecture {
    Index layers = 2; ///< in an encoder-decoder, layers of each stack
    Index heads = 2;
    Index width = 32;        ///< C, a multiple of `heads`
    Index feedForward = 128; ///< F; 0: no feed-forward network
    Activation activation = Activation::Gelu;
    Positions positions = Positions::Learned;
    NormKind norm = NormKind::Layer; ///< before each block and after the last layer
    bool residual = true;
    bool scaled = true; ///< scores are divided by √d
    bool masked = true; ///< next-token tasks use a causal mask
    bool operator==(const Architecture &) const = default;
};

/// Checks the limits of the fields (recipe_fields.cpp) and that `heads` divides `width`. Errors
/// name the field: "recipe.architecture.heads".
Outcome validate(const Architecture &architecture);

/// Maximum number of learned parameters. With gradients and moments, they take 1.6 GB.
inline constexpr Index kMaxLearnedNumbers = 100'000'000;

/// Returns the initial model of a run. The seed determines the matrices, which are drawn from
/// normal distributions (initial_model.cpp has their deviations). Biases are 0, gains 1. Errors:
/// those of validate(); more than kMaxLearnedNumbers parameters.
Result<Model> initialModel(const TaskInfo &task, const Architecture &architecture,
                           std::uint64_t seed);

/// Returns an input that has no sequences, only the masks that all attention modules need for the
/// task's examples.
Input masksOf(const TaskInfo &task, const Architecture &architecture);

/// Returns the number of learned parameters.
Index parameterCount(const Model &model);

} // namespace headlight::core
