// Sums over a row in double, with several accumulators that the compiler can vectorise.
#pragma once

#include <array>
#include <cstddef>

namespace headlight::core {

/// Returns term(0) + … + term(count − 1). Unlike a single accumulator, four allow parallel
/// additions.
template <typename Term>
double rowSum(std::size_t count, Term term) {
    std::array<double, 4> lanes{};
    std::size_t i = 0;
    for (; i + lanes.size() <= count; i += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            lanes[lane] += term(i + lane);
    for (; i < count; ++i)
        lanes[0] += term(i);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

} // namespace headlight::core
