// Where the stages of the computation are, and the arrows between them: plain numbers, no painting,
// no window.
#pragma once

#include "core/transformer/stage.h"
#include "ui/figures/heatmap_geometry.h"

#include <QPainterPath>

#include <vector>

namespace headlight::ui {

/// A stage that the model has.
struct FlowStage {
    core::Stage stage;
    core::Index rows = 0;
    core::Index columns = 0;
    double titleWidth = 0; ///< of its symbol and name
};

struct FlowRequest {
    QRectF area;
    std::vector<FlowStage> stages;              ///< in the order of the computation
    core::Stage current = core::Stage::Weights; ///< one of them: the large one
    double titleHeight = 18;                    ///< of a stage's symbol
    double lineHeight = 14;                     ///< of its shape
    double formulaHeight = 36;
    double textScale = 1;
    HeatmapRequest large; ///< of the current stage; its area is chosen here
};

/// A stage that is shown small.
struct FlowNode {
    core::Stage stage = core::Stage::Weights;
    QRectF frame;    ///< all of it
    QRectF title;    ///< its symbol
    QRectF subtitle; ///< its name and shape; on the title's line where there is little height
    QRectF matrix;
    core::Index rows = 0;
    core::Index columns = 0;
    bool beside = false;  ///< both stand to the right of the matrix
    bool compact = false; ///< title and subtitle share a line

    /// Its cells.
    HeatmapGeometry cells() const;
};

struct FlowArrow {
    core::Stage from;
    core::Stage to;
    QPainterPath path;
    QPointF tip;
    double angle = 0; ///< degrees, clockwise from pointing right
};

struct FlowGeometry {
    static FlowGeometry of(const FlowRequest &request);

    QRectF area;
    core::Stage current = core::Stage::Weights;
    std::vector<FlowNode> nodes; ///< all but the current one
    QRectF card;                 ///< of the current one
    HeatmapGeometry large;       ///< within the card
    std::vector<FlowArrow> arrows;
    QRectF formula;

    /// All but the formula, elsewhere.
    void moveDiagram(QPointF offset);

    const FlowNode *node(core::Stage stage) const &;
    const FlowNode *node(core::Stage stage) const && = delete; // it would not outlive the geometry
    /// The stage whose card or small matrix is under the point.
    std::optional<core::Stage> stageAt(QPointF point) const;
    /// A cell of the stage that is there.
    std::optional<Cell> cellAt(QPointF point) const;
};

} // namespace headlight::ui
