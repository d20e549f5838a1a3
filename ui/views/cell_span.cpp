#include "ui/views/cell_span.h"

#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/formats/capture/npy.h"
#include "core/formats/csv.h"
#include "core/formats/files/atomic_file.h"

#include <algorithm>

namespace headlight::ui {

namespace {

std::vector<std::string> labelsOf(const QStringList &labels, core::Index first, core::Index count) {
    std::vector<std::string> texts;
    for (core::Index i = first; i < first + count; ++i)
        texts.push_back(labels.value(static_cast<qsizetype>(i), QString::number(i)).toStdString());
    return texts;
}

std::string lineOf(std::string line, std::span<const float> row) {
    for (const float number : row)
        line += ',' + core::exact(number);
    return line + "\r\n";
}

std::string headingOf(const SpanNumbers &numbers) {
    std::string line = core::csvField(numbers.corner);
    for (const std::string &label : numbers.columnLabels)
        line += ',' + core::csvField(label);
    return line + "\r\n";
}

} // namespace

CellSpan CellSpan::between(Cell a, Cell b) {
    return {{std::min(a.row, b.row), std::min(a.column, b.column)},
            {std::max(a.row, b.row), std::max(a.column, b.column)}};
}

SpanNumbers numbersOf(const HeatmapContent &content, const CellSpan &span) {
    return {content.matrix()
                .rowBlock(span.first.row, span.rows())
                .columnBlock(span.first.column, span.columns()),
            labelsOf(content.rowLabels, span.first.row, span.rows()),
            labelsOf(content.columnLabels, span.first.column, span.columns()),
            content.title.toStdString()};
}

std::string csvOf(const SpanNumbers &numbers) {
    std::string text = headingOf(numbers);
    for (core::Index row = 0; row < numbers.matrix.rows; ++row)
        text += lineOf(core::csvField(numbers.rowLabels[static_cast<std::size_t>(row)]),
                       numbers.matrix.row(row));
    return text;
}

core::Outcome writeSpan(const SpanNumbers &numbers, const std::string &path, bool isNpy,
                        const std::stop_token &stop) {
    core::Result<core::AtomicFile> file = core::AtomicFile::open(
        path, core::AtomicFile::Temporary::Nameless, core::OverwritePolicy::RegularFile);
    if (!file)
        return file.error();
    const core::SharedMatrix &matrix = numbers.matrix;
    if (core::Outcome outcome = file->write(isNpy ? core::npyHeader({matrix.rows, matrix.columns})
                                                  : headingOf(numbers));
        !outcome)
        return outcome;
    for (core::Index row = 0; row < matrix.rows; ++row) {
        if (stop.stop_requested())
            return core::cancelled();
        const std::string line =
            isNpy ? core::npyRow(matrix.row(row))
                  : lineOf(core::csvField(numbers.rowLabels[static_cast<std::size_t>(row)]),
                           matrix.row(row));
        if (core::Outcome outcome = file->write(line); !outcome)
            return outcome;
    }
    return file->commit();
}

} // namespace headlight::ui
