// The parameter matrix of a stage: W_Q for the queries, W_O for the output.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/model/parameter_block.h"
#include "core/transformer/trace/trace.h"

#include <optional>

namespace headlight::core {

struct ParameterMatrixView {
    ParameterId id{};
    ParameterBlock block; ///< the columns of the selected head, or the whole matrix
    /// Number of heads whose rows are stacked in the matrix, as in W_O. 1 if rows do not belong to
    /// heads.
    Index headsOfRows = 1;
    Index head = 0;          ///< index of the selected head, below headsOfRows
    bool transposed = false; ///< used transposed, as the embeddings are for tied logits

    /// Returns the rows of the selected head, or all rows if they do not belong to heads.
    Rows rowsOfHead() const {
        const Index count = block.rows / headsOfRows;
        return {head * count, count};
    }
};

/// Returns no value if the selected stage does not use a parameter matrix, if it was captured, or
/// if the head does not exist.
std::optional<ParameterMatrixView> parameterMatrixView(const Trace &trace,
                                                       const Selection &selection);

} // namespace headlight::core
