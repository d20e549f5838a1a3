// Heads as the options --silence and --scale-head name them: "9.6", "encoder.0.3", "cross.1.2".
#pragma once

#include "ui/command_line/codecs.h"
#include "ui/document/source.h"

namespace headlight::ui {

/// Returns a codec for [encoder.|decoder.][self.|cross.]LAYER.HEAD, or several of them separated by
/// commas. If the option is repeated, all heads count.
Codec<std::vector<HeadName>> headNamesCodec();

/// Returns a codec for a single head.
Codec<HeadName> headNameCodec();
/// Returns the shortest name of a head of the model.
HeadName headNameOf(core::AttentionId attention, core::Index head, const core::Model &model);
/// Writes a name as headNamesCodec() reads it.
QString textOf(const HeadName &name);
/// Parses a name; unset if the text is not a name.
std::optional<HeadName> findHeadName(const QString &text);

/// Like headNamesCodec(), but with "=FACTOR", a finite number, after each head.
Codec<std::vector<ScaledHead>> scaledHeadsCodec();

} // namespace headlight::ui
