#include "ui/figures/worksheet/solution_text.h"

#include "core/formats/session/data/state_fields.h"
#include "ui/text/changed_text.h"
#include "ui/text/number_text.h"
#include "ui/text/parameter_text.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

constexpr std::size_t kMaxCellsNamed = 6; // per matrix
constexpr core::Index kMaxNumbersNamed = 36;

struct SolutionText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Worksheet)
};

QString nameOf(const core::ParameterId &id, const core::Model &model) {
    const QString symbol = markedSymbolOf(id.which), where = whereOf(id, model);
    return where.isEmpty() ? symbol : SolutionText::tr("%1 (%2)").arg(symbol, where);
}

/// Lists a small matrix row by row.
QString wholeLine(const QString &name, const core::Parameter &whole) {
    if (!whole)
        return SolutionText::tr("without %1").arg(name);
    if (whole->rows() * whole->columns() > kMaxNumbersNamed)
        return SolutionText::tr("%1: change every number").arg(name);
    QStringList rows;
    bool isOne = true;
    for (core::Index row = 0; row < whole->rows(); ++row) {
        QStringList numbers;
        for (core::Index column = 0; column < whole->columns(); ++column) {
            numbers << fullText((*whole)(row, column));
            isOne = isOne && (*whole)(row, column) == (*whole)(0, 0);
        }
        rows << numbers.join(' ');
    }
    return isOne
               ? SolutionText::tr("%1: each number is %2").arg(name, fullText((*whole)(0, 0)))
               : SolutionText::tr("%1, row by row: %2").arg(name, rows.join(QStringLiteral("; ")));
}

QString lineOf(const core::ParameterPatch &patch, const core::Model &model) {
    const QString name = nameOf(patch.id, model);
    if (patch.cells.empty())
        return wholeLine(name, patch.whole);
    if (patch.cells.size() > kMaxCellsNamed)
        return SolutionText::tr("%1: change %2 of its numbers").arg(name).arg(patch.cells.size());
    QStringList cells;
    for (const core::ParameterPatch::Cell &cell : patch.cells)
        cells << SolutionText::tr("row %1, column %2 is %3")
                     .arg(cell.row)
                     .arg(cell.column)
                     .arg(fullText(cell.value));
    return labelled(name, cells.join(QStringLiteral("; ")));
}

} // namespace

QStringList solutionLines(const core::StatePatch &solution, const core::Model &model) {
    QStringList lines;
    for (const core::ParameterPatch &patch : solution.parameters)
        lines << lineOf(patch, model);
    QStringList others;
    core::forEachField(core::kStateFields, [&](const auto &field) {
        const QString name = ui::nameOf(field.part);
        if (field.part != core::StatePart::Parameters && isSet(solution, field) &&
            !others.contains(name))
            others << name;
    });
    if (!others.isEmpty())
        lines << enumerated(others);
    return lines;
}

} // namespace headlight::ui
