#include "core/closest_name.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace headlight::core {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

constexpr std::size_t kMaxWord = 256; // longer names are not typos, and the table stays small

struct Closest {
    std::string name;
    std::size_t distance = static_cast<std::size_t>(-1);
};

Closest closest(std::string_view word, std::span<const std::string> candidates) {
    Closest best;
    for (const std::string &candidate : candidates)
        if (const std::size_t distance = editDistance(word, candidate); distance < best.distance)
            best = {candidate, distance};
    return best;
}

} // namespace

std::string closestName(std::string_view word, std::span<const std::string> candidates) {
    return closest(word.substr(0, kMaxWord), candidates).name;
}

std::string similarName(std::string_view word, std::span<const std::string> candidates) {
    word = word.substr(0, kMaxWord);
    const Closest best = closest(word, candidates);
    return 2 * best.distance < std::max(word.size(), best.name.size()) ? best.name : std::string();
}

} // namespace headlight::core
