// The pieces of originOf(): one function for each way in which a stage makes a number of a vector.
#pragma once

#include "core/analysis/cell_origin.h"

namespace headlight::core::origin {

/// The number that is explained, and what it has so far been found to come from.
struct Work {
    const Trace &trace;
    const Selection &place;
    Index row;
    Index column;
    CellExplanation cell{};

    const Model &model() const { return trace.model(); }
    const Config &config() const { return trace.model().config; }
    /// Of the layer's weights, its stack's, or the head's.
    ParameterId parameter(ParameterKind which) const;
    const Parameter &numbers(ParameterKind which) const {
        return parameterOf(model().weights, parameter(which));
    }
    SharedMatrix matrix(StageAt at) const {
        return matrixAt(trace, at, place.sequence, place.head);
    }
};

/// Σ row of `from` · column of the matrix + bias. `which` and `bias` are the kinds of parameter.
void linear(Work &work, StageAt from, ParameterKind which, ParameterKind bias, Index column);
/// The number at `from`, as it is.
void same(Work &work, StageAt from);
/// The numbers at both, added.
void sum(Work &work, std::optional<StageAt> left, StageAt right);
/// The row at `from` normalised; `gain` and `bias` are the kinds of parameter.
void norm(Work &work, StageAt from, ParameterKind gain, ParameterKind bias);
/// Of a batch's numbers: one channel over the real tokens.
NormOrigin batchStatistics(std::span<const float> channel, float input, float epsilon);
/// Of one row.
NormOrigin rowStatistics(std::span<const float> row, Index column, NormKind kind, float epsilon);

void embedding(Work &work);   ///< stages before the layers
void attention(Work &work);   ///< of an attention
void feedForward(Work &work); ///< of a feed-forward network
void layer(Work &work);       ///< what a layer reads and gives
void head(Work &work);        ///< after the layers

} // namespace headlight::core::origin
