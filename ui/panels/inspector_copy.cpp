#include "ui/panels/inspector_copy.h"

#include "core/analysis/cell_explanation.h"
#include "core/formats/csv.h"

namespace headlight::ui {

core::Result<std::string> matrixText(const core::Trace &trace, const core::Selection &selection,
                                     char separator) {
    if (matrixSize(trace, selection) == 0)
        return core::Error{"this model has no such stage", "selection", ""};
    core::LabelledMatrix table;
    const core::Tensor tensor = core::stageTensor(trace, selection.stage, selection.site());
    table.matrix = tensor.matrix(selection.sequence, selection.head);
    table.rowLabels = trace.batch()[selection.sequence].tokens;
    if (core::infoOf(selection.stage).overKeys())
        table.columnLabels = table.rowLabels;
    else
        for (core::Index column = 0; column < table.matrix.columns; ++column)
            table.columnLabels.push_back(std::to_string(column));
    table.corner = core::stageName(selection.stage, selection.site());
    return core::toCsv(table, separator);
}

core::Index matrixSize(const core::Trace &trace, const core::Selection &selection) {
    const core::Tensor tensor = core::stageTensor(trace, selection.stage, selection.site());
    const bool inside = !tensor.isNull() && selection.sequence < trace.batch().count() &&
                        selection.head < trace.model().config.heads;
    return inside ? tensor.shape().last(0) * tensor.shape().last(1) : 0;
}

} // namespace headlight::ui
