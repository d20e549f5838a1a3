// Heatmaps of side A and of the difference between the two sides.
#pragma once

#include "core/analysis/difference.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

/// Like contentOf(), but for options that show A or the difference. If that is not possible, the
/// tensor is null and `absence` holds the reason.
HeatmapContent comparedContentOf(const core::TracePointer &now, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options);

/// Joins labels that differ between the two sides, the current label first: "money | river".
QStringList bothLabels(const QStringList &now, const QStringList &a);

/// Like bothLabels(), but for tokens with partners. The label of a token without a partner is "old
/// | —".
QStringList partnerLabels(const QStringList &now, const QStringList &a,
                          const core::TokenPartners &partners, std::size_t text);

/// The row and column names of the selection's stage on the shown side.
struct StageNames {
    QStringList rows, columns;
};
StageNames shownNames(const core::Trace &now, const core::Selection &selection,
                      const Compared &compared, core::Index columns);

/// Returns a mask of the cells that are hidden on one side only. Null if there are none.
std::shared_ptr<const core::Mask> oneSided(const core::Difference &difference);

/// Returns "largest change: bank → money +0.3127 · mean |change| 0.0213". `pair` joins two labels
/// with %1 and %2.
QString changeText(const core::Difference &difference, const QString &pair, const QStringList &rows,
                   const QStringList &columns);

} // namespace headlight::ui
