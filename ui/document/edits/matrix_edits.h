// Edits of numbers: weights, biases and embeddings. Each makes the change; Document::apply() does
// it. They throw nothing away of the state they are given.
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

/// One number or many. Where a word stands in two rows of embeddings, the last one said counts.
/// Errors: no such matrix or cell; a number that is not finite; nothing to set.
core::Result<Change> setCells(const DocumentState &state, const MatrixId &id,
                              const std::vector<CellValue> &cells);

/// All of the matrix at once, of its own shape. `words` say what became of it: "random, seed 3".
core::Result<Change> setMatrix(const DocumentState &state, const MatrixId &id,
                               const core::Matrix &matrix, const QString &words);

/// A bias of zeros, for all heads, or a gain of ones, where the model has none: it changes nothing
/// yet. Errors: it has one, or it is no bias; a bias of W_O without W_O.
core::Result<Change> addBias(const DocumentState &state, const core::ParameterId &id);
/// Takes the bias of all heads away.
core::Result<Change> removeBias(const DocumentState &state, const core::ParameterId &id);

} // namespace headlight::ui::edits
