// The model that a run begins with, in the few words that people choose it by.
#pragma once

#include "core/transformer/model/model.h"

#include <cstdint>

namespace headlight::core {

struct TaskInfo;

/// Sizes and switches. Each switch is something that a race can turn off.
struct Architecture {
    Index layers = 2; ///< of an encoder-decoder as many in each
    Index heads = 2;
    Index width = 32;        ///< C; a multiple of the heads
    Index feedForward = 128; ///< F; 0: attention only
    Activation activation = Activation::Gelu;
    Positions positions = Positions::Learned;
    NormKind norm = NormKind::Layer; ///< before each block, and once more after the last layer
    bool residual = true;
    bool scaled = true; ///< scores ÷ √d
    bool masked =
        true; ///< what comes after a token is hidden, where the task asks for the next one
    bool operator==(const Architecture &) const = default;
};

/// Sizes that config.h allows, heads that divide the width; else the error names the recipe's
/// field.
Outcome validate(const Architecture &architecture);

/// The numbers of the largest model that is trained: with gradients and moments they take 1.6 GB.
inline constexpr Index kMostLearnedNumbers = 100'000'000;

/// The model that a run of the task begins with: matrices drawn from the seed, normal with the
/// deviations of initial_model.cpp; biases 0, gains 1. Errors: as validate(), and more than
/// kMostLearnedNumbers.
Result<Model> initialModel(const TaskInfo &task, const Architecture &architecture,
                           std::uint64_t seed);

/// What hides keys in each of its attentions when it reads examples of the task. No sequences.
Input masksOf(const TaskInfo &task, const Architecture &architecture);

/// How many numbers are learned.
Index parameterCount(const Model &model);

} // namespace headlight::core
