// Places the rows of small stages above and below the current one.
#include "ui/figures/base/spacing.h"
#include "ui/figures/flow/flow_layout.h"

namespace headlight::ui {

namespace {

constexpr double kTightGap = 8; // without an arrow, if there is little height
constexpr double kRowGap = 26;  // between stages side by side; fits an arrow

} // namespace

void FlowLayout::splitLarge() {
    m_above.clear();
    m_beneath.clear();
    bool before = true;
    for (const FlowStage &stage : columnAt(m_large)) {
        if (stage.at == m_request.current) {
            before = false;
            continue;
        }
        auto &rows = before ? m_above : m_beneath;
        if (rows.empty() || stage.parallel)
            rows.emplace_back();
        rows.back().stages.push_back(stage);
    }
}

double FlowLayout::stripMatrixHeight() const {
    return m_isCrowded ? m_smallest : std::clamp(m_diagram.height() * 0.12, m_smallest, 84.0);
}

double FlowLayout::unitsOf(const FlowRow &row) const {
    double units = row.endsWithLearned ? 1 : 0;
    for (const FlowStage &stage : row.stages)
        units += isLearned(stage) ? 2 : 1;
    return units;
}

double FlowLayout::arrowsOf(const FlowRow &row) {
    return static_cast<double>(row.stages.size()) - (row.endsWithLearned ? 0 : 1);
}

double FlowLayout::gapsOf(const FlowRow &row) const {
    const double matrices = unitsOf(row) - (row.endsWithLearned ? 1 : 0);
    const double signs = matrices - static_cast<double>(row.stages.size());
    return arrowsOf(row) * kRowGap + signs * kSignGap;
}

double FlowLayout::minWidth(const FlowRow &row) const {
    const double one = row.beside ? 1.8 * stripMatrixHeight() + kTitleBeside + row.words
                                  : std::max(m_smallest + 4, m_keepsText ? row.words : 0);
    return unitsOf(row) * one + gapsOf(row) + (row.beside ? kRowGap : 0);
}

double FlowLayout::wordsWidth(const FlowSize &of, bool beside) const {
    if (m_compact && !beside && of.shapeWidth > 0)
        return std::ceil(of.titleWidth + FlowText::kBetween + of.shapeWidth) + 1;
    return std::ceil(std::max(of.titleWidth, of.shapeWidth)) + 1;
}

double FlowLayout::widestWords(const FlowRow &row) const {
    double widest = row.beside ? 4 * m_request.lineHeight : 0;
    const auto add = [&](const FlowSize &of) {
        widest = std::max(widest, wordsWidth(of, row.beside));
    };
    for (const FlowStage &stage : row.stages) {
        add(sizeOf(stage));
        if (isLearned(stage))
            add(*stage.learned);
    }
    if (row.endsWithLearned)
        add(*currentStage().learned);
    return widest;
}

double FlowLayout::gapOf(const FlowRow &row) const {
    return m_isTight && row.stages.front().parallel ? kTightGap : m_verticalGap;
}

double FlowLayout::heightOf(const FlowRow &row) const {
    return (row.beside ? 0 : titles()) +
           std::max(stripMatrixHeight(), row.beside ? besideHeight() : 0) + gapOf(row);
}

double FlowLayout::arrangeRows() {
    const double words = std::ranges::max(m_request.large.wordsWidths) + 2 * kCardPadding + 1;
    double least = std::min(room(), std::max(230 * m_request.textScale, words) + besideCard());
    m_strips = 0;
    for (auto *rows : {&m_above, &m_beneath})
        for (FlowRow &row : *rows) {
            row.endsWithLearned = rows == &m_above && &row == &m_above.back() &&
                                  isLearned(currentStage()) && !isBesideCard();
            row.beside = true;
            row.words = widestWords(row);
            row.beside = unitsOf(row) <= 2 && minWidth(row) <= room();
            row.words = widestWords(row);
            least = std::max(least, minWidth(row));
            m_strips += heightOf(row);
        }
    return least;
}

double FlowLayout::placeRow(const FlowRow &row, double x, double y) {
    const double text = row.beside ? kTitleBeside + row.words : 0;
    const double share = (m_wide - gapsOf(row)) / unitsOf(row) - text;
    const double most = 2.2 * stripMatrixHeight();
    const double width = std::floor(std::min(share, row.beside ? most : std::max(most, row.words)));
    // Spare width makes the arrows longer.
    const double spare = m_wide - gapsOf(row) - unitsOf(row) * (width + text);
    const double gap = kRowGap + (arrowsOf(row) > 0 ? std::floor(spare / arrowsOf(row)) : 0.0);
    double left = x, bottom = y;
    const auto add = [&](core::StageId at, const FlowSize &of, std::vector<FlowNode> &to,
                         double room) {
        const QSizeF size = smallSize(of, std::min(room, most), stripMatrixHeight(),
                                      largestSmallCell(), m_smallest);
        const double lower = std::max(0.0, besideHeight() - size.height()) / 2;
        to.push_back(row.beside
                         ? words().boxBeside(at, of, {left, y + std::round(lower)}, size, row.words)
                         : words().boxBeneath(at, of, {left, y}, room, size));
        bottom = std::max(bottom, to.back().frame.bottom());
    };
    for (const FlowStage &stage : row.stages) {
        if (isLearned(stage)) {
            // Align with the current stage's parameter matrix beside the card, below or above it.
            const bool isUnder = isBesideCard() && isAtSide(stage) && !row.beside;
            const double own = isUnder ? m_side[m_large] : width;
            add(stage.at, *stage.learned, m_geometry.learned, own);
            const FlowNode &learned = m_geometry.learned.back();
            left += own + text + kSignGap;
            const double end = row.beside ? learned.frame.right() : learned.matrix.right();
            addSign(stage.at, {(end + left) / 2, learned.matrix.center().y()});
        }
        add(stage.at, sizeOf(stage), m_geometry.nodes, width);
        left += width + text + gap;
    }
    if (row.endsWithLearned)
        add(m_request.current, *currentStage().learned, m_geometry.learned, width);
    return bottom;
}

} // namespace headlight::ui
