// Labels of the filmstrip's frames.
#pragma once

#include "core/transformer/model/config.h"
#include "core/transformer/names/stage.h"

#include <QString>

namespace headlight::ui {

/// Returns the operation that produces the stage: "÷√d", "softmax", "GELU", "W_O".
QString chipText(core::Stage stage, const core::Config &config);

} // namespace headlight::ui
