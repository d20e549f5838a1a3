// The places of a model where attention happens, in words: what there is only one of is not said.
#pragma once

#include "core/transformer/model/model.h"

#include <QString>

namespace headlight::ui {

/// Each kind of attention that the model has, once and at its first layer, in the order of the
/// computation: of most models one, of an encoder-decoder three.
std::vector<core::AttentionId> placesOf(const core::Model &model);

/// "encoder", "decoder", "cross-attention"; "self-attention" beside a cross-attention without an
/// encoder.
QString placeWords(core::AttentionId attention);

/// "layer 2", "encoder, layer 0", "cross-attention"; empty where there is only one.
QString attentionName(const core::Model &model, core::AttentionId attention);

} // namespace headlight::ui
