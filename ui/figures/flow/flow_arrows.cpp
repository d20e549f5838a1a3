#include "ui/figures/flow/flow_arrows.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Stage;
using core::StageId;
constexpr double kDistance = 5; // between the ends of an arrow and the matrices

class Arrows {
  public:
    Arrows(const FlowGeometry &geometry, const FlowRequest &request, const FlowColumns &columns,
           double over, double under)
        : m_geometry(geometry),
          m_request(request),
          m_columns(columns),
          m_over(over),
          m_under(under) {}

    std::vector<FlowArrow> run() {
        for (const FlowLink &link : m_request.links)
            if (link.route == FlowRoute::Under)
                m_bottomEntry = entersFromBeneath(link.to);
        for (const FlowLink &link : m_request.links) {
            if (link.route == FlowRoute::Over)
                past(link, (m_over += kFlowLane) - kFlowLane / 2);
            else if (link.route == FlowRoute::Under)
                past(link, m_under);
            else if (columnOf(link.from) == columnOf(link.to))
                down(link);
            else
                across(link);
        }
        return std::move(m_arrows);
    }

  private:
    std::size_t columnOf(StageId at) const {
        return std::ranges::find(m_request.stages, at, &FlowStage::at)->column;
    }
    /// Returns the start or target of an arrow: the small matrix or the card.
    QRectF box(StageId at) const {
        const FlowNode *node = m_geometry.node(at);
        return node ? node->matrix : m_geometry.card;
    }
    /// Returns the parameter matrix that produces the stage, which is the arrow's target if it is
    /// shown.
    const FlowNode *entered(StageId at) const { return m_geometry.learnedOf(at); }
    QRectF entry(StageId at) const { return entered(at) ? entered(at)->matrix : box(at); }
    QRectF entryFrame(StageId at) const { return entered(at) ? entered(at)->frame : frame(at); }
    /// As box(), with the title above it.
    QRectF frame(StageId at) const {
        const FlowNode *node = m_geometry.node(at);
        return node ? node->frame : m_geometry.card;
    }
    /// Returns the right end of the matrix, or of a title beside it.
    double rightOf(StageId at) const {
        const FlowNode *node = m_geometry.node(at);
        return node && node->beside ? node->frame.right() : box(at).right();
    }
    static double at(const QRectF &rect, double share) {
        return std::round(rect.top() + rect.height() * share);
    }
    /// Returns a stage of the same column at its left or right.
    const FlowNode *neighbour(StageId of, bool onTheLeft) const {
        const FlowNode *self = m_geometry.node(of);
        if (!self)
            return nullptr;
        for (const FlowNode &node : m_geometry.nodes)
            if (columnOf(node.at) == columnOf(of) && node.frame.top() < self->frame.bottom() &&
                node.frame.bottom() > self->frame.top() &&
                (onTheLeft ? node.frame.right() < self->frame.left()
                           : node.frame.left() > self->frame.right()))
                return &node;
        return nullptr;
    }

    void add(const FlowLink &link, QPainterPath path, double angle) {
        const QPointF tip = path.currentPosition();
        m_arrows.push_back({link.from, link.to, std::move(path), tip, angle});
    }

    static void curve(QPainterPath &path, QPointF to) {
        const QPointF from = path.currentPosition();
        const double middle = (from.x() + to.x()) / 2;
        path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
    }

    /// Connects two columns. The path bends only between columns, so it does not cross their
    /// content.
    void across(const FlowLink &link) {
        QPainterPath path(QPointF(rightOf(link.from) + kDistance, at(box(link.from), link.leave)));
        const double edge = m_columns[columnOf(link.from)].right;
        if (edge > path.currentPosition().x())
            path.lineTo(edge, path.currentPosition().y());
        arrive(link, path);
    }

    /// Adds the last segment, from the gap between columns to the stage.
    void arrive(const FlowLink &link, QPainterPath &path) {
        const QRectF target = entry(link.to);
        const double left = m_columns[columnOf(link.to)].left;
        if (neighbour(link.to, true)) // another stage is in between: arrive from below
            return arriveFromBeneath(link, path, left, frame(link.to).bottom() + 7);
        const QPointF tip(target.left() - kDistance, at(target, link.arrive));
        curve(path, {left - kDistance, tip.y()});
        if (tip.x() > path.currentPosition().x() + 0.5)
            path.lineTo(tip);
        add(link, path, 0);
    }

    void arriveFromBeneath(const FlowLink &link, QPainterPath &path, double left, double y) {
        const QRectF target = box(link.to);
        const double x = std::round(target.left() + target.width() * 0.3);
        curve(path, {left, y});
        path.lineTo(x - 6, y);
        path.quadTo({x, y}, {x, y - 5});
        path.lineTo(x, target.bottom() + 3);
        add(link, path, -90);
    }

    /// Connects stages of one column, which are above each other or side by side.
    void down(const FlowLink &link) {
        const QRectF source = box(link.from);
        const QRectF target = entry(link.to);
        if (entryFrame(link.to).top() < source.bottom()) {
            const double y = std::round(std::min(source.center().y(), target.center().y()));
            QPainterPath path(QPointF(rightOf(link.from) + kDistance, y));
            path.lineTo(target.left() - kDistance, y);
            add(link, path, 0);
            if (entered(link.to) && frame(link.to).top() > target.bottom())
                drop(link, target, box(link.to), frame(link.to).top()); // end of the row
            return;
        }
        // Starts at the middle of the smaller one, whose width is inside the other's.
        drop(link, source, target, entryFrame(link.to).top(),
             link.from.stage == Stage::Context && m_bottomEntry ? 0.7 : 0.5);
    }
    void drop(const FlowLink &link, const QRectF &source, const QRectF &target, double top,
              double share = 0.5) {
        const QRectF &smaller = source.width() < target.width() ? source : target;
        const double x = std::round(smaller.left() + smaller.width() * share);
        QPainterPath path(QPointF(x, source.bottom() + 3));
        path.lineTo(x, top - 2);
        add(link, path, 90);
    }

    /// True if the attention weights are beside the context and block the direct path of the
    /// values.
    bool entersFromBeneath(StageId to) const {
        for (const FlowNode &node : m_geometry.nodes)
            if (node.at.stage == Stage::AttentionWeights)
                return m_geometry.node(to) && node.frame.top() < box(to).bottom() &&
                       node.matrix.right() < box(to).left();
        return false;
    }

    /// Routes above or below the columns in between: values past the scores, or a block's input
    /// past the block.
    void past(const FlowLink &link, double lane) {
        const std::size_t from = columnOf(link.from);
        std::size_t first = from + 1, last = columnOf(link.to);
        while (first < last && m_columns[first].right == 0)
            ++first;
        do
            --last;
        while (last > first && m_columns[last].right == 0);
        QPainterPath path(QPointF(rightOf(link.from) + kDistance, at(box(link.from), link.leave)));
        const FlowNode *beside = neighbour(link.from, false);
        if (beside) { // up through the gap between them
            const double x = path.currentPosition().x() + 6;
            const double y = m_geometry.card.bottom() < frame(link.from).top()
                                 ? frame(link.from).top() - 7
                                 : lane; // or between the card and the row below it
            path.quadTo({x, path.currentPosition().y()}, {x, path.currentPosition().y() - 5});
            path.lineTo(x, y + 5);
            path.quadTo({x, y}, {x + 5, y});
            path.lineTo(m_columns[from].right, y);
        } else if (m_columns[from].right > path.currentPosition().x()) {
            path.lineTo(m_columns[from].right, path.currentPosition().y());
        }
        curve(path, {m_columns[first].left, lane});
        path.lineTo(m_columns[last].right, lane);
        if (!m_bottomEntry || link.route == FlowRoute::Over)
            return arrive(link, path);
        // The attention weights are in between: go along the gap below them and up.
        double bottom = box(link.to).bottom();
        for (const FlowNode &node : m_geometry.nodes)
            if (node.at.stage == Stage::AttentionWeights)
                bottom = std::max(bottom, node.frame.bottom());
        arriveFromBeneath(link, path, m_columns[columnOf(link.to)].left, bottom + 11);
    }

    const FlowGeometry &m_geometry;
    const FlowRequest &m_request;
    const FlowColumns &m_columns;
    double m_over, m_under;
    bool m_bottomEntry = false;
    std::vector<FlowArrow> m_arrows;
};

} // namespace

std::vector<FlowArrow> flowArrows(const FlowGeometry &geometry, const FlowRequest &request,
                                  const FlowColumns &columns, double over, double under) {
    return Arrows(geometry, request, columns, over, under).run();
}

} // namespace headlight::ui
