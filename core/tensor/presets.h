// Matrices that a person asks for by name: random ones from a seed, orthogonal ones, another one
// with its rows in another order.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>

namespace headlight::core {

/// Ones on the diagonal, zero elsewhere; also where it is not square.
Matrix identityMatrix(Index rows, Index columns);

enum class RandomKind { Normal, Uniform };

/// Drawn row by row: standard normal, or uniform in [−1, 1); times scale ÷ √rows, so that x·W is
/// about as large as x. The numbers of a session file's "random".
Matrix randomMatrix(Index rows, Index columns, std::uint64_t seed,
                    RandomKind kind = RandomKind::Normal, float scale = 1);

/// The Q of the QR decomposition, with a positive diagonal in R, of a normal random matrix from the
/// seed: columns of length 1, each at right angles to the others. The rows instead where there are
/// fewer rows than columns.
Matrix orthogonalMatrix(Index rows, Index columns, std::uint64_t seed);

/// The same rows, or columns, in an order drawn from the seed (Fisher and Yates 1938, as in
/// Durstenfeld 1964).
Matrix withRowsPermuted(MatrixView matrix, std::uint64_t seed);
Matrix withColumnsPermuted(MatrixView matrix, std::uint64_t seed);

/// Error: not square, so that it would not fit in its own place.
Result<Matrix> transposed(MatrixView matrix);

/// Error: a number grows beyond what 32 bits hold.
Result<Matrix> multipliedBy(MatrixView matrix, float factor);

} // namespace headlight::core
