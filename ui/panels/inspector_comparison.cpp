// Inspector section about the other side of a comparison.
#include "ui/compare/compared.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/panels/inspector_content.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct InspectorComparisonWords {
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
    section.heading =
        InspectorComparisonWords::tr("COMPARED WITH A: %1").arg(compared.name.toHtmlEscaped());
    const auto both = comparedCell(trace, selection, compared, cell->row, cell->column);
    if (!both) {
        section.words = whyNot(trace, selection, compared, ComparisonSide::Difference)
                            .sentences()
                            .toHtmlEscaped();
        return section;
    }
    section.lines << lineOf(InspectorComparisonWords::tr("now"), {}, both->now)
                  << lineOf(InspectorComparisonWords::tr("A"), {}, both->a);
    if (both->change)
        section.lines << lineOf(InspectorComparisonWords::tr("change"),
                                InspectorComparisonWords::tr("now − A"), *both->change, true);
    else
        section.words = InspectorComparisonWords::tr("Hidden on one side.");
    return section;
}

} // namespace headlight::ui
