// Queries about a model: which parameters its config allows, and the vectors of single words.
#pragma once

#include "ui/document/edits/matrix_id.h"

namespace headlight::ui {

/// True if the model's config allows the parameter, whether or not the model has it. For example, a
/// gain requires a norm.
bool isPartOf(const core::Model &model, const core::ParameterId &id);

/// Returns the token's row in the vocabulary, if the model looks up words in a matrix.
std::optional<core::Index> wordOf(const DocumentState &state, const MatrixId &id,
                                  core::Index token);

/// Returns the vector of the token's word, of length E.
std::vector<float> wordVector(const DocumentState &state, const MatrixId &id, core::Index token);

} // namespace headlight::ui
