// What the stepper's chips say.
#pragma once

#include "core/transformer/model/config.h"
#include "core/transformer/names/stage.h"

#include <QString>

namespace headlight::ui {

/// What is done to get to a stage: "÷√d", "softmax", "GELU", "W_O".
QString chipText(core::Stage stage, const core::Config &config);

} // namespace headlight::ui
