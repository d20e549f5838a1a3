// Selects the parameter matrices shown in the flow, and places them beside or above their products.
#include "ui/figures/flow/flow_layout.h"

namespace headlight::ui {

bool FlowLayout::isLearned(const FlowStage &stage) const {
    return stage.learned && m_showsLearned[stage.column];
}

bool FlowLayout::hasSide(std::size_t column) const {
    return std::ranges::any_of(columnAt(column), [this](const FlowStage &stage) {
        return isLearned(stage) && isAtSide(stage);
    });
}

double FlowLayout::learnedAbove(std::size_t column) const {
    return static_cast<double>(
        std::ranges::count_if(columnAt(column), [this](const FlowStage &stage) {
            return isLearned(stage) && !isAtSide(stage);
        }));
}

bool FlowLayout::isBesideCard() const {
    return isLearned(currentStage()) && (isAtSide(currentStage()) || m_above.empty());
}

bool FlowLayout::isAboutLearned() const {
    const std::vector<FlowStage> &column = columnAt(m_large);
    const auto current = std::ranges::find(column, m_request.current, &FlowStage::at);
    const auto next = std::next(current);
    return current->learned || (next != column.end() && next->learned && !isAtSide(*next));
}

bool FlowLayout::hasLearnedAtSide(std::size_t column) const {
    return std::ranges::any_of(columnAt(column), [this](const FlowStage &stage) {
        return stage.learned && isAtSide(stage);
    });
}

bool FlowLayout::hasRoom() {
    return arrangeRows() <= room() + 0.5 && room() - besideCard() >= 240 * m_request.textScale;
}

void FlowLayout::chooseLearned() {
    if (m_keepsMatrices)
        return;
    const auto fits = [&](bool inLarge, bool inOthers) {
        m_showsLearned[m_large] = inLarge;
        for (std::size_t column = 0; column < kFlowColumns; ++column)
            if (column != m_large && hasLearnedAtSide(column))
                m_showsLearned[column] = inOthers;
        return hasRoom();
    };
    const bool large = isAboutLearned();
    if (!fits(true, true) && !fits(large, !large) && !fits(!large, large))
        fits(false, false);
}

void FlowLayout::placeBesideCard(double x) {
    const QRectF &card = m_geometry.card;
    const FlowSize &of = *currentStage().learned;
    const QSizeF size =
        smallSize(of, m_side[m_large], card.height() - titles(), largestSmallCell(), m_smallest);
    const double top = std::round(card.center().y() - (size.height() + titles()) / 2);
    m_geometry.learned.push_back(
        words().boxBeneath(m_request.current, of, {x, top}, m_side[m_large], size));
    addSign(m_request.current,
            {card.left() - kSignGap / 2, m_geometry.learned.back().matrix.center().y()});
}

} // namespace headlight::ui
