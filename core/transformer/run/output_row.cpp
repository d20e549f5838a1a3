#include "core/transformer/run/output_row.h"

#include "core/cancelled.h"
#include "core/transformer/run/forward_runner.h"

#include <array>
#include <new>

namespace headlight::core {

StageId readByOutputLayer(const Plan &plan) {
    StepId id = *plan.find({Stage::Logits, {}});
    while (!plan[id].reads.empty() &&
           (!plan[id].isNamed() || infoOf(plan[id].at.stage).part == Part::OutputLayer))
        id = plan[id].reads[0];
    return plan[id].at;
}

namespace {

struct MadeRows {
    std::vector<Numbers> rows; ///< one per requested step
    Index made = 0;            ///< number of computed values
};

Result<MadeRows> madeRows(const Trace &trace, std::vector<Tensor> known,
                          std::span<const StepId> steps, Index sequence, Index row,
                          std::stop_token stop) try {
    ForwardRunner runner({trace.plan(), trace.model(), trace.input(), trace.allMasks(), nullptr,
                          std::move(known), std::move(stop)});
    std::vector<Numbers> rows = runner.rowOfWords(steps, sequence, row);
    if (!runner.overflowed().empty())
        return Error{"the values overflow 32-bit floats", runner.overflowed(),
                     "use smaller weights or embeddings"};
    return MadeRows{std::move(rows), runner.takeWork().numbers};
} catch (const ParameterReadError &unreadable) {
    return unreadable.error;
} catch (const Cancelled &) {
    return cancelled();
} catch (const std::bad_alloc &) {
    return Error{"there is not enough memory for the logits", "text", "use a shorter text"};
}

} // namespace

Result<OutputRow> outputRow(const Trace &trace, Index sequence, Index token, std::stop_token stop) {
    const Plan &plan = trace.plan();
    std::vector<Tensor> known;
    for (StepId id = 0; id < plan.size(); ++id)
        known.push_back(trace.numbers(id));
    const std::array stages{*plan.find({Stage::Logits, {}}),
                            *plan.find({Stage::Probabilities, {}})};
    const Result<MadeRows> made =
        madeRows(trace, std::move(known), stages, sequence, token, std::move(stop));
    if (!made)
        return made.error();
    return OutputRow{copied(made->rows[0]), copied(made->rows[1]), made->made};
}

Result<std::vector<SharedMatrix>> makeRowOfWords(const Trace &trace, std::vector<Tensor> known,
                                                 Index sequence, Index row, std::stop_token stop) {
    const Plan &plan = trace.plan();
    std::vector<StepId> steps;
    for (StepId id = 0; id < plan.size(); ++id)
        if (plan[id].isNamed() && infoOf(plan[id].at.stage).overWords())
            steps.push_back(id);
    Result<MadeRows> made =
        madeRows(trace, std::move(known), steps, sequence, row, std::move(stop));
    if (!made)
        return made.error();
    std::vector<SharedMatrix> rows(plan.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto numbers = std::make_shared<const Numbers>(std::move(made->rows[i]));
        const auto columns = static_cast<Index>(numbers->size());
        rows[steps[i]] = SharedMatrix({numbers->data(), 1, columns, columns}, numbers);
    }
    return rows;
}

} // namespace headlight::core
