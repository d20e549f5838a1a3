// What the solution of an exercise changes, for the teacher's sheet.
#pragma once

#include "core/formats/session/data/state_patch.h"
#include "core/transformer/model/model.h"

#include <QStringList>

namespace headlight::ui {

/// "W_Q: row 0, column 1 is −2", "the mask": one line each.
QStringList solutionLines(const core::StatePatch &solution, const core::Model &model);

} // namespace headlight::ui
