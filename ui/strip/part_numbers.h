// Positions of the weights below the parts of one word. A part is as wide as its letters. Its
// weight may be wider, and then uses free space next to the part.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace headlight::ui {

/// A part of a word and the number below it. Lengths are in px.
struct PartNumber {
    double left = 0, right = 0; ///< edges of the part
    double width = 0;           ///< width of the number
    double importance = 0;      ///< the least important number is left out first
};

/// Returns the centre of each number, unset if there is no space for the number. The parts are in
/// order from left to right, and the numbers keep this order. They are at least `gap` px apart and
/// between `from` and `to`. Each centre is below its part or close to it.
std::vector<std::optional<double>> partNumberCentres(std::span<const PartNumber> parts, double from,
                                                     double to, double gap);

} // namespace headlight::ui
