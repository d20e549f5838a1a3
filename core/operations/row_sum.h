// A sum along a row, in double, in lanes that a compiler may keep side by side in one register.
#pragma once

#include <array>
#include <cstddef>

namespace headlight::core {

/// term(0) + … + term(count − 1). A sum in one variable must be added in its order, one after the
/// other; four of them need not.
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
