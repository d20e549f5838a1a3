#include "core/transformer/run/logit_blocks.h"

#include "core/cancelled.h"
#include "core/tensor/in_parallel.h"
#include "core/tensor/numbers.h"
#include "core/transformer/run/each.h"
#include "core/transformer/run/finite.h"
#include "core/transformer/run/run_state.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace headlight::core {

namespace {

/// Number of values in a block: 4 MB, which stay in the processor's cache until they are read
/// again.
constexpr Index kBlockNumbers = Index(1) << 20;

} // namespace

std::optional<LogitBlocks> LogitBlocks::of(const Plan &plan, StepId logits) {
    LogitBlocks found;
    StepId id = behindCopies(plan, logits);
    const auto isPlain = [&plan](StepId step) {
        return plan[step].changes.empty() && plan[step].heads() == 1;
    };
    for (; isPlain(id) && std::holds_alternative<op::Each>(plan[id].operation);
         id = behindCopies(plan, plan[id].reads[0]))
        found.m_functions.insert(found.m_functions.begin(), id);
    const Step &linear = plan[id];
    if (!isPlain(id) || !std::holds_alternative<op::Linear>(linear.operation))
        return std::nullopt;
    found.m_linear = id;
    found.m_input = behindCopies(plan, linear.reads[0]);
    return found;
}

std::string LogitBlocks::run(const Plan &plan, const Model &model, MatrixView rows,
                             const Take &take, const std::stop_token &stop) const {
    const Step &linear = plan[m_linear];
    const bool transposed = std::get<op::Linear>(linear.operation).transposed;
    const auto parameter = [&](std::size_t which) {
        return which < linear.parameters.size()
                   ? StepParameter(model.parameters, linear.parameters[which])
                   : StepParameter();
    };
    const StepParameter weight = parameter(0);
    const SharedMatrix bias = parameter(1).numbers();
    std::atomic<StepId> firstUnsound = std::numeric_limits<StepId>::max();
    const auto check = [&](StepId id, std::span<const float> numbers) {
        if (!allFinite(numbers, false, stop)) {
            StepId first = firstUnsound;
            while (id < first && !firstUnsound.compare_exchange_weak(first, id)) {
            }
        }
    };
    const Index all = linear.shape.last(0);
    const Index fits = kBlockNumbers / std::max<Index>(1, rows.rows) / kLogitColumns;
    const Index width = std::min(all, std::max<Index>(1, fits) * kLogitColumns);
    Numbers numbers(static_cast<std::size_t>(rows.rows * width));
    for (Index first = 0; first < all; first += width) {
        const Index columns = std::min(width, all - first);
        const MutableMatrixView block{numbers.data(), rows.rows, columns, columns};
        throwIfCancelled(stop);
        if (transposed)
            multiplyTransposed(rows, weight.rowBlock(first, columns), block, stop);
        else
            multiply(rows, weight.columnBlock(first, columns), block, stop);
        throwIfCancelled(stop);
        inParallel(rows.rows, [&](Index row, Index) {
            const std::span<float> made = block.row(row);
            if (!bias.empty())
                for (std::size_t c = 0; c < made.size(); ++c)
                    made[c] += bias.row(0)[static_cast<std::size_t>(first) + c];
            check(m_linear, made);
            for (const StepId id : m_functions) {
                applyEach(std::get<op::Each>(plan[id].operation).function, made, made);
                check(id, made);
            }
            take(row, first, made);
        });
    }
    if (firstUnsound >= plan.size())
        return {};
    const StageId at = plan[firstUnsound].at;
    return stageName(at.stage, at.attention);
}

} // namespace headlight::core
