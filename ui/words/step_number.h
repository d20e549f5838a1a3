// A lesson's steps as a person counts them.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::ui {

/// From 1 where somebody reads it, in the window and on paper. Files and --step count from 0.
inline core::Index stepNumber(core::Index step) {
    return step + 1;
}

} // namespace headlight::ui
