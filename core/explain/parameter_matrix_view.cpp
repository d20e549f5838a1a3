#include "core/explain/parameter_matrix_view.h"

#include "core/explain/meaning.h"
#include "core/explain/sources.h"
#include "core/transformer/model/parameter_table.h"

namespace headlight::core {

std::optional<ParameterMatrixView> parameterMatrixView(const Trace &trace,
                                                       const Selection &selection) {
    const Plan &plan = trace.plan();
    const auto id = plan.find({selection.stage, selection.attention()});
    if (!id)
        return std::nullopt;
    const Region region = *regionOf(plan, selection);
    const Slice all{*id, region.head, {}, {}};
    const Expression number = meaningOf(trace, selection.sequence, all).number;
    const Expression *sum = outerSum(number);
    const Expression *matrix = sum && sum->of[0].of.size() == 2 ? &sum->of[0].of[1] : nullptr;
    if (!matrix || !matrix->is(Expression::Kind::Learned))
        return std::nullopt;
    const Step &step = plan[matrix->step];
    const ParameterSlice &slice = step.parameters[matrix->which];
    if (infoOf(slice.id.which).form != ParameterForm::Matrix)
        return std::nullopt;
    const ParameterBlock whole(parameterOf(trace.model().parameters, slice.id));
    if (whole.empty())
        return std::nullopt;
    ParameterMatrixView learned{slice.id, whole};
    learned.transposed = matrix->row.kind == Coordinate::Kind::Column;
    if (slice.split == ParameterSlice::Split::Columns) {
        const Index columns = whole.columns / step.heads();
        if (region.head >= step.heads())
            return std::nullopt;
        learned.block = whole.columnBlock(region.head * columns, columns);
    } else if (infoOf(slice.id.which).blocks == HeadBlocks::Rows) {
        learned.headsOfRows = sum->groups;
        learned.head = selection.head;
        if (learned.head >= learned.headsOfRows)
            return std::nullopt;
    }
    return learned;
}

} // namespace headlight::core
