// What stages, parts and stacks are called for people.
#pragma once

#include "core/transformer/trace/trace.h"

#include <QString>

namespace headlight::ui {

/// Translated: "attention weights".
QString titleOf(core::Stage stage);
/// The same as this model has it: "RMS norm", "embeddings × √C + positions".
QString titleOf(const core::Trace &trace, core::Stage stage);
/// "encoder", "decoder", "source"; empty: the only one.
QString titleOf(core::Stack stack);
/// "layer norm", "RMS norm", "batch norm".
QString titleOf(core::NormKind kind);
/// "ReLU", "GELU", "SiLU".
QString titleOf(core::Activation activation);

} // namespace headlight::ui
