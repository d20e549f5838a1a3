// Ablations. Each is a single change to a model's architecture.
#pragma once

#include "core/training/recipe/architecture.h"

#include <array>
#include <optional>
#include <string_view>

namespace headlight::core {

/// The change to the architecture of the ablated run.
enum class Ablation {
    NoScale,     ///< does not divide scores by √d
    OneHead,     ///< one head with the full width
    FourHeads,   ///< four heads that share the width
    NoPositions, ///< no position information
    NoResidual,  ///< a block's output replaces its input
    NoNorm,
    NoMask, ///< tokens also see later tokens
};

inline constexpr std::array kAblations{
    Ablation::NoScale,    Ablation::OneHead, Ablation::FourHeads, Ablation::NoPositions,
    Ablation::NoResidual, Ablation::NoNorm,  Ablation::NoMask};

/// Returns the id on the command line and in files: "no-scale".
std::string_view idOf(Ablation which);
std::optional<Ablation> findAblation(std::string_view id);

/// Returns the architecture of the ablated run. Errors: the change has no effect, or the task
/// cannot use the architecture.
Result<Architecture> withAblation(Ablation which, const Architecture &architecture,
                                  const TaskInfo &task);

} // namespace headlight::core
