#include "core/training/tasks/origin_weights.h"

#include "core/training/tasks/batch_of.h"

#include <algorithm>

namespace headlight::core {

namespace {

Index strongestKey(MatrixView weights, Index query) {
    return std::ranges::max_element(weights.row(query)) - weights.row(query).begin();
}

} // namespace

Result<std::vector<double>> sharesOnOrigins(const Task &task, const Model &model,
                                            const Input &masks, AttentionId attention,
                                            Index examples) {
    std::vector<double> shares(static_cast<std::size_t>(model.headsOf(attention)), 0.0);
    double asked = 0;
    for (const Example &example : examplesOf(task, Split::HeldOut, 0, 0, examples)) {
        const Result<TracePointer> trace = traceOf(example, model, masks);
        if (!trace)
            return trace.error();
        const auto origins = task.originsOf(example);
        asked += static_cast<double>(
            std::ranges::count_if(origins, [](const auto &keys) { return !keys.empty(); }));
        const Tensor weights = (*trace)->stage(Stage::AttentionWeights, attention);
        for (std::size_t head = 0; head < shares.size(); ++head) {
            const SharedMatrix matrix = weights.matrix(0, static_cast<Index>(head));
            for (std::size_t token = 0; token < origins.size(); ++token)
                shares[head] += static_cast<double>(std::ranges::count(
                    origins[token], strongestKey(matrix, static_cast<Index>(token))));
        }
    }
    for (double &share : shares)
        share /= std::max(asked, 1.0);
    return shares;
}

} // namespace headlight::core
