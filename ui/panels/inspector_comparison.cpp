// Inspector section about the other side of a comparison.
#include "ui/compare/compared.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/panels/inspector_content.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct InspectorComparisonText {
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
        InspectorComparisonText::tr("COMPARED WITH A: %1").arg(compared.name.toHtmlEscaped());
    const auto both = comparedCell(trace, selection, compared, cell->row, cell->column);
    if (!both) {
        section.words = unavailableReason(trace, selection, compared, ComparisonSide::Difference)
                            .sentences()
                            .toHtmlEscaped();
        return section;
    }
    if (!both->hasPartner) {
        section.lines << lineOf(InspectorComparisonText::tr("current"), {}, both->now);
        section.words = InspectorComparisonText::tr("This number has no partner in A.");
        return section;
    }
    section.lines << lineOf(InspectorComparisonText::tr("current"), {}, both->now)
                  << lineOf(InspectorComparisonText::tr("A"), {}, both->a);
    if (both->change)
        section.lines << lineOf(InspectorComparisonText::tr("change"),
                                InspectorComparisonText::tr("current − A"), *both->change, true);
    else
        section.words = InspectorComparisonText::tr(
            "The number is hidden on one side, so there is no difference to show.");
    return section;
}

} // namespace headlight::ui
