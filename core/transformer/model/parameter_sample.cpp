#include "core/transformer/model/parameter_sample.h"

#include <algorithm>
#include <limits>

namespace headlight::core {

namespace {

constexpr float kNotRead = std::numeric_limits<float>::quiet_NaN();
/// Rows and columns up to this length are read completely, longer ones value by value.
constexpr Index kMaxStrip = Index(1) << 13;

/// Passes the sampled values of one strip to `take`. A strip is a row of the block, or a column if
/// the block is stored column-major.
template <typename Place, typename Take>
void takeStrip(const ParameterBlock &strip, Index count, Place place, Take take) {
    const Index length = strip.rows * strip.columns;
    const bool isRow = strip.rows == 1;
    if (length > kMaxStrip) {
        for (Index i = 0; i < count; ++i)
            take(i, isRow ? strip(0, place(i)) : strip(place(i), 0));
        return;
    }
    Matrix numbers(1, length);
    const Outcome read = isRow ? strip.copy(numbers.view()) : strip.copyTransposed(numbers.view());
    for (Index i = 0; i < count; ++i)
        take(i, read ? numbers(0, place(i)) : kNotRead);
}

} // namespace

ParameterSample sampleOf(const ParameterBlock &block) {
    ParameterSample sample;
    sample.rows = block.rows;
    sample.columns = block.columns;
    if (block.empty())
        return sample;
    const bool isSmall = block.rows * block.columns <= kMaxSampledWhole;
    const auto side = [&](Index count) { return isSmall ? count : std::min(count, kSampledSide); };
    auto numbers = std::make_shared<Matrix>(side(block.rows), side(block.columns));
    sample.numbers = SharedMatrix(numbers->view(), numbers);
    if (isSmall && block.copy(numbers->view()))
        return sample;
    const auto rowOf = [&sample](Index row) { return sample.rowOf(row); };
    const auto columnOf = [&sample](Index column) { return sample.columnOf(column); };
    if (block.parameter()->standsTransposed()) {
        for (Index column = 0; column < numbers->columns(); ++column)
            takeStrip(block.columnBlock(columnOf(column), 1), numbers->rows(), rowOf,
                      [&](Index row, float value) { (*numbers)(row, column) = value; });
        return sample;
    }
    for (Index row = 0; row < numbers->rows(); ++row)
        takeStrip(block.rowBlock(rowOf(row), 1), numbers->columns(), columnOf,
                  [&](Index column, float value) { (*numbers)(row, column) = value; });
    return sample;
}

ParameterSample transposed(const ParameterSample &sample) {
    const SharedMatrix &from = sample.numbers;
    auto numbers = std::make_shared<Matrix>(from.columns, from.rows);
    for (Index row = 0; row < from.rows; ++row)
        for (Index column = 0; column < from.columns; ++column)
            (*numbers)(column, row) = from(row, column);
    return {SharedMatrix(numbers->view(), numbers), sample.columns, sample.rows};
}

} // namespace headlight::core
