// Marks in the map: the rows, columns and cells that the selected number was
// computed from.
#pragma once

#include "core/explain/sources.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

class SourceMarks {
  public:
    /// `trace` and `style` must outlive this object. The trace must have the selection's stage.
    SourceMarks(const core::Trace &trace, const core::Selection &selection,
                const FigureStyle &style);

    /// Marks the number's operands in the stage's colour, and the operands' own operands as thin
    /// muted lines. Empty if the number does not depend on the stage or head, or if no row is
    /// selected.
    std::vector<HeatmapMark> marksAt(core::StageId at) const;
    /// Marks the column of the parameter matrix if exactly one of its columns contributed to the
    /// selected number. The mark has the stage's colour at the selected stage, and is thin and
    /// muted at earlier stages.
    std::optional<HeatmapMark> learnedMarkAt(core::StageId at) const;

  private:
    using Regions = std::vector<core::Region>;
    /// Returns the regions of the stage in the visible head.
    Regions at(core::StageId at, const Regions &regions) const;

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    const FigureStyle &m_style;
    std::optional<core::Region> m_selected;
    Regions m_direct, m_ancestors;
};

} // namespace headlight::ui
