// Layout of a picture whose patches are the tokens of a model.
#pragma once

#include "core/transformer/model/picture_patches.h"
#include "ui/figures/sentence/strip_layout.h"

namespace headlight::ui {

/// Returns the layout of the patches as a picture, as large as the space allows. The tokens that
/// come before the patches are to its left. `words` has one word per token.
StripLayout pictureLayoutOf(const core::PicturePatches &patches, const StripWords &words,
                            const FigureStyle &style, const QSizeF &space);

} // namespace headlight::ui
