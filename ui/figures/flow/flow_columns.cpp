// Places the columns: small stages above each other, and the current stage with its rows.
#include "ui/figures/base/spacing.h"
#include "ui/figures/flow/flow_layout.h"

namespace headlight::ui {

double FlowLayout::largestSmallCell() const {
    const QSizeF cell = m_geometry.large.cell;
    return std::max(4.0, 0.7 * std::max(cell.width(), cell.height()));
}

void FlowLayout::placeNarrow(std::size_t column, double x) {
    const double available = matrixHeight(column);
    const auto sized = [&](const FlowSize &matrix, double width) {
        return smallSize(matrix, width, available, largestSmallCell(), m_smallest);
    };
    struct Boxes {
        QSizeF own, learned;
    };
    std::vector<Boxes> boxes;
    double height = 0, count = 0;
    for (const FlowStage &stage : columnAt(column)) {
        Boxes one{sized(sizeOf(stage), m_narrow[column]), {}};
        height += titles() + one.own.height();
        ++count;
        if (isLearned(stage)) {
            one.learned =
                sized(*stage.learned, isAtSide(stage) ? m_side[column] : m_narrow[column]);
            if (isAtSide(stage)) {
                height += std::max(0.0, one.learned.height() - one.own.height());
            } else {
                height += titles() + one.learned.height();
                ++count;
            }
        }
        boxes.push_back(one);
    }
    // Spread columns with spare space slightly, so that the arrows between them are clear.
    const double gap =
        count < 2
            ? 0
            : std::floor(std::clamp((heightOf(column) - height) / count, m_verticalGap, 64.0));
    double y = topOf(column) + std::max(0.0, (heightOf(column) - height - (count - 1) * gap) / 2);
    const double right = hasSide(column) ? x + m_side[column] + kSignGap : x;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const FlowStage &stage = columnAt(column)[i];
        double bottom = y;
        const bool learned = isLearned(stage);
        // Align a stage without a parameter matrix with the parameter matrices of the others.
        const double left = m_isSideways[column] && !learned ? x : right;
        if (learned && isAtSide(stage)) {
            m_geometry.learned.push_back(words().boxBeneath(
                stage.at, *stage.learned, {x, std::round(y)}, m_side[column], boxes[i].learned));
            bottom = m_geometry.learned.back().frame.bottom();
        } else if (learned) {
            m_geometry.learned.push_back(words().boxBeneath(stage.at, *stage.learned,
                                                            {left, std::round(y)}, m_narrow[column],
                                                            boxes[i].learned));
            y = m_geometry.learned.back().frame.bottom() + gap;
        }
        m_geometry.nodes.push_back(words().boxBeneath(
            stage.at, sizeOf(stage), {left, std::round(y)}, m_narrow[column], boxes[i].own));
        const FlowNode &node = m_geometry.nodes.back();
        if (learned && isAtSide(stage)) {
            const QRectF &matrix = m_geometry.learned.back().matrix;
            addSign(stage.at, {(matrix.right() + node.matrix.left()) / 2,
                               std::min(matrix.center().y(), node.matrix.center().y())});
        } else if (learned) {
            addSign(stage.at, {node.matrix.left() + m_narrow[column] / 2 - kSignGap / 2,
                               node.frame.top() - gap / 2 + 1});
        }
        y = std::max(bottom, node.frame.bottom()) + gap;
    }
}

void FlowLayout::placeLarge(double x) {
    const double cardHeight = m_geometry.large.used.height() + 2 * kCardPadding;
    double y =
        std::round(topOf(m_large) + std::max(0.0, (heightOf(m_large) - cardHeight - m_strips) / 2));
    for (const auto &row : m_above)
        y = std::round(placeRow(row, x, y) + gapOf(row));
    const double left = x + besideCard(), width = m_wide - besideCard();
    m_geometry.card = QRectF(left, y, width, std::ceil(cardHeight));
    const double inside = width - 2 * kCardPadding - m_geometry.large.used.width();
    m_geometry.large.moveBy(
        QPointF(left + kCardPadding + std::floor(std::max(0.0, inside) / 2), y + kCardPadding));
    m_geometry.large.setTextExtent(left + kCardPadding, left + width - kCardPadding);
    if (isBesideCard())
        placeBesideCard(x);
    y = m_geometry.card.bottom();
    for (const auto &row : m_beneath)
        y = std::round(placeRow(row, x, y + gapOf(row)));
}

} // namespace headlight::ui
