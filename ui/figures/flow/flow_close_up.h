// The matrices that meet in one step of the computation and the one that they make, side by side
// or those that it is made from above each other: above an opened arithmetic, and alone where the
// whole flow has no room.
#pragma once

#include "ui/figures/flow/close_up_layout.h"
#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/flow/flow_parameters.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

class FlowCloseUp {
  public:
    /// `current` is what is selected, at a stage that the trace has.
    FlowCloseUp(const core::TracePointer &trace, const core::Selection &current,
                const FigureStyle &style, const FigureOptions &options, HeatmapCache *kept);

    /// How much of the current one stands: of one that is alone, its axes and its colours as well.
    enum class Room { Shared, Alone };
    /// Adds them to a geometry. `large`: the current one, of a window onto it from `origin` on.
    void place(FlowGeometry &geometry, const QRectF &area, const HeatmapFigure &large,
               const std::optional<Cell> &origin, Room room) const;
    void paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &large,
               Device device) const;

    /// None lacks words of its title, or of its rows where they are few; alone, and where it is
    /// small, no number either.
    bool hasAllWords(const FlowGeometry &geometry, const HeatmapFigure &large, Room share) const;
    /// Of a stage that it is made from; null: it does not stand there.
    const HeatmapContent *content(core::StageId at) const &;
    const HeatmapContent *content(core::StageId at) const && = delete;
    const FlowParameters *learned() const & { return m_learned ? &*m_learned : nullptr; }
    const FlowParameters *learned() const && = delete;

  private:
    struct Source {
        core::StageId at;
        HeatmapFigure figure;
    };
    /// Of the sources, and then of the learned matrix.
    std::vector<const HeatmapFigure *> shown() const;
    /// All of them, the current one last, and what they need.
    std::vector<CloseUpMatrix> matrices(const HeatmapFigure &large, Room share) const;
    /// px of a title, of the learned matrix in its own colours.
    double titleWidth(const HeatmapFigure &figure) const;

    core::StageId m_at; ///< of the current one
    std::vector<Source> m_sources;
    std::optional<FlowParameters> m_learned;
    std::optional<HeatmapFigure> m_learnedFigure;
    QString m_sign; ///< between two that meet; empty: there is none
    FigureStyle m_style;
};

} // namespace headlight::ui
