// Rows of the table in view_options.cpp that need code of their own, and their codecs.
#pragma once

#include "ui/command_line/option.h"
#include "ui/command_line/view_request.h"
#include "ui/figures/base/head_combination.h"

#include "core/analysis/head_measures.h"

namespace headlight::ui {

/// Returns a codec for the custom logits of softmax; "none" is an empty list.
Codec<std::vector<float>> logitsCodec();
/// Returns a codec for a width, with or without a height, in pixels, mm or in.
Codec<FigureSize> sizeCodec();
/// Returns the row of the colours option: a map for weights, one for signed numbers, or both, in
/// any order.
OptionRow<ViewRequest> coloursRow(Option option);

/// Returns the row of the measure of a figure. The value is a measure of the training view, which
/// also sets that view's choice, or a measure of the model view. Some names are both.
OptionRow<ViewRequest> measureRow(Option option);
/// Returns the measures of the training view.
std::vector<core::HeadOrder> plottedMeasures();

/// Returns the row of --layer. The first of several layers is also the selected one. Only `figure`
/// accepts several; the other commands reject them after parsing.
OptionRow<ViewRequest> layerRow(Option option);

/// Like layerRow(), for --head. Also accepts a combination of all heads of the layer.
OptionRow<ViewRequest> headRow(Option option);

/// Returns a codec for all heads, or for some of them.
Codec<LineHeads> lineHeadsCodec();
Codec<core::LeftOutKeys> leftOutCodec();
Codec<core::KeptWeights> keptCodec();

} // namespace headlight::ui
