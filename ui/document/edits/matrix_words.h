// What a model may have where it has it: which parameters its config has room for, and the vectors
// of single words.
#pragma once

#include "ui/document/edits/matrix_id.h"

namespace headlight::ui {

/// The model's config has room for the parameter, whether it has it or not: no norm, no gain.
bool isPartOf(const core::Model &model, const core::ParameterId &id);

/// The number of the token's word in the vocabulary, where the model looks words up in a matrix.
std::optional<core::Index> wordOf(const DocumentState &state, const MatrixId &id,
                                  core::Index token);

/// The vector of the token's word, of E numbers.
std::vector<float> wordVector(const DocumentState &state, const MatrixId &id, core::Index token);

} // namespace headlight::ui
