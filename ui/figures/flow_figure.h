// The whole computation of one head as matrices joined by arrows, the current stage large, its
// formula beneath.
#pragma once

#include "ui/figures/flow_geometry.h"
#include "ui/figures/flow_strip.h"
#include "ui/figures/heatmap_figure.h"
#include "ui/figures/text.h"

namespace headlight::ui {

/// What part of the figure is in sight on the screen. As it is by default, a file shows it.
struct FlowViewport {
    double zoom = 1;              ///< of the diagram; at least 1
    QPointF pan;                  ///< px that the diagram has gone to the left and up
    std::optional<Cell> origin;   ///< of a matrix too large to be shown whole
    std::optional<double> scroll; ///< px that the numbers have gone to the left; none: as in a file
};

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
    QSizeF minimumSize() const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    void paintIn(QPainter &painter, const QRectF &area, Device device,
                 const FlowViewport &viewport) const;
    FlowGeometry geometry(const QRectF &area, const FlowViewport &viewport = {}) const;
    const HeatmapFigure &current() const { return m_current; }
    const FlowStrip &strip() const { return m_strip; }
    core::Stage stage() const { return m_stage; }

  private:
    struct Part {
        core::Stage stage;
        QString symbol;
        QString name;
        HeatmapContent content;
        core::Shape shape; ///< now, for where the content is missing

        core::Index rows() const { return matrixSize(content.matrix().rows, 1); }
        core::Index columns() const { return matrixSize(content.matrix().columns, 0); }

      private:
        core::Index matrixSize(core::Index shown, std::size_t fromEnd) const {
            return shown > 0 ? shown : shape.last(fromEnd);
        }
    };
    FlowFigure(std::vector<Part> parts, core::Stage stage, HeatmapFigure current, FlowStrip strip,
               FigureStyle style);
    void paintNode(QPainter &painter, const FlowNode &node, const Part &part, Device device) const;
    void paintArrow(QPainter &painter, const FlowArrow &arrow) const;
    /// The symbol in its colour and, muted, its name or shape.
    Spans titleOfNode(const Part &part, const QString &rest) const;
    bool isLater(core::Stage stage) const;

    std::vector<Part> m_parts;
    core::Stage m_stage;
    HeatmapFigure m_current;
    FlowStrip m_strip;
    FigureStyle m_style;
};

} // namespace headlight::ui
