// The two models in a CLIP folder.
#pragma once

namespace headlight::core {

/// The models of CLIP, which map texts and pictures to the same space.
enum class Tower { Texts, Pictures };

} // namespace headlight::core
