// Output format of benchmark results.
#pragma once

#include <QString>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace headlight::bench {

/// Prints "name: median 8.1 ms, 95 % under 9.9 ms, 99 % under 12.0 ms, fastest 7.6 ms (40 runs)".
inline void report(const char *name, std::vector<double> milliseconds) {
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto at = [&](double share) {
        return milliseconds[static_cast<std::size_t>(share *
                                                     static_cast<double>(milliseconds.size() - 1))];
    };
    std::printf("%s: median %.2f ms, 95 %% under %.2f ms, 99 %% under %.2f ms, fastest %.2f ms "
                "(%zu runs)\n",
                name, at(0.5), at(0.95), at(0.99), milliseconds.front(), milliseconds.size());
    std::fflush(stdout);
}

} // namespace headlight::bench
