// A heatmap of side A, or of what changed between the two.
#pragma once

#include "core/analysis/difference.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// As contentOf(), for options that show A or the difference. Where that cannot be shown the
/// tensor is null and `absence` says why.
HeatmapContent comparedContentOf(const core::TracePointer &now, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options);

/// Where the two sides have different words: "money | river", now and A.
QStringList bothLabels(const QStringList &now, const QStringList &a);

/// What the rows and columns of the selection's stage are called on the side that is shown.
struct StageNames {
    QStringList rows, columns;
};
StageNames shownNames(const core::Trace &now, const core::Selection &selection,
                      const Compared &compared, core::Index columns);

/// The cells that are hidden on one side only, as a mask hides them; null: none.
std::shared_ptr<const core::Mask> oneSided(const core::Difference &difference);

/// "largest change: bank → money +0.3127 · mean |change| 0.0213". `pair`: of two labels, with %1
/// and %2.
QString changeWords(const core::Difference &difference, const QString &pair,
                    const QStringList &rows, const QStringList &columns);

} // namespace headlight::ui
