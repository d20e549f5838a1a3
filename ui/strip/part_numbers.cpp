#include "ui/strip/part_numbers.h"

#include <algorithm>

namespace headlight::ui {

namespace {

constexpr double kBeside = 0.25; // how far a centre may be outside its part ÷ width of the number

/// Numbers that touch. Their distances are fixed, so one position places the whole group.
struct Group {
    std::size_t first = 0, end = 0;
    double sum = 0; ///< sum of the group positions that the numbers request
    double mean() const { return sum / static_cast<double>(end - first); }
};

struct Placing {
    std::vector<double> centres;
    std::optional<std::size_t> leftOut; ///< a number that does not fit, if any
};

/// Returns the positions that minimise the squared distances from the parts' centres. This is
/// isotonic regression: numbers that would overlap form a group at the mean of their positions.
Placing place(const std::vector<PartNumber> &parts, double from, double to, double gap) {
    const std::size_t count = parts.size();
    std::vector<double> before(count, 0); // distance of each centre from the first, if all touch
    for (std::size_t i = 1; i < count; ++i)
        before[i] = before[i - 1] + (parts[i - 1].width + parts[i].width) / 2 + gap;
    std::vector<Group> groups;
    for (std::size_t i = 0; i < count; ++i) {
        groups.push_back({i, i + 1, (parts[i].left + parts[i].right) / 2 - before[i]});
        while (groups.size() > 1 && groups[groups.size() - 2].mean() > groups.back().mean()) {
            const Group last = groups.back();
            groups.pop_back();
            groups.back().end = last.end;
            groups.back().sum += last.sum;
        }
    }
    const double lowest = from + parts.front().width / 2;
    const double highest = to - parts.back().width / 2 - before.back();
    Placing placing;
    const auto leastOf = [&](std::size_t first, std::size_t end) {
        const auto least = std::ranges::min_element(
            parts.begin() + static_cast<std::ptrdiff_t>(first),
            parts.begin() + static_cast<std::ptrdiff_t>(end), {}, &PartNumber::importance);
        return static_cast<std::size_t>(least - parts.begin());
    };
    if (lowest > highest) {
        placing.leftOut = leastOf(0, count);
        return placing;
    }
    for (const Group &group : groups)
        for (std::size_t i = group.first; i < group.end; ++i) {
            const double centre = std::clamp(group.mean(), lowest, highest) + before[i];
            const double beside = kBeside * parts[i].width;
            if (centre < parts[i].left - beside || centre > parts[i].right + beside) {
                const bool isAlone = group.end - group.first == 1; // moved only by `from` or `to`
                placing.leftOut = isAlone ? leastOf(0, count) : leastOf(group.first, group.end);
                return placing;
            }
            placing.centres.push_back(centre);
        }
    return placing;
}

} // namespace

std::vector<std::optional<double>> partNumberCentres(std::span<const PartNumber> parts, double from,
                                                     double to, double gap) {
    std::vector<std::optional<double>> centres(parts.size());
    std::vector<PartNumber> shown(parts.begin(), parts.end());
    std::vector<std::size_t> indices(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        indices[i] = i;
    while (!shown.empty()) {
        const Placing placing = place(shown, from, to, gap);
        if (!placing.leftOut) {
            for (std::size_t i = 0; i < shown.size(); ++i)
                centres[indices[i]] = placing.centres[i];
            break;
        }
        const auto out = static_cast<std::ptrdiff_t>(*placing.leftOut);
        shown.erase(shown.begin() + out);
        indices.erase(indices.begin() + out);
    }
    return centres;
}

} // namespace headlight::ui
