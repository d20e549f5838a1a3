#include "ui/panels/inspector_copy.h"

#include "core/formats/csv.h"
#include "core/selection/selected.h"
#include "ui/figures/heatmap/cell_place.h"

namespace headlight::ui {

core::Result<std::string> matrixText(const core::Trace &trace, const core::Selection &selection,
                                     char separator) {
    if (matrixSize(trace, selection) == 0)
        return core::Error{"this model has no such stage", "selection", ""};
    if (trace.isByRow(selection.stage))
        return core::Error{"the rows of all tokens are too large to be copied together",
                           core::stageName(selection.stage),
                           "write them to a file with headlight trace"};
    core::LabelledMatrix table;
    const core::SharedMatrix matrix = core::matrixAt(trace, selection);
    table.matrix = matrix;
    const core::StageInfo &info = core::infoOf(selection.stage);
    const auto numbers = [](core::Index count) {
        std::vector<std::string> labels;
        for (core::Index i = 0; i < count; ++i)
            labels.push_back(std::to_string(i));
        return labels;
    };
    const auto distances = [&](core::Index count) {
        std::vector<std::string> labels;
        for (const core::Index distance :
             core::nearestDistances(trace.model().config.disentangled.table))
            labels.push_back(std::to_string(distance));
        return std::ssize(labels) == count ? labels : numbers(count); // none in a capture
    };
    const core::Batch &keys = trace.keys(selection.attention());
    const core::Batch &rows = info.ofKeys() ? keys : trace.queries(selection.attention());
    table.rowLabels = info.rowsAreSequences()   ? numbers(table.matrix.rows)
                      : info.rowsAreDistances() ? distances(table.matrix.rows)
                                                : core::textsOf(rows[selection.sequence].tokens);
    table.columnLabels = info.overKeys() ? core::textsOf(keys[selection.sequence].tokens)
                         : info.columns == core::Columns::Words && trace.model().vocabulary
                             ? trace.model().vocabulary->words()
                         : info.overDistances() ? distances(table.matrix.columns)
                                                : numbers(table.matrix.columns);
    table.corner = core::stageName(selection.stage, selection.attention());
    return core::toCsv(table, separator);
}

core::Index matrixSize(const core::Trace &trace, const core::Selection &selection) {
    const core::MatrixSize matrix = core::sizeAt(trace, selection);
    return matrix.rows * matrix.columns;
}

} // namespace headlight::ui
