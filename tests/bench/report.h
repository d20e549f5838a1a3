// The rows that benchmarks print, one per line: name, value, unit and limit, separated by tabs. The
// limit is empty if none is promised. script/bench collects the rows in a table.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace headlight::bench {

using Limit = std::optional<double>;

inline void report(const std::string &name, double value, const char *unit, Limit limit = {}) {
    std::printf("%s\t%.3f\t%s\t", name.c_str(), value, unit);
    if (limit)
        std::printf("%g", *limit);
    std::printf("\n");
    std::fflush(stdout);
}

/// Prints a row for something that the program refuses to do.
inline void reportRefused(const std::string &name, const char *unit, double limit) {
    std::printf("%s\trefused\t%s\t%g\n", name.c_str(), unit, limit);
    std::fflush(stdout);
}

struct Limits {
    Limit median{}, percentile99{};
};

/// Prints the median and the 99th percentile, which is the slowest of up to 99 runs. A single run
/// has one row.
inline void report(const std::string &name, std::vector<double> milliseconds,
                   const Limits &limits = {}) {
    if (milliseconds.size() < 2) {
        for (const double time : milliseconds)
            report(name, time, "ms", limits.median);
        return;
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto at = [&](double share) {
        const double rank = std::ceil(share * static_cast<double>(milliseconds.size()));
        return milliseconds[static_cast<std::size_t>(rank) - 1];
    };
    report(name + ", median", at(0.5), "ms", limits.median);
    report(name + ", 99 %", at(0.99), "ms", limits.percentile99);
}

inline double millisecondsSince(std::chrono::steady_clock::time_point start) {
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    return time.count();
}

/// Returns how long the work takes, in ms.
template <typename Work>
double timed(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return millisecondsSince(start);
}

/// Returns memory of this process in MB of 2^20 bytes, as Linux reports it. "VmRSS" is the current
/// memory, "VmHWM" its maximum, "RssAnon" the current memory without the pages of files.
inline double memory(const std::string &which) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(which + ":"))
            return std::stod(line.substr(which.size() + 1)) / 1024;
    return 0;
}

/// Samples the memory without the pages of files on its own thread, because Linux does not record
/// its maximum.
class PrivateMemory {
  public:
    PrivateMemory()
        : m_thread([this](const std::stop_token &stop) {
              while (!stop.stop_requested()) {
                  m_most = std::max(m_most.load(), memory("RssAnon"));
                  std::this_thread::sleep_for(std::chrono::milliseconds(5));
              }
          }) {}
    /// Returns the maximum since the construction, in MB.
    double most() const { return std::max(m_most.load(), memory("RssAnon")); }

  private:
    std::atomic<double> m_most = memory("RssAnon");
    std::jthread m_thread; // last: it uses m_most
};

} // namespace headlight::bench
