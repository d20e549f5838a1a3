// Numbering of lesson steps for the user.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::ui {

/// Returns a number from 1, for the window and worksheets. Files and --step count from 0.
inline core::Index stepNumber(core::Index step) {
    return step + 1;
}

} // namespace headlight::ui
