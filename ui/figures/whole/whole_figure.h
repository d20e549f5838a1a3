// The map of the computation: every stage of one part of the model as a matrix, all at the same
// scale. The parameter matrices are between the stages that they connect. Arrows lead from each
// stage to the stages computed from it.
#pragma once

#include "ui/figures/arithmetic/arithmetic_strip.h"
#include "ui/figures/heatmap/heatmap_figure.h"
#include "ui/figures/heatmap/parameter_heatmap.h"
#include "ui/figures/text/text.h"
#include "ui/figures/whole/whole_geometry.h"

namespace headlight::ui {

class WholeFigure : public Figure {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WholeFigure)

  public:
    /// Shows the part of the model that contains the selection's stage. For side A, shows the map
    /// of A.
    static WholeFigure fromTrace(const core::TracePointer &now, const core::Selection &selection,
                                 const FigureStyle &style, const FigureOptions &options = {},
                                 HeatmapCache *kept = nullptr);

    /// Returns the selection, moved to the stage that the figure shows for it: ModelParts::shown().
    static core::Selection shown(const core::Trace &trace, const core::Selection &selection);

    struct Places {
        WholeGeometry map;
        QRectF note;  ///< the compared numbers of the current stage, if any
        QRectF strip; ///< the gradient's arithmetic; empty without gradients
    };
    Places places(const QRectF &area) const;

    QSizeF naturalSize() const override;
    QSizeF minimumSize() const override;
    QSizeF readableSize(const QSizeF &sight) const override;
    void paint(QPainter &painter, const QRectF &area, Device device) const override;
    qint64 cellCount() const override;
    QString description() const override;

    /// Returns the outlined stage.
    core::StageId stage() const { return m_stage; }
    bool goesBack() const { return m_goesBack; }
    const ArithmeticStrip &strip() const { return m_strip; }
    const WholeGraph &graph() const { return m_request.graph; }
    /// Returns the content of a stage, or null if the stage is not on the map.
    const HeatmapContent *contentAt(core::StageId at) const &;
    const HeatmapContent *contentAt(core::StageId at) const && = delete; // would dangle
    /// Returns the parameter matrix that produces the stage. Null if there is none or if it is
    /// hidden.
    const ParameterHeatmap *learnedOf(core::StageId at) const &;
    const ParameterHeatmap *learnedOf(core::StageId at) const && = delete;

  private:
    struct Part {
        core::StageId at{core::Stage::AttentionWeights, {}};
        bool isLater = false; ///< computed after the current stage
        QString symbol;
        QString name;
        HeatmapContent content;
        std::optional<ParameterHeatmap> learned;
        core::Index rows = 0, columns = 0; ///< the stage's size, even if the content is empty
        core::Index sheets = 1; ///< number of these matrices: heads, or sequences of a batch
        QString shapeText;
        QString place; ///< " · head 0 of 2"; empty if there is only one of these matrices

        Spans title(WholeTitle which, const FigureStyle &style) const;
        /// Returns the second line of the title. Empty if the title has one line.
        QString secondLine(WholeTitle which) const;
    };
    static WholeFigure made(const core::TracePointer &trace, const core::Selection &selection,
                            const FigureStyle &style, const FigureOptions &options,
                            HeatmapCache *kept);
    WholeFigure(std::vector<Part> parts, WholeGraph graph, core::StageId stage, FigureStyle style);
    const Part *part(core::StageId at) const &;
    /// Returns why the current stage has no numbers. Empty if it has some.
    QString absence() const;
    WholeRequest measured(WholeGraph graph) const;
    void paintNode(QPainter &painter, const WholeNode &node, const Part &part, WholeTitle title,
                   Device device) const;
    void paintWeights(QPainter &painter, const WholeNode &node, const Part &part, WholeTitle title,
                      Device device) const;
    void paintMatrix(QPainter &painter, const WholeNode &node, const HeatmapContent &content,
                     bool isLater, Device device) const;
    void paintTitle(QPainter &painter, const WholeNode &node, const Spans &first,
                    const QString &second) const;
    void paintArrow(QPainter &painter, const WholeArrow &arrow) const;

    std::vector<Part> m_parts; ///< in the graph's order
    core::StageId m_stage;
    bool m_goesBack = false; ///< shows gradients; arrows lead from stages to operands
    ArithmeticStrip m_strip;
    QString m_title;
    QString m_note;
    FigureStyle m_style;
    WholeRequest m_request; ///< everything except the area
};

} // namespace headlight::ui
