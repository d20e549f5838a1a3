#include "core/selection/selected.h"

namespace headlight::core {

namespace {

bool isInside(Index index, Index count) {
    return index >= 0 && index < count;
}

Outcome chosen(const char *what, std::optional<Index> index, Index count) {
    if (!index)
        return Error{{"no %1 is selected", what}, "selection", "select a cell"};
    if (!isInside(*index, count))
        return Error{{"%1 %2 does not exist", what, *index}, "selection", {"there are %1", count}};
    return Done{};
}

/// Returns the selected step; no value if the trace does not have the stage, or if the sequence or
/// head is out of range.
std::optional<StepId> stepAt(const Trace &trace, const Selection &selection) {
    if (!isInside(selection.sequence, trace.batch().count()) ||
        !isInside(selection.head, trace.model().headsOf(selection.attention())))
        return std::nullopt;
    return trace.plan().find({selection.stage, selection.attention()});
}

Error noSuchPlace() {
    return {"the model has no such stage or attention block", "selection", ""};
}

} // namespace

std::optional<Index> selectedRow(const Selection &selection) {
    if (infoOf(selection.stage).rowsAreSequences())
        return selection.sequence;
    if (infoOf(selection.stage).rowsAreDistances())
        return selection.distance;
    return infoOf(selection.stage).ofKeys() ? selection.key : selection.query;
}

std::optional<Index> selectedColumn(const Selection &selection) {
    const StageInfo &info = infoOf(selection.stage);
    return info.overKeys()        ? selection.key
           : info.overDistances() ? selection.distance
                                  : selection.dimension;
}

SharedMatrix matrixAt(const Trace &trace, const Selection &selection) {
    return stepAt(trace, selection) ? trace.matrix(selection.stage, selection.attention(),
                                                   selection.sequence, selection.head)
                                    : SharedMatrix();
}

SharedMatrix rowAt(const Trace &trace, const Selection &selection, Index row) {
    const auto step = stepAt(trace, selection);
    if (!step || !isInside(row, trace.plan()[*step].shape.last(1)))
        return {};
    return trace.rows(*step, selection.sequence, trace.headOf(*step, selection.head), {row, 1});
}

MatrixSize sizeAt(const Trace &trace, const Selection &selection) {
    const auto step = stepAt(trace, selection);
    if (!step)
        return {};
    const Shape &shape = trace.plan()[*step].shape;
    return {shape.last(1), shape.last(0)};
}

Result<float> valueAt(const Trace &trace, const Selection &selection) {
    const auto step = stepAt(trace, selection);
    if (!step)
        return noSuchPlace();
    const MatrixSize size = sizeAt(trace, selection);
    const StageInfo &info = infoOf(selection.stage);
    const auto row = selectedRow(selection), column = selectedColumn(selection);
    for (const Outcome &outcome :
         {chosen(info.rowsAreDistances() ? "distance" : "token", row, size.rows),
          chosen(info.overKeys()        ? "key"
                 : info.overDistances() ? "distance"
                                        : "dimension",
                 column, size.columns)})
        if (!outcome)
            return outcome.error();
    const SharedMatrix numbers = rowAt(trace, selection, *row);
    if (numbers.empty())
        return noSuchPlace();
    return numbers(0, *column);
}

} // namespace headlight::core
