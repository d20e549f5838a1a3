#include "core/transformer/model/parameter_block.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace headlight::core {

namespace {

/// Number of values to compare at a time if they must be copied.
constexpr Index kComparedAtOnce = Index(1) << 16;

/// Compares two blocks of the same position and size with the same base. An edited value always
/// differs from the base, so it is enough to compare the edits.
bool haveSameEdits(const ParameterBlock &a, const ParameterBlock &b) {
    const MatrixBlock place = a.place();
    const auto isOutside = [&place](const CellEdit &edit) {
        return edit.row < place.row || edit.row >= place.row + place.rows ||
               edit.column < place.column || edit.column >= place.column + place.columns;
    };
    const auto editsOf = [](const ParameterBlock &block) { return block.parameter()->edits(); };
    auto left = editsOf(a).begin(), right = editsOf(b).begin();
    const auto leftEnd = editsOf(a).end(), rightEnd = editsOf(b).end();
    while (true) {
        left = std::find_if_not(left, leftEnd, isOutside);
        right = std::find_if_not(right, rightEnd, isOutside);
        if (left == leftEnd || right == rightEnd)
            return left == leftEnd && right == rightEnd;
        if (left->row != right->row || left->column != right->column ||
            std::memcmp(&left->value, &right->value, sizeof(float)) != 0)
            return false;
        ++left;
        ++right;
    }
}

} // namespace

ParameterBlock::ParameterBlock(Parameter parameter)
    : rows(parameter ? parameter->rows() : 0),
      columns(parameter ? parameter->columns() : 0),
      m_parameter(std::move(parameter)) {}

ParameterBlock::ParameterBlock(Parameter parameter, const MatrixBlock &block)
    : rows(block.rows),
      columns(block.columns),
      m_parameter(std::move(parameter)),
      m_row(block.row),
      m_column(block.column) {
    assert(m_parameter && m_row >= 0 && m_column >= 0 && rows >= 0 && columns >= 0 &&
           m_row + rows <= m_parameter->rows() && m_column + columns <= m_parameter->columns());
}

std::vector<float> ParameterBlock::row(Index row) const {
    std::vector<float> numbers(static_cast<std::size_t>(columns));
    if (!rowBlock(row, 1).copy({numbers.data(), 1, columns, columns}))
        std::ranges::fill(numbers, std::numeric_limits<float>::quiet_NaN());
    return numbers;
}

Result<SharedMatrix> ParameterBlock::read() const {
    if (!m_parameter)
        return SharedMatrix();
    return m_parameter->read(place());
}

bool sameNumbers(const ParameterBlock &a, const ParameterBlock &b) {
    if (!a.exists() || !b.exists())
        return a.exists() == b.exists();
    if (a.rows != b.rows || a.columns != b.columns)
        return false;
    if (a.place() == b.place() &&
        (a.parameter() == b.parameter() || a.parameter()->hasBaseOf(*b.parameter())))
        return a.parameter() == b.parameter() || haveSameEdits(a, b);
    const Index height = std::max(Index(1), kComparedAtOnce / std::max(Index(1), a.columns));
    for (Index row = 0; row < a.rows; row += height) {
        const Index count = std::min(height, a.rows - row);
        const Result<SharedMatrix> left = a.rowBlock(row, count).read();
        const Result<SharedMatrix> right = b.rowBlock(row, count).read();
        if (!left || !right || !haveSameBits(*left, *right))
            return false;
    }
    return true;
}

bool sameNumbers(const Parameter &a, const Parameter &b) {
    return a == b || sameNumbers(ParameterBlock(a), ParameterBlock(b));
}

} // namespace headlight::core
