// Names of a model's attention modules. Omits parts that are unique in the model.
#pragma once

#include "core/transformer/model/model.h"

#include <QString>

namespace headlight::ui {

/// Returns one attention module of each kind, in its first layer, in the order of computation.
/// Most models have one, an encoder-decoder has three.
std::vector<core::AttentionId> placesOf(const core::Model &model);

/// Returns "encoder", "decoder" or "cross-attention". A model with cross-attention but no encoder
/// uses "self-attention".
QString placeText(core::AttentionId attention);

/// Returns "layer 2", "encoder, layer 0" or "cross-attention". Empty if the model has only one
/// attention module.
QString attentionName(const core::Model &model, core::AttentionId attention);

} // namespace headlight::ui
