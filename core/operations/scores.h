// Gradients of the two products of attention: queries with keys, and weights with values.
#pragma once

#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// Gradients of scores = query · keyᵀ, for query [T, d], key [S, d], scores [T, S]. Writes
/// queryGradient. Adds to keyGradient, because the heads of a group share their keys. Both
/// functions check `stop` as multiply() does.
void scoresBackward(MatrixView query, MatrixView key, MatrixView scoresGradient,
                    MutableMatrixView queryGradient, MutableMatrixView keyGradient,
                    const std::stop_token &stop = {});

/// Gradients of context = weights · value, for weights [T, S], value [S, d], context [T, d]. Writes
/// weightsGradient and adds to valueGradient.
void contextBackward(MatrixView weights, MatrixView value, MatrixView contextGradient,
                     MutableMatrixView weightsGradient, MutableMatrixView valueGradient,
                     const std::stop_token &stop = {});

} // namespace headlight::core
