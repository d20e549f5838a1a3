#include "core/transformer/run/output_row.h"

#include "core/cancelled.h"
#include "core/transformer/run/forward_runner.h"

#include <new>

namespace headlight::core {

StageId readByOutputLayer(const Plan &plan) {
    StepId id = *plan.find({Stage::Logits, {}});
    while (!plan[id].reads.empty() &&
           (!plan[id].isNamed() || infoOf(plan[id].at.stage).part == Part::OutputLayer))
        id = plan[id].reads[0];
    return plan[id].at;
}

Result<OutputRow> outputRow(const Trace &trace, Index sequence, Index token,
                            std::stop_token stop) try {
    const Plan &plan = trace.plan();
    std::vector<Tensor> known;
    for (StepId id = 0; id < plan.size(); ++id)
        known.push_back(trace.numbers(id));
    const std::array stages{*plan.find({Stage::Logits, {}}),
                            *plan.find({Stage::Probabilities, {}})};
    ForwardRunner runner({plan, trace.model(), trace.input(), trace.allMasks(), nullptr,
                          std::move(known), std::move(stop)});
    std::array<std::vector<float>, stages.size()> rows;
    for (std::size_t i = 0; i < stages.size(); ++i)
        rows[i] = runner.rowOf(stages[i], sequence, token);
    if (!runner.overflowed().empty())
        return Error{"the values overflow 32-bit floats", runner.overflowed(),
                     "use smaller weights or embeddings"};
    return OutputRow{std::move(rows[0]), std::move(rows[1]), runner.takeWork().numbers};
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the logits", "text", "use a shorter text"};
}

} // namespace headlight::core
