// Labels of the filmstrip's frames.
#pragma once

#include "core/transformer/model/model.h"
#include "core/transformer/names/stage.h"

#include <QString>

namespace headlight::ui {

/// Returns the operation that produces the stage: "÷√d", "softmax", "GELU", "W_O".
QString chipText(core::StageId at, const core::Model &model);

} // namespace headlight::ui
