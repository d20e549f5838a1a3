#include "ui/figures/flow/flow_boxes.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kStretch = 1.4; // of cells, because a number is wider than high

FlowNode nodeOf(core::StageId at, const FlowSize &matrix) {
    FlowNode node;
    node.at = at;
    node.rows = matrix.rows;
    node.columns = matrix.columns;
    return node;
}

} // namespace

QSizeF smallSize(const FlowSize &matrix, double width, double height, double largestCell,
                 double smallest) {
    const double aspect = std::clamp(static_cast<double>(matrix.columns) /
                                         static_cast<double>(std::max<core::Index>(1, matrix.rows)),
                                     0.6, 1.8);
    width = std::min(width, std::max(smallest, largestCell * static_cast<double>(matrix.columns)));
    height = std::min(height, std::max(smallest, largestCell * static_cast<double>(matrix.rows)));
    double w = std::min(width, height * aspect * kStretch);
    double h = std::min(height, w / aspect);
    w = std::max(w, std::min(smallest, width));
    h = std::max(h, std::min(smallest, height));
    w = std::max(w, kMinMatrix);
    h = std::max(h, kMinMatrix);
    const auto whole = [smallest](double side, core::Index count) {
        const double cells = static_cast<double>(std::max<core::Index>(1, count));
        const double rounded = std::floor(side / cells) * cells;
        return rounded >= 0.9 * side && rounded >= smallest ? rounded : std::floor(side);
    };
    return {whole(w, matrix.columns), whole(h, matrix.rows)};
}

FlowNode FlowText::boxBeneath(core::StageId at, const FlowSize &of, QPointF corner, double width,
                              const QSizeF &matrix) const {
    FlowNode node = nodeOf(at, of);
    node.compact = areCompact;
    node.title = QRectF(corner, QSizeF(width, titleHeight));
    node.subtitle =
        areCompact ? QRectF() : QRectF(node.title.bottomLeft(), QSizeF(width, lineHeight));
    node.matrix = QRectF(QPointF(corner.x(), std::round(corner.y() + height())), matrix);
    node.frame = QRectF(corner, QPointF(corner.x() + width, node.matrix.bottom()));
    return node;
}

FlowNode FlowText::boxBeside(core::StageId at, const FlowSize &of, QPointF corner,
                             const QSizeF &matrix, double width) const {
    FlowNode node = nodeOf(at, of);
    node.beside = true;
    node.matrix = QRectF(corner, matrix);
    width = std::min(width, std::max({of.titleWidth + 1, of.longShapeWidth + 1, 4 * lineHeight}));
    node.title =
        QRectF(node.matrix.right() + kTitleBeside,
               std::round(node.matrix.center().y() - besideHeight() / 2), width, titleHeight);
    node.subtitle = QRectF(node.title.bottomLeft(), QSizeF(width, lineHeight));
    node.frame = node.matrix.united(node.title).united(node.subtitle);
    return node;
}

} // namespace headlight::ui
