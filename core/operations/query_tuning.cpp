#include "core/operations/query_tuning.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headlight::core {

float tuningFactor(const QueryTuning &tuning, Index position) {
    const auto whole = static_cast<double>((position + 1) / tuning.length);
    return static_cast<float>(1 + static_cast<double>(tuning.strength) * std::log1p(whole));
}

void tuneQueries(MatrixView x, const QueryTuning &tuning, MutableMatrixView out, Index first) {
    assert(x.rows == out.rows && x.columns == out.columns);
    for (Index t = 0; t < x.rows; ++t)
        std::ranges::transform(
            x.row(t), out.row(t).begin(),
            [factor = tuningFactor(tuning, first + t)](float number) { return number * factor; });
}

} // namespace headlight::core
