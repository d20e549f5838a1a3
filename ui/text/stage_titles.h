// Titles of stages, parts and stacks.
#pragma once

#include "core/transformer/trace/trace.h"

#include <QString>

namespace headlight::ui {

/// Returns the translated title: "attention weights".
QString titleOf(core::Stage stage);
/// Returns the title for this model: "RMS norm", "embeddings × √C + positions".
QString titleOf(const core::Model &model, core::Stage stage);
/// Returns "encoder", "decoder" or "source". Empty if the model has a single stack.
QString titleOf(core::Stack stack);
/// Returns "layer norm", "RMS norm" or "batch norm".
QString titleOf(core::NormKind kind);
/// Returns "ReLU", "GELU" or "SiLU".
QString titleOf(core::Activation activation);

} // namespace headlight::ui
