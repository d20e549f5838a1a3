#include "core/explain/parameter_matrix_view.h"

#include "core/explain/sources.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

namespace {

/// Returns the number of heads that are concatenated in a step's input.
Index headsSideBySide(const Plan &plan, const Step &step) {
    const Step &read = plan[plan.origin(step.reads.front())];
    return std::holds_alternative<op::ConcatHeads>(read.operation)
               ? plan[plan.origin(read.reads.front())].heads()
               : 1;
}

} // namespace

std::optional<ParameterMatrixView> parameterMatrixView(const Trace &trace,
                                                       const Selection &selection) {
    const Plan &plan = trace.plan();
    const auto id = plan.find({selection.stage, selection.attention()});
    if (!id)
        return std::nullopt;
    const Step &step = plan[plan.origin(*id)];
    const auto *linear = std::get_if<op::Linear>(&step.operation);
    if (!linear || step.parameters.empty())
        return std::nullopt;
    const ParameterSlice &slice = step.parameters.front();
    if (infoOf(slice.id.which).form != ParameterForm::Matrix)
        return std::nullopt;
    const ParameterBlock whole(parameterOf(trace.model().parameters, slice.id));
    if (whole.empty())
        return std::nullopt;
    ParameterMatrixView learned{slice.id, whole};
    learned.transposed = linear->transposed;
    if (slice.split == ParameterSlice::Split::Columns) {
        const Index columns = whole.columns / step.heads();
        const Index head = regionOf(plan, selection)->head;
        if (head >= step.heads())
            return std::nullopt;
        learned.block = whole.columnBlock(head * columns, columns);
    } else if (infoOf(slice.id.which).blocks == HeadBlocks::Rows) {
        learned.headsOfRows = headsSideBySide(plan, step);
        learned.head = selection.head;
        if (learned.head >= learned.headsOfRows)
            return std::nullopt;
    }
    return learned;
}

} // namespace headlight::core
