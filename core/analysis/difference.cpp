#include "core/analysis/difference.h"

#include "core/tensor/shape.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

bool Difference::hidesAnything() const {
    return std::find(hiddenOnOneSide.begin(), hiddenOnOneSide.end(), true) != hiddenOnOneSide.end();
}

Result<Difference> difference(MatrixView now, MatrixView before, Index words) {
    if (now.rows != before.rows || now.columns != before.columns)
        return Error{{"before it was %1, now it is %2", Shape{before.rows, before.columns}.text(),
                      Shape{now.rows, now.columns}.text()},
                     "",
                     "compare matrices of the same shape"};
    Difference result;
    result.values = Matrix(now.rows, now.columns);
    result.hiddenOnOneSide.resize(static_cast<std::size_t>(now.rows * now.columns));
    constexpr auto kMax = static_cast<double>(std::numeric_limits<float>::max());
    double sum = 0;
    Index compared = 0;
    for (Index row = 0; row < now.rows; ++row)
        for (Index column = 0; column < now.columns; ++column) {
            const float left = now(row, column);
            const float right = before(row, column);
            // Infinities of the same sign, such as −∞ of scores hidden on both sides, are equal.
            // Any other infinity, and NaN on one side, is marked instead.
            if (std::isinf(left) && left == right)
                continue;
            if (std::isnan(left) && std::isnan(right)) {
                result.values(row, column) = std::numeric_limits<float>::quiet_NaN();
                result.hasUnknown = result.hasUnknown || row < words;
                continue;
            }
            if (!std::isfinite(left) || !std::isfinite(right)) {
                result.hiddenOnOneSide[static_cast<std::size_t>(row * now.columns + column)] = true;
                continue;
            }
            const double change = static_cast<double>(left) - static_cast<double>(right);
            const auto value = static_cast<float>(std::clamp(change, -kMax, kMax));
            result.values(row, column) = value;
            if (row >= words) {
                result.paddingChanged = result.paddingChanged || value != 0;
                continue;
            }
            sum += std::abs(change);
            ++compared;
            if (std::abs(value) > (result.largest ? std::abs(result.largest->value) : 0.0F))
                result.largest = {row, column, value};
        }
    if (compared > 0)
        result.meanAbsolute = sum / static_cast<double>(compared);
    return result;
}

} // namespace headlight::core
