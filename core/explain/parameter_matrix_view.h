// The learned matrix that a stage is made with: W_Q of the queries, W_O of the output.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/model/parameter_block.h"
#include "core/transformer/trace/trace.h"

#include <optional>

namespace headlight::core {

struct ParameterMatrixView {
    ParameterId id{};
    ParameterBlock block; ///< the columns of the selected head, or all of it
    /// So many heads have rows of it, one head's beneath the other's: those of W_O. 1: it is not
    /// so divided.
    Index headsOfRows = 1;
    Index head = 0;          ///< of these the selected one
    bool transposed = false; ///< its transpose makes the stage: the embeddings of tied logits

    /// The rows of the selected head; all where they are not divided.
    Rows rowsOfHead() const {
        const Index count = block.rows / headsOfRows;
        return {head * count, count};
    }
};

/// None where no matrix of the model makes the selected stage, as in a capture, of which nothing is
/// known, or where it has no such head.
std::optional<ParameterMatrixView> parameterMatrixView(const Trace &trace,
                                                       const Selection &selection);

} // namespace headlight::core
