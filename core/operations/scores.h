// Gradients of the two products of attention: query with key, weights with value.
#pragma once

#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// Of scores = query · keyᵀ, for query [T, d], key [S, d], scores [T, S]. The query's gradient is
/// written; the key's is added to, since heads of one group share their keys. Both look at `stop`
/// as multiply() does.
void scoresBackward(MatrixView query, MatrixView key, MatrixView scoresGradient,
                    MutableMatrixView queryGradient, MutableMatrixView keyGradient,
                    const std::stop_token &stop = {});

/// Of context = weights · value, for weights [T, S], value [S, d], context [T, d]. The weights'
/// gradient is written, the value's added to.
void contextBackward(MatrixView weights, MatrixView value, MatrixView contextGradient,
                     MutableMatrixView weightsGradient, MutableMatrixView valueGradient,
                     const std::stop_token &stop = {});

} // namespace headlight::core
