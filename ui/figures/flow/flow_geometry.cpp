#include "ui/figures/flow/flow_geometry.h"

#include <algorithm>

namespace headlight::ui {

double flowColumnWidth(double columns, double titleHeight) {
    return columns > 4 ? std::max(56.0, 2.7 * titleHeight) : 64;
}

double flowColumnGap(double columns) {
    return columns > 4 ? 22 : 28;
}

HeatmapGeometry FlowNode::cells() const {
    HeatmapGeometry geometry;
    geometry.area = frame;
    geometry.cells = matrix;
    geometry.rows = rows;
    geometry.columns = columns;
    geometry.cell = QSizeF(matrix.width() / static_cast<double>(std::max<core::Index>(1, columns)),
                           matrix.height() / static_cast<double>(std::max<core::Index>(1, rows)));
    return geometry;
}

std::optional<Cell> FlowGeometry::cellAt(QPointF point) const {
    if (card.contains(point))
        return large.cellAt(point);
    for (const FlowNode &one : nodes)
        if (one.matrix.contains(point))
            return one.cells().cellAt(point);
    return std::nullopt;
}

void FlowGeometry::moveDiagram(QPointF offset) {
    for (auto *list : {&nodes, &learned})
        for (FlowNode &one : *list)
            for (QRectF *rect : {&one.frame, &one.title, &one.subtitle, &one.matrix})
                rect->translate(offset);
    for (FlowOperator &sign : signs)
        sign.centre += offset;
    for (FlowStack &stack : stacks) {
        stack.front.translate(offset);
        for (QRectF &sheet : stack.behind)
            sheet.translate(offset);
    }
    card.translate(offset);
    large.moveBy(offset);
    arithmetic.translate(offset);
    for (HeatmapGeometry &one : opened)
        one.moveBy(offset);
    for (FlowArrow &arrow : arrows) {
        arrow.path.translate(offset);
        arrow.tip += offset;
    }
}

const FlowNode *FlowGeometry::node(core::StageId at) const & {
    const auto found = std::ranges::find(nodes, at, &FlowNode::at);
    return found == nodes.end() ? nullptr : &*found;
}

const FlowNode *FlowGeometry::learnedOf(core::StageId at) const & {
    const auto found = std::ranges::find(learned, at, &FlowNode::at);
    return found == learned.end() ? nullptr : &*found;
}

const FlowNode *FlowGeometry::learnedAt(QPointF point) const & {
    const auto found = std::ranges::find_if(
        learned, [point](const FlowNode &one) { return one.frame.contains(point); });
    return found == learned.end() ? nullptr : &*found;
}

bool FlowStack::isAt(QPointF point) const {
    constexpr double kAround = 3; // px, because an edge is narrow
    return !front.contains(point) && std::ranges::any_of(behind, [point](const QRectF &sheet) {
        return sheet.adjusted(0, 0, kAround, kAround).contains(point);
    });
}

const FlowStack *FlowGeometry::stackAt(QPointF point) const & {
    const auto found =
        std::ranges::find_if(stacks, [point](const FlowStack &one) { return one.isAt(point); });
    return found == stacks.end() ? nullptr : &*found;
}

std::optional<core::StageId> FlowGeometry::stageAt(QPointF point) const {
    if (card.contains(point))
        return current;
    for (const FlowNode &node : nodes)
        if (node.frame.contains(point))
            return node.at;
    return std::nullopt;
}

} // namespace headlight::ui
