#include "ui/figures/flow_arrows.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Stage;
constexpr double kDistance = 5; // between an arrow's ends and the matrices

class Arrows {
  public:
    Arrows(const FlowGeometry &geometry, const std::vector<FlowStage> &stages,
           const FlowColumns &columns, double lane)
        : m_geometry(geometry), m_stages(stages), m_columns(columns), m_lane(lane) {}

    std::vector<FlowArrow> run() {
        Stage input = Stage::Embeddings;
        for (const FlowStage &stage : m_stages)
            if (stage.stage < Stage::Query)
                input = stage.stage;
        down(Stage::Embeddings, Stage::EmbeddingSum);
        across(input, 0, 0.3, Stage::Query, 1, 0.5);
        across(input, 0, 0.5, Stage::Key, 1, 0.5);
        across(input, 0, 0.7, Stage::Value, 1, 0.5);
        across(Stage::Query, 1, 0.5, Stage::Scores, 2, 0.35);
        across(Stage::Key, 1, 0.5, Stage::Scores, 2, 0.65);
        down(Stage::Scores, Stage::ScaledScores);
        down(Stage::ScaledScores, Stage::MaskedScores);
        down(Stage::ScaledScores, Stage::UnmaskedWeights);
        for (const Stage last : {Stage::MaskedScores, Stage::UnmaskedWeights})
            across(last, 2, 0.5, Stage::Weights, 3, 0.5);
        down(Stage::Weights, Stage::Context);
        pastTheScores();
        down(Stage::Context, Stage::Concatenated);
        down(Stage::Concatenated, Stage::Output);
        return std::move(m_arrows);
    }

  private:
    bool has(Stage stage) const {
        return std::any_of(m_stages.begin(), m_stages.end(),
                           [stage](const FlowStage &one) { return one.stage == stage; });
    }
    /// What an arrow leaves from and points to: the small matrix or the card.
    QRectF box(Stage stage) const {
        const FlowNode *node = m_geometry.node(stage);
        return node ? node->matrix : m_geometry.card;
    }
    /// The same with the title above it.
    QRectF frame(Stage stage) const {
        const FlowNode *node = m_geometry.node(stage);
        return node ? node->frame : m_geometry.card;
    }
    /// Past the title, where that stands beside the matrix.
    double rightOf(Stage stage) const {
        const FlowNode *node = m_geometry.node(stage);
        return node && node->beside ? node->frame.right() : box(stage).right();
    }
    static double at(const QRectF &rect, double share) {
        return std::round(rect.top() + rect.height() * share);
    }

    void add(Stage from, Stage to, QPainterPath path, double angle) {
        const QPointF tip = path.currentPosition();
        m_arrows.push_back({from, to, std::move(path), tip, angle});
    }

    static void curve(QPainterPath &path, QPointF to) {
        const QPointF from = path.currentPosition();
        const double middle = (from.x() + to.x()) / 2;
        path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
    }

    /// From a column to the next: it bends only between them, so it never crosses what else they
    /// hold.
    void across(Stage from, std::size_t fromColumn, double leave, Stage to, std::size_t toColumn,
                double arrive) {
        if (!has(from) || !has(to))
            return;
        QPainterPath path(QPointF(rightOf(from) + kDistance, at(box(from), leave)));
        const double edge = m_columns[fromColumn].right;
        if (edge > path.currentPosition().x())
            path.lineTo(edge, path.currentPosition().y());
        const QPointF tip(box(to).left() - kDistance, at(box(to), arrive));
        curve(path, {m_columns[toColumn].left - kDistance, tip.y()});
        if (tip.x() > path.currentPosition().x() + 0.5)
            path.lineTo(tip);
        add(from, to, path, 0);
    }

    /// Within a column: beneath each other, or side by side in a row.
    void down(Stage from, Stage to) {
        if (!has(from) || !has(to))
            return;
        const QRectF source = box(from);
        const QRectF target = box(to);
        if (frame(to).top() < source.bottom()) {
            const double y = std::round(std::min(source.center().y(), target.center().y()));
            QPainterPath path(QPointF(rightOf(from) + kDistance, y));
            path.lineTo(target.left() - kDistance, y);
            add(from, to, path, 0);
            return;
        }
        // Over the middle of the smaller one, which lies within the other's width.
        const QRectF &smaller = source.width() < target.width() ? source : target;
        const double share = from == Stage::Context && m_bottomEntry ? 0.7 : 0.5;
        const double x = std::round(smaller.left() + smaller.width() * share);
        QPainterPath path(QPointF(x, source.bottom() + 3));
        path.lineTo(x, frame(to).top() - 2);
        add(from, to, path, 90);
    }

    /// The values go beneath the scores to the context.
    void pastTheScores() {
        const Stage from = Stage::Value;
        const Stage to = Stage::Context;
        if (!has(from) || !has(to))
            return;
        const QRectF target = box(to);
        const FlowNode *weights = m_geometry.node(Stage::Weights);
        m_bottomEntry = weights && m_geometry.node(to) && weights->frame.top() < target.bottom() &&
                        weights->matrix.right() < target.left();
        QPainterPath path(QPointF(rightOf(from) + kDistance, at(box(from), 0.5)));
        if (m_columns[1].right > path.currentPosition().x())
            path.lineTo(m_columns[1].right, path.currentPosition().y());
        curve(path, {m_columns[2].left, m_lane});
        path.lineTo(m_columns[2].right, m_lane);
        if (!m_bottomEntry) {
            const QPointF tip(target.left() - kDistance, at(target, 0.65));
            curve(path, {m_columns[3].left - kDistance, tip.y()});
            if (tip.x() > path.currentPosition().x() + 0.5)
                path.lineTo(tip);
            add(from, to, path, 0);
            return;
        }
        // The weights stand in the way: along the gap beneath them, and up.
        const double bottom = std::max(target.bottom(), weights->matrix.bottom());
        const double y = bottom + 11;
        const double x = std::round(target.left() + target.width() * 0.3);
        curve(path, {m_columns[3].left, y});
        path.lineTo(x - 6, y);
        path.quadTo({x, y}, {x, y - 5});
        path.lineTo(x, target.bottom() + 3);
        add(from, to, path, -90);
    }

    const FlowGeometry &m_geometry;
    const std::vector<FlowStage> &m_stages;
    const FlowColumns &m_columns;
    double m_lane;
    bool m_bottomEntry = false;
    std::vector<FlowArrow> m_arrows;
};

} // namespace

std::vector<FlowArrow> flowArrows(const FlowGeometry &geometry,
                                  const std::vector<FlowStage> &stages, const FlowColumns &columns,
                                  double lane) {
    return Arrows(geometry, stages, columns, lane).run();
}

} // namespace headlight::ui
