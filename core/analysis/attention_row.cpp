#include "core/analysis/attention_row.h"

#include "core/analysis/attention_row_properties.h"

#include <algorithm>

namespace headlight::core {

std::vector<float> heldWeightsOf(const Trace &trace, const AttentionRowId &row) {
    const auto step = trace.plan().find({Stage::AttentionWeights, row.attention});
    if (!step || !trace.isReady(Stage::AttentionWeights, row.attention, row.sequence, row.head))
        return {};
    const SharedMatrix weights =
        trace.rows(*step, row.sequence, trace.headOf(*step, row.head), {row.query, 1});
    if (weights.empty())
        return {};
    return copied(weights.row(0));
}

std::vector<bool> hiddenKeysOf(const Trace &trace, const AttentionRowId &row) {
    if (!weightingOf(trace, row.attention, row.head).hidesWholly)
        return {};
    const Mask &mask = trace.mask(row.sequence, row.attention);
    std::vector<bool> hidden(static_cast<std::size_t>(mask.keys()));
    mask.forEachRun(row.query, [&](const MaskRun &run) {
        if (run.hidden())
            std::fill(hidden.begin() + run.first, hidden.begin() + run.end, true);
    });
    return hidden;
}

} // namespace headlight::core
