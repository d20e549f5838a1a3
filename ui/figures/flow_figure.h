// The whole computation of one head as matrices joined by arrows, the current stage large, its
// formula beneath.
#pragma once

#include "ui/figures/flow_geometry.h"
#include "ui/figures/heatmap_figure.h"
#include "ui/figures/text.h"

namespace headlight::ui {

class FlowFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::FlowFigure)

  public:
    /// The selection's stage is the current one. A stage the model does not have stands for the one
    /// it equals: positioned for the embeddings, output for the concatenation.
    static FlowFigure fromTrace(const core::TracePointer &trace, const core::Selection &selection,
                                const FigureStyle &style, const FigureOptions &options = {});

    /// The stages that the figure shows, in the order of the computation.
    static std::vector<core::Stage> stagesOf(const core::Trace &trace, core::Index layer);
    /// The one of them that stands for `stage`.
    static core::Stage shownStage(const core::Trace &trace, core::Stage stage, core::Index layer);

    QSizeF naturalSize() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    FlowGeometry geometry(const QRectF &area) const;
    const HeatmapFigure &current() const { return m_current; }

  private:
    struct Part {
        core::Stage stage;
        QString symbol;
        QString name;
        HeatmapContent content;
    };
    FlowFigure(std::vector<Part> parts, core::Stage stage, HeatmapFigure current, Spans formula,
               FigureStyle style);
    void paintNode(QPainter &painter, const FlowNode &node, const Part &part, Device device) const;
    void paintArrow(QPainter &painter, const FlowArrow &arrow) const;
    /// The symbol in its colour and, muted, its name or shape.
    Spans titleOfNode(const Part &part, const QString &rest) const;
    bool isLater(core::Stage stage) const;

    std::vector<Part> m_parts;
    core::Stage m_stage;
    HeatmapFigure m_current;
    Spans m_formula;
    FigureStyle m_style;
};

} // namespace headlight::ui
