// Matrices that the user can request by name: random, orthogonal, or an existing matrix with
// permuted rows or columns.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>

namespace headlight::core {

/// Ones on the diagonal, zeros elsewhere. The matrix need not be square.
Matrix identityMatrix(Index rows, Index columns);

enum class RandomKind { Normal, Uniform };

/// Draws numbers row by row: standard normal, or uniform in [−1, 1), times scale ÷ √rows, so that
/// x·W is about as large as x. These are the numbers of "random" in session files.
Matrix randomMatrix(Index rows, Index columns, std::uint64_t seed,
                    RandomKind kind = RandomKind::Normal, float scale = 1);

/// Q of the QR decomposition (with a positive diagonal of R) of a normal random matrix: orthonormal
/// columns. With fewer rows than columns the rows are orthonormal instead.
Matrix orthogonalMatrix(Index rows, Index columns, std::uint64_t seed);

/// Permutes the rows, or columns, in an order drawn from the seed (Fisher and Yates 1938, as in
/// Durstenfeld 1964).
Matrix withRowsPermuted(MatrixView matrix, std::uint64_t seed);
Matrix withColumnsPermuted(MatrixView matrix, std::uint64_t seed);

/// Error: not square, so the transpose does not fit in its place.
Result<Matrix> transposed(MatrixView matrix);

/// Error: a product is too large for 32 bits.
Result<Matrix> multipliedBy(MatrixView matrix, float factor);

} // namespace headlight::core
