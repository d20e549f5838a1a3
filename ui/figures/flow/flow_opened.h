// What stands in place of the diagram where a number's arithmetic is opened: the matrices that
// meet, the one that they make, and beneath them the arithmetic, as large as there is room.
#pragma once

#include "ui/figures/arithmetic/arithmetic_table.h"
#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/flow/flow_learned.h"
#include "ui/figures/heatmap/heatmap_figure.h"

namespace headlight::ui {

class FlowOpened {
  public:
    /// `cell` has a row and a column; its stage is one that the trace has.
    FlowOpened(const core::TracePointer &trace, const core::Selection &cell, ArithmeticTable table,
               const FigureStyle &style, const FigureOptions &options, KeptHeatmaps *kept);

    static QSizeF minimumSize(const FigureStyle &style);
    /// `current`: the matrix that has the number, of a window onto it from `origin` on. The formula
    /// stands at the bottom of the area.
    FlowGeometry geometry(const QRectF &area, double formulaHeight, const HeatmapFigure &current,
                          const std::optional<Cell> &origin) const;
    void paint(QPainter &painter, const FlowGeometry &geometry, const HeatmapFigure &current,
               Device device) const;

    const ArithmeticTable &table() const { return m_table; }
    /// Of a stage that stands above the arithmetic; null: it does not.
    const HeatmapContent *content(core::StageAt at) const &;
    const HeatmapContent *content(core::StageAt at) const && = delete;
    const FlowLearned *learned() const & { return m_learned ? &*m_learned : nullptr; }
    const FlowLearned *learned() const && = delete;

  private:
    struct Source {
        core::StageAt at;
        HeatmapFigure figure;
    };
    /// Of the sources, and then of the learned matrix.
    std::vector<const HeatmapFigure *> shown() const;

    core::StageAt m_at; ///< of the number
    std::vector<Source> m_sources;
    std::optional<FlowLearned> m_learned;
    std::optional<HeatmapFigure> m_learnedFigure;
    QString m_sign; ///< between two that meet; empty: there is none
    ArithmeticTable m_table;
    FigureStyle m_style;
};

} // namespace headlight::ui
