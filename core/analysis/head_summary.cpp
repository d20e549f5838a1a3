#include "core/analysis/head_summary.h"

#include <algorithm>

namespace headlight::core {

Tensor summarizeHeads(const Tensor &stage, HeadSummary summary) {
    if (stage.shape().rank() != 4)
        return stage;
    const Index batch = stage.shape()[0];
    const Index heads = stage.shape()[1];
    const Shape shape{batch, 1, stage.shape()[2], stage.shape()[3]};
    const Index cells = shape[2] * shape[3];
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (Index b = 0; b < batch; ++b)
        for (Index cell = 0; cell < cells; ++cell) {
            const float *first = stage.values().data() + b * heads * cells + cell;
            double result = static_cast<double>(*first);
            for (Index head = 1; head < heads; ++head) {
                const auto value = static_cast<double>(first[head * cells]);
                result = summary == HeadSummary::Mean ? result + value : std::max(result, value);
            }
            if (summary == HeadSummary::Mean)
                result /= static_cast<double>(heads);
            values[static_cast<std::size_t>(b * cells + cell)] = static_cast<float>(result);
        }
    return {shape, std::move(values)};
}

} // namespace headlight::core
