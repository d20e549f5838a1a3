// Codecs and rows of options for the look of a figure: its size, its colours and custom logits.
#pragma once

#include "ui/command_line/option.h"
#include "ui/command_line/view_request.h"

#include "core/analysis/head_measures.h"

namespace headlight::ui {

/// Returns a codec for the custom logits of softmax; "none" is an empty list.
Codec<std::vector<float>> logitsCodec();
/// Returns a codec for a width, with or without a height, in pixels, mm or in.
Codec<FigureSize> sizeCodec();
/// Returns the row of the colours option: a map for weights, one for signed numbers, or both, in
/// any order.
OptionRow<ViewRequest> coloursRow(Option option);

/// Returns the row of the measure of a figure: one of the training view, which also sets its
/// choice, or one of the model view. Some names are both.
OptionRow<ViewRequest> measureRow(Option option);
/// Returns the measures of the training view.
std::vector<core::HeadOrder> plottedMeasures();

} // namespace headlight::ui
