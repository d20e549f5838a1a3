#include "core/tensor/presets.h"

#include "core/random.h"
#include "core/tensor/shape.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::core {

namespace {

/// Orthonormalises `count` vectors of `size` numbers each, count ≤ size, by the Gram–Schmidt
/// process. Each vector is orthogonalised twice, because once leaves rounding errors and twice is
/// enough (Giraud et al. 2005).
void makeOrthonormal(std::vector<double> &vectors, std::size_t count, std::size_t size) {
    const auto vector = [&](std::size_t index) {
        return std::span(vectors).subspan(index * size, size);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const auto own = vector(i);
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t j = 0; j < i; ++j) {
                const auto other = vector(j);
                const double along = std::inner_product(own.begin(), own.end(), other.begin(), 0.0);
                for (std::size_t k = 0; k < size; ++k)
                    own[k] -= along * other[k];
            }
        const double length =
            std::sqrt(std::inner_product(own.begin(), own.end(), own.begin(), 0.0));
        for (double &number : own)
            number /= length;
    }
}

std::vector<Index> permutation(Index count, std::uint64_t seed) {
    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index(0));
    Random random(seed);
    for (std::size_t last = order.size(); last > 1; --last) {
        const auto other = static_cast<std::size_t>(random.uniform() * static_cast<double>(last));
        std::swap(order[last - 1], order[other]);
    }
    return order;
}

} // namespace

Matrix identityMatrix(Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (Index i = 0; i < std::min(rows, columns); ++i)
        matrix(i, i) = 1;
    return matrix;
}

Matrix randomMatrix(Index rows, Index columns, std::uint64_t seed, RandomKind kind, float scale) {
    Random random(seed);
    Matrix matrix(rows, columns);
    const double factor = static_cast<double>(scale) / std::sqrt(static_cast<double>(rows));
    for (Index row = 0; row < rows; ++row)
        for (float &number : matrix.view().row(row)) {
            const double drawn =
                kind == RandomKind::Normal ? random.normal() : 2 * random.uniform() - 1;
            number = static_cast<float>(drawn * factor);
        }
    return matrix;
}

Matrix orthogonalMatrix(Index rows, Index columns, std::uint64_t seed) {
    const bool byRows = rows < columns;
    const Index count = std::min(rows, columns);
    const Index size = std::max(rows, columns);
    std::vector<double> vectors(static_cast<std::size_t>(count * size));
    Random random(seed);
    for (double &number : vectors)
        number = random.normal();
    makeOrthonormal(vectors, static_cast<std::size_t>(count), static_cast<std::size_t>(size));
    Matrix matrix(rows, columns);
    for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < size; ++k)
            (byRows ? matrix(i, k) : matrix(k, i)) =
                static_cast<float>(vectors[static_cast<std::size_t>(i * size + k)]);
    return matrix;
}

Matrix withRowsPermuted(MatrixView matrix, std::uint64_t seed) {
    const std::vector<Index> order = permutation(matrix.rows, seed);
    Matrix permuted(matrix.rows, matrix.columns);
    for (Index row = 0; row < matrix.rows; ++row) {
        const auto from = matrix.row(order[static_cast<std::size_t>(row)]);
        std::copy(from.begin(), from.end(), permuted.view().row(row).begin());
    }
    return permuted;
}

Matrix withColumnsPermuted(MatrixView matrix, std::uint64_t seed) {
    const std::vector<Index> order = permutation(matrix.columns, seed);
    Matrix permuted(matrix.rows, matrix.columns);
    for (Index row = 0; row < matrix.rows; ++row)
        for (Index column = 0; column < matrix.columns; ++column)
            permuted(row, column) = matrix(row, order[static_cast<std::size_t>(column)]);
    return permuted;
}

Result<Matrix> transposed(MatrixView matrix) {
    if (matrix.rows != matrix.columns)
        return Error{{"a matrix of %1 cannot be replaced by its transpose",
                      Shape{matrix.rows, matrix.columns}.text()},
                     "",
                     "only a square matrix can"};
    Matrix result(matrix.columns, matrix.rows);
    for (Index row = 0; row < matrix.rows; ++row)
        for (Index column = 0; column < matrix.columns; ++column)
            result(column, row) = matrix(row, column);
    return result;
}

Result<Matrix> multipliedBy(MatrixView matrix, float factor) {
    Matrix result(matrix.rows, matrix.columns);
    for (Index row = 0; row < matrix.rows; ++row)
        for (Index column = 0; column < matrix.columns; ++column) {
            result(row, column) = matrix(row, column) * factor;
            if (!std::isfinite(result(row, column)))
                return Error{"a product overflows 32-bit floats",
                             "row " + std::to_string(row) + ", column " + std::to_string(column),
                             "multiply by a smaller number"};
        }
    return result;
}

} // namespace headlight::core
