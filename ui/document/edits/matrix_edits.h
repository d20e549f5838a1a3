// Edits of parameters and embeddings. Each function returns a change for Document::apply() and
// does not modify the given state.
#pragma once

#include "core/tensor/matrix.h"
#include "ui/document/edits/matrix_id.h"
#include "ui/document/state/change.h"

namespace headlight::ui::edits {

struct CellValue {
    core::Index row = 0;
    core::Index column = 0;
    float value = 0;
};

/// Sets one or more cells. If several rows show the same word, the last value counts. Errors: no
/// such matrix or cell; a value that is not finite; no cells.
core::Result<Change> setCells(const DocumentState &state, const MatrixId &id,
                              const std::vector<CellValue> &cells);

/// Replaces the whole matrix with one of the same shape. `words` describes the new values: "random,
/// seed 3".
core::Result<Change> setMatrix(const DocumentState &state, const MatrixId &id,
                               const core::Matrix &matrix, const QString &words);

/// Scales a head's output by the factor, by scaling its rows of W_O. Layers that share their
/// parameters share the change. Errors: no such head, no W_O; a product that is not finite.
core::Result<Change> scaleHead(const DocumentState &state, core::AttentionId attention,
                               core::Index head, float factor);

/// Adds a bias of zeros or a gain of ones, which does not change the output. Errors: not a bias or
/// gain, or no such layer; it exists already; the model lacks its matrix.
core::Result<Change> addBias(const DocumentState &state, const core::ParameterId &id);
/// Removes a bias or a gain. Errors: not a bias or gain; it does not exist.
core::Result<Change> removeBias(const DocumentState &state, const core::ParameterId &id);

} // namespace headlight::ui::edits
