// Layout of the stages and the arrows between them, without painting.
#pragma once

#include "ui/figures/flow/flow_diagram.h"
#include "ui/figures/flow/flow_map_geometry.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QPainterPath>

#include <vector>

namespace headlight::ui {

/// The size of a matrix and of its text.
struct FlowSize {
    core::Index rows = 0;
    core::Index columns = 0;
    double titleWidth = 0;
    double shapeWidth = 0;     ///< width of "6 × 8"
    double longShapeWidth = 0; ///< width of the long form, "6 × 8 · head 0 of 2"
    double symbolWidth = 0;    ///< width of the symbol alone
};

/// A stage of the diagram.
struct FlowStage {
    core::StageId at;
    std::size_t column = 0;
    bool parallel = false;
    core::Index rows = 0;
    core::Index columns = 0;
    double titleWidth = 0; ///< width of symbol and name
    /// The parameter matrix that produces the stage, shown before it if there is space.
    std::optional<FlowSize> learned{};
    double shapeWidth = 0;
    double longShapeWidth = 0;
    double symbolWidth = 0;
};

struct FlowRequest {
    QRectF area;
    std::vector<FlowStage> stages;                            ///< top to bottom within a column
    std::vector<FlowLink> links;                              ///< between the stages
    core::StageId current{core::Stage::AttentionWeights, {}}; ///< the enlarged stage
    double titleHeight = 18;                                  ///< height of a stage's symbol
    double lineHeight = 14;                                   ///< height of a stage's shape text
    double formulaHeight = 36;
    double textScale = 1;
    HeatmapRequest large; ///< layout of the current stage; its area is set here
    QSizeF sight{};       ///< visible px of a scrolling diagram; empty: everything
};

/// Returns the smallest size, at least the request's, at which all parameter matrices are shown and
/// no matrix is smaller than kWellSeen. Enlarged text must show every number and word that `usual`
/// shows with text at its usual size.
QSizeF readableArea(const FlowRequest &request, FlowRequest usual);

/// A small stage, or the parameter matrix that produces one.
struct FlowNode {
    core::StageId at{core::Stage::AttentionWeights, {}};
    QRectF frame;    ///< whole node
    QRectF title;    ///< symbol
    QRectF subtitle; ///< name and shape; on the title's line if there is little height
    QRectF matrix;
    core::Index rows = 0;
    core::Index columns = 0;
    bool beside = false;  ///< title and subtitle are at the right of the matrix
    bool compact = false; ///< title and subtitle share a line

    /// Returns the layout of the cells.
    HeatmapGeometry cells() const;
};

/// The "=" between a parameter matrix and its product.
struct FlowOperator {
    core::StageId at;
    QPointF centre;
};

/// The stack behind a matrix: those of other heads or of other sequences of the batch.
struct FlowStack {
    core::StageId at;
    QRectF front;
    std::vector<QRectF> behind; ///< farthest last
    /// True if the point is on or near the edges behind the front matrix.
    bool isAt(QPointF point) const;
};

struct FlowArrow {
    core::StageId from;
    core::StageId to;
    QPainterPath path;
    QPointF tip;
    double angle = 0; ///< degrees, clockwise from pointing right
};

/// Height in px of an arrow above the columns.
inline constexpr double kFlowLane = 14;
/// Smallest side in px of a small matrix, if the figure has enough space.
inline constexpr double kWellSeen = 60;

/// Smallest width in px of a small matrix, and of the space beside it, for this number of columns.
double flowColumnWidth(double columns, double titleHeight);
double flowColumnGap(double columns);

struct FlowGeometry {
    static FlowGeometry of(const FlowRequest &request);

    QRectF area;
    core::StageId current{core::Stage::AttentionWeights, {}};
    std::vector<FlowNode> nodes;   ///< all except the current one
    std::vector<FlowNode> learned; ///< parameter matrices; `at` is the stage that each produces
    std::vector<FlowOperator> signs;
    QRectF card;           ///< card of the current stage
    HeatmapGeometry large; ///< inside the card
    std::vector<FlowArrow> arrows;
    std::vector<FlowStack> stacks;
    QRectF formula;
    FlowMapGeometry map; ///< map of the model's parts; empty if there is only one
    /// The expanded arithmetic, and the matrices above it: those of the nodes, then the parameter
    /// matrix.
    QRectF arithmetic;
    std::vector<HeatmapGeometry> opened;
    QRectF sight;  ///< visible part of the diagram; all of it without scrolling
    QSizeF beyond; ///< px by which the diagram exceeds the visible part

    /// Moves the diagram. The map and the formula stay.
    void moveDiagram(QPointF offset);

    const FlowNode *node(core::StageId at) const &;
    const FlowNode *node(core::StageId at) const && = delete; // would dangle
    /// Returns the parameter matrix that produces the stage; null if it is not shown.
    const FlowNode *learnedOf(core::StageId at) const &;
    const FlowNode *learnedOf(core::StageId at) const && = delete;
    /// Returns the parameter matrix whose cells or title contain the point.
    const FlowNode *learnedAt(QPointF point) const &;
    const FlowNode *learnedAt(QPointF point) const && = delete;
    /// Returns the stack whose back sheets are under the point; null if there is none.
    const FlowStack *stackAt(QPointF point) const &;
    const FlowStack *stackAt(QPointF point) const && = delete;
    /// Returns the stage whose card or small matrix is under the point.
    std::optional<core::StageId> stageAt(QPointF point) const;
    /// Returns the cell of the stage at the point.
    std::optional<Cell> cellAt(QPointF point) const;
};

} // namespace headlight::ui
