// The operands and the result of one step of the computation, side by side or with stacked
// operands. Shown above an expanded arithmetic, or alone if the whole flow does not fit.
#pragma once

#include "ui/figures/flow/close_up_layout.h"
#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/parameter_heatmap.h"

namespace headlight::ui {

class FlowCloseUp {
  public:
    /// `current` is the selection, at a stage that the trace has.
    FlowCloseUp(const core::TracePointer &trace, const core::Selection &current,
                const FigureStyle &style, const FigureOptions &options, HeatmapCache *kept);

    /// The share of space of the current matrix. If alone, it has axes and a colour bar.
    enum class Room { Shared, Alone };
    /// Adds the matrices to a geometry. `large` is the current one, as a window from `origin` on.
    void place(FlowGeometry &geometry, const QRectF &area, const HeatmapFigure &large,
               const std::optional<Cell> &origin, Room room) const;
    void paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &large,
               Device device) const;

    /// True if no title and no row name of a small matrix is cut. Alone, small matrices must show
    /// all numbers too.
    bool hasAllWords(const FlowGeometry &geometry, const HeatmapFigure &large, Room share) const;
    /// Returns the content of an operand; null if it is not shown.
    const HeatmapContent *content(core::StageId at) const &;
    const HeatmapContent *content(core::StageId at) const && = delete;
    const ParameterHeatmap *learned() const & { return m_learned ? &*m_learned : nullptr; }
    const ParameterHeatmap *learned() const && = delete;

  private:
    struct Source {
        core::StageId at;
        HeatmapFigure figure;
    };
    /// Returns the operands, then the parameter matrix.
    std::vector<const HeatmapFigure *> shown() const;
    /// Returns all matrices, the current one last, with the space they need.
    std::vector<CloseUpMatrix> matrices(const HeatmapFigure &large, Room share) const;
    /// Returns the width in px of a title. A parameter matrix's title has its own colours.
    double titleWidth(const HeatmapFigure &figure) const;

    core::StageId m_at; ///< stage of the current matrix
    std::vector<Source> m_sources;
    std::optional<ParameterHeatmap> m_learned;
    std::optional<HeatmapFigure> m_learnedFigure;
    QString m_sign; ///< operator between two operands; empty if there is none
    FigureStyle m_style;
};

} // namespace headlight::ui
