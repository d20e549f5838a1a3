// Where the stages of the computation are, and the arrows between them: plain numbers, no painting,
// no window.
#pragma once

#include "ui/figures/flow/flow_diagram.h"
#include "ui/figures/flow/flow_map_geometry.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <QPainterPath>

#include <vector>

namespace headlight::ui {

/// How large a matrix is, and its title.
struct FlowSize {
    core::Index rows = 0;
    core::Index columns = 0;
    double titleWidth = 0;
    double shapeWidth = 0;     ///< of "6 × 8"
    double longShapeWidth = 0; ///< of that with what it is one of: "6 × 8 · head 0 of 2"
    double symbolWidth = 0;    ///< without its name
};

/// A stage of the diagram.
struct FlowStage {
    core::StageId at;
    std::size_t column = 0;
    bool parallel = false;
    core::Index rows = 0;
    core::Index columns = 0;
    double titleWidth = 0; ///< of its symbol and name
    /// The matrix that makes it: between what it is made from and the stage, where there is room.
    std::optional<FlowSize> learned{};
    double shapeWidth = 0;
    double longShapeWidth = 0;
    double symbolWidth = 0;
};

struct FlowRequest {
    QRectF area;
    std::vector<FlowStage> stages;                            ///< of a column from top to bottom
    std::vector<FlowLink> links;                              ///< between them
    core::StageId current{core::Stage::AttentionWeights, {}}; ///< one of them: the large one
    double titleHeight = 18;                                  ///< of a stage's symbol
    double lineHeight = 14;                                   ///< of its shape
    double formulaHeight = 36;
    double textScale = 1;
    HeatmapRequest large; ///< of the current stage; its area is chosen here
    QSizeF sight{};       ///< px of a diagram that scrolls which are seen; empty: all of it
};

/// The least size from that of the request's area on at which every learned matrix stands, no
/// matrix is smaller than kWellSeen, and enlarged text takes no number and no word away that stands
/// at the usual size of text, in `usual`.
QSizeF readableArea(const FlowRequest &request, FlowRequest usual);

/// A stage that is shown small, or the learned matrix that makes one.
struct FlowNode {
    core::StageId at{core::Stage::AttentionWeights, {}};
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

/// "=" between a learned matrix and what it makes.
struct FlowOperator {
    core::StageId at;
    QPointF centre;
};

/// What stands behind a matrix: those of other heads, or of the batch's other sequences.
struct FlowStack {
    core::StageId at;
    QRectF front;
    std::vector<QRectF> behind; ///< the last one farthest back
    /// On the edge of what is behind, with a little room around it.
    bool isAt(QPointF point) const;
};

struct FlowArrow {
    core::StageId from;
    core::StageId to;
    QPainterPath path;
    QPointF tip;
    double angle = 0; ///< degrees, clockwise from pointing right
};

/// px that an arrow above everything takes.
inline constexpr double kFlowLane = 14;
/// px that a small matrix is wide and high at least, where the figure has room.
inline constexpr double kWellSeen = 60;

/// px that a small matrix and the space beside it need at least, where there are so many columns.
double flowColumnWidth(double columns, double titleHeight);
double flowColumnGap(double columns);

struct FlowGeometry {
    static FlowGeometry of(const FlowRequest &request);

    QRectF area;
    core::StageId current{core::Stage::AttentionWeights, {}};
    std::vector<FlowNode> nodes;   ///< all but the current one
    std::vector<FlowNode> learned; ///< `at` is the stage that it makes
    std::vector<FlowOperator> signs;
    QRectF card;           ///< of the current one
    HeatmapGeometry large; ///< within the card
    std::vector<FlowArrow> arrows;
    std::vector<FlowStack> stacks;
    QRectF formula;
    FlowMapGeometry map; ///< of the parts of the model; empty where there is just one
    /// Where a number's arithmetic is opened: that, and how the nodes' matrices and then the
    /// learned one stand above it.
    QRectF arithmetic;
    std::vector<HeatmapGeometry> opened;
    QRectF sight;  ///< what of the diagram is in sight: all of it where it need not scroll
    QSizeF beyond; ///< px by which the diagram is wider and higher than that

    /// The diagram elsewhere; map and formula stay.
    void moveDiagram(QPointF offset);

    const FlowNode *node(core::StageId at) const &;
    const FlowNode *node(core::StageId at) const && = delete; // it would not outlive the geometry
    /// The learned matrix that makes the stage; null where none is shown.
    const FlowNode *learnedOf(core::StageId at) const &;
    const FlowNode *learnedOf(core::StageId at) const && = delete;
    /// The one whose matrix or title is under the point.
    const FlowNode *learnedAt(QPointF point) const &;
    const FlowNode *learnedAt(QPointF point) const && = delete;
    /// The stack whose sheets behind are under the point; null: none is.
    const FlowStack *stackAt(QPointF point) const &;
    const FlowStack *stackAt(QPointF point) const && = delete;
    /// The stage whose card or small matrix is under the point.
    std::optional<core::StageId> stageAt(QPointF point) const;
    /// A cell of the stage that is there.
    std::optional<Cell> cellAt(QPointF point) const;
};

} // namespace headlight::ui
