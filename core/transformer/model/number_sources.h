// The files in which a model's parameters are stored.
#pragma once

#include "core/transformer/model/model.h"

namespace headlight::core {

/// Returns the files of the parameters, each only once.
std::vector<NumberSourcePointer> numberSources(const ModelParameters &weights);

/// Checks that no file has changed since it was opened, including files with embeddings of the
/// input. Returns the first error.
Outcome checkSources(const Model &model, const Input &input);

} // namespace headlight::core
