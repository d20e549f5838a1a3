#include "core/operations/alibi.h"

#include <bit>
#include <cmath>

namespace headlight::core {

std::vector<float> alibiSlopes(Index heads) {
    assert(heads >= 1);
    const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(heads)));
    const double step = 8 / static_cast<double>(power);
    std::vector<float> slopes;
    for (Index head = 0; head < heads; ++head) {
        const double steps =
            head < power ? static_cast<double>(head + 1) : static_cast<double>(head - power) + 0.5;
        slopes.push_back(static_cast<float>(std::exp2(-step * steps)));
    }
    return slopes;
}

void alibiBias(float slope, MutableMatrixView out, Index first) {
    for (Index row = 0; row < out.rows; ++row) {
        const Index i = first + row;
        for (Index j = 0; j < out.columns; ++j)
            out(row, j) = -slope * static_cast<float>(i < j ? j - i : i - j);
    }
}

} // namespace headlight::core
