// Layout of the map of the computation: all stages at the same scale, in columns, connected by
// arrows. Tries several arrangements at the largest scale that fits, and keeps the best one.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/figures/whole/whole_graph.h"

#include <QPainterPath>

namespace headlight::ui {

/// The visible part of a title, from the shortest form to the complete title.
enum class WholeTitle { Symbol, SymbolAndShape, NameAndShape };
inline constexpr std::size_t kWholeTitles = 3;

/// The size of a matrix, and of its title in each form.
struct WholeMatrix {
    core::Index rows = 0;
    core::Index columns = 0;
    std::array<double, kWholeTitles> titles{}; ///< widths in px
    double besideWidth = 0; ///< px, column beside the cells, including its gap; 0: none
    QSizeF besideLabel{};   ///< px, the text below that column
};

struct WholeRequest {
    QRectF area;
    WholeGraph graph;
    std::vector<WholeMatrix> matrices;               ///< one for each stage of the graph
    std::vector<std::optional<WholeMatrix>> learned; ///< parameter matrix that produces each stage
    double titleHeight = 18;
    double lineHeight = 14; ///< height of a title's second line
    double textScale = 1;
};

/// A matrix of the map.
struct WholeNode {
    core::StageId at{core::Stage::AttentionWeights, {}};
    QRectF title;
    QRectF matrix;
    QRectF beside, besideLabel; ///< column beside the cells; empty if there is none
    core::Index rows = 0;
    core::Index columns = 0;

    QRectF frame() const { return title.united(numbers()).united(besideLabel); }
    /// Returns the rectangle of all cells.
    QRectF numbers() const { return matrix.united(beside); }
    HeatmapGeometry cells() const;
};

struct WholeArrow {
    core::StageId from, to;
    QPainterPath path;
    double angle = 0; ///< degrees, clockwise from pointing right
};

struct WholeGeometry {
    static WholeGeometry of(const WholeRequest &request);

    std::vector<WholeNode> nodes;   ///< in the graph's order
    std::vector<WholeNode> learned; ///< `at` is the stage that the matrix produces
    std::vector<QRectF> signs; ///< rectangles of "=" between a parameter matrix and its product
    std::vector<WholeArrow> arrows;
    WholeTitle title = WholeTitle::NameAndShape;
    double scale = 0;        ///< px per cell; long sides are shortened
    bool isComplete = false; ///< nothing is left out or shrunk below a readable size

    const WholeNode *node(core::StageId at) const &;
    const WholeNode *node(core::StageId at) const && = delete; // would dangle
    const WholeNode *learnedOf(core::StageId at) const &;
    const WholeNode *learnedOf(core::StageId at) const && = delete;
    /// Returns the stage at the point, by its matrix, title or parameter matrix.
    std::optional<core::StageId> stageAt(QPointF point) const;
    void moveBy(QPointF offset);
};

/// Returns the smallest size in which all symbols and minimal matrices fit.
QSizeF minimumWholeSize(const WholeRequest &request);

} // namespace headlight::ui
