// Codecs of the options that choose heads and say how they are combined.
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/figures/base/head_combination.h"

namespace headlight::ui {

/// All heads, or some of them.
Codec<LineHeads> lineHeadsCodec();
Codec<core::LeftOutKeys> leftOutCodec();
Codec<core::KeptWeights> keptCodec();

} // namespace headlight::ui
