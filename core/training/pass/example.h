// What a model is trained on: a text as ids, and what should come out of it.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Nothing is asked at this token: no loss, and no part of the accuracy.
inline constexpr Index kLeftOut = -1;

/// One example. A model that predicts words is asked at every token, one that classifies once.
struct Example {
    std::vector<Index> tokens;    ///< ids that the main stack reads, at least one
    std::vector<Index> source{};  ///< those of the encoder; empty where there is none
    std::vector<Index> answers{}; ///< as many as tokens: the id that should come out there, or
                                  ///< kLeftOut; of a classifier one, the class
    bool operator==(const Example &) const = default;
};

} // namespace headlight::core
