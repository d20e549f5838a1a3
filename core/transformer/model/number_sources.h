// The files that a model's parameters are stored in.
#pragma once

#include "core/transformer/model/model.h"

namespace headlight::core {

/// Returns each file once.
std::vector<NumberSourcePointer> numberSources(const ModelParameters &weights);

/// Checks that no file has changed since it was opened, including files of the input's own
/// embeddings. Returns the first error.
Outcome checkSources(const Model &model, const Input &input);

} // namespace headlight::core
