// The positions of the weights below the parts of one word. A part is as wide as its letters, so
// its weight may be wider than the part, and moves into free space beside it.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace headlight::ui {

/// A part of a word and the number below it. Lengths are in px.
struct PartNumber {
    double left = 0, right = 0; ///< the part
    double width = 0;           ///< the number
    double importance = 0;      ///< the least important number is left out first
};

/// Returns the centre of each number; none where there is no space for it. The parts are given from
/// left to right. The numbers stay in their order, `gap` px apart and between `from` and `to`, and
/// each has its centre below its part or close to it.
std::vector<std::optional<double>> partNumberCentres(std::span<const PartNumber> parts, double from,
                                                     double to, double gap);

} // namespace headlight::ui
