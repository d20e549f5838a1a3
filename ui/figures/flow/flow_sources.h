// What is outlined in the small pictures of Flow: the rows, columns and cells from which the
// selected number was made.
#pragma once

#include "core/explain/sources.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

class FlowSources {
  public:
    /// `trace` and `style` must outlive it. The selection's stage is one that the trace has.
    FlowSources(const core::Trace &trace, const core::Selection &selection,
                const FigureStyle &style);

    /// In the stage's colour what the number was made from, fainter what that was made from. None
    /// in a stage or a head that it does not depend on, or where no row is selected.
    std::vector<HeatmapMark> marksAt(core::StageId at) const;
    /// The column of the matrix that makes the stage, where just one of its columns made the
    /// selected number: in the stage's colour, or fainter where that comes earlier.
    std::optional<HeatmapMark> learnedMarkAt(core::StageId at) const;

  private:
    using Regions = std::vector<core::Region>;
    /// Those of the stage, of the head that is in sight.
    Regions at(core::StageId at, const Regions &regions) const;

    const core::Trace &m_trace;
    const core::Selection &m_selection;
    const FigureStyle &m_style;
    std::optional<core::Region> m_selected;
    Regions m_direct, m_ancestors;
};

} // namespace headlight::ui
