// What a race can change of a model: one switch, everything else alike.
#pragma once

#include "core/training/recipe/architecture.h"

#include <array>
#include <optional>
#include <string_view>

namespace headlight::core {

/// What the rival is like.
enum class Ablation {
    NoScale,     ///< scores that are not divided by √d
    OneHead,     ///< of the whole width
    FourHeads,   ///< that share the width
    NoPositions, ///< nothing says where a token stands
    NoResidual,  ///< a block's output takes the place of what it read
    NoNorm,
    NoMask, ///< a token sees those after it
};

inline constexpr std::array kAblations{
    Ablation::NoScale,    Ablation::OneHead, Ablation::FourHeads, Ablation::NoPositions,
    Ablation::NoResidual, Ablation::NoNorm,  Ablation::NoMask};

/// On the command line and in files: "no-scale".
std::string_view idOf(Ablation which);
std::optional<Ablation> findAblation(std::string_view id);

/// The rival's architecture. Error: it would be the same one, or none that learns this task; why.
Result<Architecture> withAblation(Ablation which, const Architecture &architecture,
                                  const TaskInfo &task);

} // namespace headlight::core
