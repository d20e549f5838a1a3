#include "core/operations/pooling.h"

#include <algorithm>

namespace headlight::core {

PooledRows pooledRows(Index length, Pooling pooling) {
    switch (pooling) {
    case Pooling::First:
    case Pooling::LargestId:
        return {0, 1};
    case Pooling::Last:
        return {length - 1, 1};
    case Pooling::Second:
        return {std::min<Index>(1, length - 1), 1};
    case Pooling::Mean:
        break;
    }
    return {0, length};
}

void pool(MatrixView x, Index length, Pooling pooling, std::span<float> out) {
    assert(length >= 1 && length <= x.rows && static_cast<Index>(out.size()) == x.columns);
    const auto [first, count] = pooledRows(length, pooling);
    for (Index column = 0; column < x.columns; ++column) {
        double sum = 0;
        for (Index row = first; row < first + count; ++row)
            sum += static_cast<double>(x(row, column));
        out[static_cast<std::size_t>(column)] =
            static_cast<float>(sum / static_cast<double>(count));
    }
}

void poolBackward(std::span<const float> outGradient, Index length, Pooling pooling,
                  MutableMatrixView xGradient) {
    assert(length >= 1 && length <= xGradient.rows);
    assert(static_cast<Index>(outGradient.size()) == xGradient.columns);
    const auto [first, count] = pooledRows(length, pooling);
    for (Index row = 0; row < xGradient.rows; ++row) {
        const auto to = xGradient.row(row);
        if (row < first || row >= first + count)
            std::ranges::fill(to, 0.0f);
        else
            std::ranges::transform(outGradient, to.begin(), [n = count](float gradient) {
                return gradient / static_cast<float>(n);
            });
    }
}

} // namespace headlight::core
