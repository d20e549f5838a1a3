// Heads as the options --silence and --scale-head name them: "9.6", "encoder.0.3", "cross.1.2".
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/document/source.h"

namespace headlight::ui {

/// [encoder.|decoder.][self.|cross.]LAYER.HEAD, several with commas between them. If the option is
/// repeated, all of them count.
Codec<std::vector<HeadName>> headNamesCodec();

/// The same, each with "=FACTOR", a finite number.
Codec<std::vector<ScaledHead>> scaledHeadsCodec();

} // namespace headlight::ui
