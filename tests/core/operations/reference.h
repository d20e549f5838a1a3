// Reference results of PyTorch, and the tolerances for operations.
#pragma once

#include "core/tensor/matrix.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace headlight::core::test {

inline constexpr double kValues = 2e-5; ///< relative to the largest number of the tensor
inline constexpr double kGradients = 1e-4;

/// Returns the cases of tests/data/operations/NAME.json, written by
/// tests/reference/make_operations.py.
inline nlohmann::json casesOf(const std::string &name) {
    std::ifstream file(HEADLIGHT_TEST_DATA "/operations/" + name + ".json");
    nlohmann::json cases = nlohmann::json::parse(file);
    REQUIRE_FALSE(cases.empty());
    return cases;
}

/// Returns the numbers of a case, or none if it has no such field.
inline std::vector<float> numbersOf(const nlohmann::json &of, const char *name) {
    return of.contains(name) ? of[name].get<std::vector<float>>() : std::vector<float>();
}

inline Matrix matrixOf(const nlohmann::json &rows) {
    std::vector<float> all;
    for (const auto &row : rows)
        for (const auto &number : row)
            all.push_back(number.get<float>());
    return Matrix(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()),
                  std::move(all));
}

inline std::span<float> numbersIn(Matrix &matrix) {
    return {matrix.view().data, static_cast<std::size_t>(matrix.rows() * matrix.columns())};
}

/// Returns the largest magnitude, at least 1e-3: gradients of order 1 that cancel leave some
/// rounding error.
inline double sizeOf(std::span<const float> numbers) {
    double size = 1e-3;
    for (const float number : numbers)
        size = std::max(size, std::abs(static_cast<double>(number)));
    return size;
}

inline void checkClose(std::span<const float> actual, std::span<const float> expected,
                       double tolerance) {
    REQUIRE(actual.size() == expected.size());
    const double allowed = tolerance * sizeOf(expected);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        CAPTURE(i);
        CAPTURE(actual[i]);
        CAPTURE(expected[i]);
        if (actual[i] != expected[i]) // equal infinities have no difference
            CHECK(std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i])) <=
                  allowed);
    }
}

inline void checkClose(MatrixView actual, const Matrix &expected, double tolerance) {
    REQUIRE(actual.rows == expected.rows());
    std::vector<float> numbers;
    for (Index row = 0; row < actual.rows; ++row)
        numbers.insert(numbers.end(), actual.row(row).begin(), actual.row(row).end());
    checkClose(numbers, expected.values(), tolerance);
}

/// Checks a gradient that was added to numbers whose initial value was `start`.
inline void checkAdded(std::vector<float> actual, float start, std::span<const float> expected) {
    for (float &number : actual)
        number -= start;
    checkClose(actual, expected, kGradients);
}

/// A view into the middle of a larger matrix, like the view of a head.
class Framed {
  public:
    Framed(Index rows, Index columns) : m_whole(rows, columns + 3), m_columns(columns) {
        std::ranges::fill(numbersIn(m_whole), kFrame);
    }
    explicit Framed(const Matrix &matrix) : Framed(matrix.rows(), matrix.columns()) {
        for (Index row = 0; row < matrix.rows(); ++row)
            std::ranges::copy(matrix.view().row(row), view().row(row).begin());
    }
    MutableMatrixView view() { return m_whole.view().columnBlock(1, m_columns); }
    /// True if nothing was written outside the view.
    bool isWhole() {
        for (Index row = 0; row < m_whole.rows(); ++row)
            for (const Index column : {Index{0}, m_columns + 1, m_columns + 2})
                if (m_whole(row, column) != kFrame)
                    return false;
        return true;
    }

  private:
    static constexpr float kFrame = 77;
    Matrix m_whole;
    Index m_columns;
};

} // namespace headlight::core::test
