// The files that a model reads its numbers from.
#pragma once

#include "core/transformer/model/model.h"

namespace headlight::core {

/// Each once.
std::vector<NumberSourcePointer> numberSources(const ModelParameters &weights);

/// All are as they were when they were opened: one look at each file, also at those of a text's own
/// vectors. Errors: the first that is not.
Outcome checkSources(const Model &model, const Input &input);

} // namespace headlight::core
