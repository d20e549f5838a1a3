// Ablations: a single change of a model's architecture.
#pragma once

#include "core/training/recipe/architecture.h"

#include <array>
#include <optional>
#include <string_view>

namespace headlight::core {

/// The setting that the ablated run changes.
enum class Ablation {
    NoScale,     ///< does not divide scores by √d
    OneHead,     ///< one head of the whole width
    FourHeads,   ///< four heads that share the width
    NoPositions, ///< no positional encoding
    NoResidual,  ///< replaces a block's input by its output
    NoNorm,
    NoMask, ///< tokens see later tokens
};

inline constexpr std::array kAblations{
    Ablation::NoScale,    Ablation::OneHead, Ablation::FourHeads, Ablation::NoPositions,
    Ablation::NoResidual, Ablation::NoNorm,  Ablation::NoMask};

/// Returns the id used on the command line and in files: "no-scale".
std::string_view idOf(Ablation which);
std::optional<Ablation> findAblation(std::string_view id);

/// Returns the architecture of the ablated run. Errors: the change has no effect, or the
/// architecture does not suit the task.
Result<Architecture> withAblation(Ablation which, const Architecture &architecture,
                                  const TaskInfo &task);

} // namespace headlight::core
