// Matrices that the user can request by name: random, orthogonal, or changes of an existing matrix.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>

namespace headlight::core {

/// Returns ones on the diagonal, zeros elsewhere. The matrix need not be square.
Matrix identityMatrix(Index rows, Index columns);

enum class RandomKind { Normal, Uniform };

/// Draws values row by row: standard normal, or uniform in [−1, 1), times scale ÷ √rows, so that
/// x·W is about as large as x. These are the values of "random" in session files.
Matrix randomMatrix(Index rows, Index columns, std::uint64_t seed,
                    RandomKind kind = RandomKind::Normal, float scale = 1);

/// Returns a matrix with orthonormal columns or, if it has fewer rows than columns, orthonormal
/// rows. It is Q of the QR decomposition (with a positive diagonal of R) of a normal random matrix.
Matrix orthogonalMatrix(Index rows, Index columns, std::uint64_t seed);

/// Permute the rows or columns randomly (Fisher and Yates 1938, as in Durstenfeld 1964). The seed
/// determines the order.
Matrix withRowsPermuted(MatrixView matrix, std::uint64_t seed);
Matrix withColumnsPermuted(MatrixView matrix, std::uint64_t seed);

/// Error: the matrix is not square, so its transpose cannot replace it.
Result<Matrix> transposed(MatrixView matrix);

/// Error: a product is too large for 32 bits.
Result<Matrix> multipliedBy(MatrixView matrix, float factor);

} // namespace headlight::core
