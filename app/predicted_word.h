// The text of a token id or class that a model predicts.
#pragma once

#include "core/transformer/model/model.h"

#include <string>

namespace headlight::app {

/// Returns the text of the token id. Returns the number itself for a class, or without a
/// vocabulary.
std::string predictedWord(const core::Model &model, core::Index token);

} // namespace headlight::app
