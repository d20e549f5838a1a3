// Codecs of the options that select heads and set how they are combined.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/figures/base/head_combination.h"

namespace headlight::ui {

/// Returns a codec for all heads, or for some of them.
Codec<LineHeads> lineHeadsCodec();
Codec<core::LeftOutKeys> leftOutCodec();
Codec<core::KeptWeights> keptCodec();

} // namespace headlight::ui
