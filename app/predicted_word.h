// The word of a number that a model predicts.
#pragma once

#include "core/transformer/model/model.h"

#include <string>

namespace headlight::app {

/// Returns the entry of the vocabulary; for a class, or without a vocabulary, the number.
std::string predictedWord(const core::Model &model, core::Index token);

} // namespace headlight::app
