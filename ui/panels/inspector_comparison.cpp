// The inspector's section about the other side of a comparison.
#include "ui/figures/cell_place.h"
#include "ui/figures/compared.h"
#include "ui/panels/inspector_content.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::Inspector)
};

} // namespace

std::optional<InspectorSection> inspectComparison(const core::Trace &trace,
                                                  const core::Selection &selection,
                                                  const Compared &compared) {
    const std::optional<Cell> cell = cellOf(selection);
    if (compared.name.isEmpty() || !cell)
        return std::nullopt;
    InspectorSection section;
    section.heading = Words::tr("COMPARED WITH A: %1").arg(compared.name.toHtmlEscaped());
    const auto both = comparedCell(trace, selection, compared, cell->row, cell->column);
    if (!both) {
        section.words = whyNot(trace, selection, compared, Shown::Difference).toHtmlEscaped() + '.';
        return section;
    }
    section.lines << lineOf(Words::tr("now"), {}, both->now) << lineOf(Words::tr("A"), {}, both->a);
    if (both->change)
        section.lines << lineOf(Words::tr("change"), Words::tr("now − A"), *both->change, true);
    else
        section.words = Words::tr("Hidden on one side.");
    return section;
}

} // namespace headlight::ui
