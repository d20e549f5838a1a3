// Widths of columns, lines of titles, and lanes of arrows that bypass columns.
#include "ui/figures/flow/flow_layout.h"
#include "ui/figures/base/spacing.h"

namespace headlight::ui {

namespace {

constexpr QSizeF kRoomy{690, 490};     // px of a figure with ample space
constexpr double kMinCardShare = 0.36; // relative to the height, for the card's cells
constexpr double kSmallGap = 17;       // between stages if there is little height
constexpr double kLane = 18;           // below the scores, for the arrow of the values
constexpr double kNumberCell = 21;     // px for a number in its short form
constexpr double kLowNumberCell = 11;
constexpr double kWidestForNumbers = 200;
constexpr double kEnoughForCard = 42; // px of its cells; beyond that the small matrices grow
constexpr double kCrowdedCell = 12;   // px; a card with smaller cells gets all available space

} // namespace

/// Reserves the lanes of arrows, chooses title lines, then column widths, and places the columns
/// from left to right. If there is not enough space, chooseWidths() shrinks the gaps first, then
/// the small columns. For FlowLayoutPriority::Card it then accepts cut titles and hides parameter
/// matrices. If the card is still too low, the rows beside it become tight.
FlowGeometry FlowLayout::run() {
    const QRectF inner =
        m_request.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    m_geometry.formula = QRectF(inner.left(), inner.bottom() - m_request.formulaHeight,
                                inner.width(), m_request.formulaHeight);
    m_diagram = QRectF(inner.left(), inner.top(), inner.width(),
                       inner.height() - m_request.formulaHeight - 12);
    m_smallest = std::clamp(std::floor(kWellSeen / m_request.textScale *
                                       std::min(m_request.area.width() / kRoomy.width(),
                                                m_request.area.height() / kRoomy.height())),
                            kMinMatrix, kWellSeen);
    if (m_keepsMatrices)
        m_smallest = kWellSeen;
    for (const FlowStage &stage : m_request.stages) {
        m_columns[stage.column].push_back(stage);
        if (stage.at == m_request.current)
            m_large = stage.column;
    }
    for (const auto &column : m_columns)
        m_count += column.empty() ? 0 : 1;
    reserveLanes();
    chooseTitles();
    chooseWidths();
    double x = m_diagram.left() + (m_diagram.width() - totalWidth()) / 2;
    for (std::size_t column = 0; column < kFlowColumns; ++column) {
        if (m_columns[column].empty())
            continue;
        const double width = widthOf(column);
        m_extent[column] = {std::round(x), std::round(x) + width};
        if (column == m_large)
            placeLarge(std::round(x));
        else
            placeNarrow(column, std::round(x));
        x += width + m_gap;
    }
    m_geometry.arrows = flowArrows(m_geometry, m_request, m_extent, m_diagram.top(),
                                   m_diagram.bottom() - kLane / 2);
    return std::move(m_geometry);
}

std::size_t FlowLayout::columnOf(core::StageId at) const {
    for (const FlowStage &stage : m_request.stages)
        if (stage.at == at)
            return stage.column;
    return 0;
}

void FlowLayout::reserveLanes() {
    double lanes = 0;
    for (const FlowLink &link : m_request.links) {
        if (link.route == FlowRoute::Direct)
            continue;
        const std::size_t from = columnOf(link.from), to = columnOf(link.to);
        const bool over = link.route == FlowRoute::Over;
        lanes += over ? kFlowLane : 0;
        // If stages are side by side, the lane begins above them.
        const std::size_t first = over && from == m_large ? from : from + 1;
        for (std::size_t column = first; column < to; ++column)
            (over ? m_over : m_under)[column] = over ? lanes : kLane;
    }
}

double FlowLayout::matrixHeight(std::size_t column) const {
    const auto count = static_cast<double>(columnAt(column).size()) + learnedAbove(column);
    return (heightOf(column) - (count - 1) * m_verticalGap) / count - titles();
}

void FlowLayout::chooseTitles() {
    m_showsLearned.fill(true);
    chooseTitleLines();
    bool changed = false;
    for (std::size_t column = 0; column < kFlowColumns; ++column)
        if (column != m_large && learnedAbove(column) > 0 && matrixHeight(column) < m_smallest)
            m_isSideways[column] = changed = true;
    if (changed)
        chooseTitleLines();
}

void FlowLayout::chooseTitleLines() {
    m_compact = false;
    m_verticalGap = kVerticalGap;
    for (std::size_t column = 0; column < kFlowColumns; ++column)
        if (!columnAt(column).empty() && matrixHeight(column) < kWellSeen)
            m_compact = true;
    if (m_diagram.height() < 400) {
        m_compact = true;
        m_verticalGap = kSmallGap;
    }
    for (std::size_t column = 0; column < kFlowColumns; ++column)
        while (!columnAt(column).empty() && matrixHeight(column) < m_smallest + 1 &&
               m_verticalGap > 14)
            m_verticalGap -= 1;
}

double FlowLayout::widthOf(std::size_t column) const {
    if (columnAt(column).empty())
        return 0;
    if (column == m_large)
        return m_wide;
    return m_narrow[column] + (hasSide(column) ? m_side[column] + kSignGap : 0);
}

double FlowLayout::totalWidth() const {
    double width = narrowColumns() * m_gap;
    for (std::size_t column = 0; column < kFlowColumns; ++column)
        width += widthOf(column);
    return width;
}

void FlowLayout::setNarrow(double width) {
    m_narrow.fill(width);
    m_side.fill(std::max(m_smallest, std::floor(0.8 * width)));
    if (!m_keepsText)
        return;
    for (const FlowStage &stage : m_request.stages) {
        double &narrow = m_narrow[stage.column];
        narrow = std::max(narrow, wordsWidth(sizeOf(stage)));
        if (isLearned(stage)) {
            const bool isSide = isAtSide(stage) || stage.column == m_large;
            double &own = isSide ? m_side[stage.column] : narrow;
            own = std::max(own, wordsWidth(*stage.learned));
        }
    }
}

void FlowLayout::placeCard() {
    HeatmapRequest large = m_request.large;
    large.maximumCell = std::max(large.maximumCell, 0.18 * m_diagram.height());
    large.area = QRectF(0, 0, room() - besideCard() - 2 * kCardPadding,
                        heightOf(m_large) - m_strips - 2 * kCardPadding);
    m_geometry.large = HeatmapGeometry::of(large);
    if (m_request.sight.isEmpty())
        return;
    // In a scrolling diagram the whole current matrix should be visible, if nothing is lost.
    const QSizeF inSight = m_request.sight - QSizeF(2 * kCardPadding, 2 * kCardPadding);
    large.area.setSize(large.area.size().boundedTo(inSight));
    const HeatmapGeometry whole = HeatmapGeometry::of(large);
    if (showsAllOf(m_geometry.large, large, whole, large))
        m_geometry.large = whole;
}

bool FlowLayout::isCardLow() const {
    const HeatmapGeometry &large = m_geometry.large;
    // A matrix of few rows may already have its largest cells, so that more height would stay
    // empty.
    const double left = large.area.height() - large.used.height();
    return left <= static_cast<double>(large.rows) &&
           large.cells.height() < kMinCardShare * m_diagram.height();
}

void FlowLayout::chooseWidths() {
    splitLarge();
    const double width = m_diagram.width();
    const bool many = m_count > 4;
    const double share = many ? 3 / narrowColumns() : 1;
    const auto columns = static_cast<double>(m_count);
    const double minColumn = std::max(flowColumnWidth(columns, m_request.titleHeight), m_smallest);
    const double minGap = flowColumnGap(columns);
    m_gap = std::clamp(width * 0.042 * share, minGap, 64.0);
    double narrow = std::clamp(width * 0.115 * share, minColumn, 150 * m_request.textScale);
    setNarrow(narrow);
    if (!hasRoom())
        m_gap = minGap;
    if (!hasRoom()) {
        narrow = std::max(flowColumnWidth(columns, m_request.titleHeight),
                          m_keepsMatrices ? m_smallest : 0);
        setNarrow(narrow);
    }
    if (!m_keepsMatrices && !hasRoom()) {
        m_keepsText = false;
        setNarrow(narrow);
    }
    chooseLearned();
    double least = arrangeRows();
    placeCard();
    if (m_strips > 0 && isCardLow()) {
        m_isTight = m_isCrowded = m_compact = true;
        setNarrow(narrow);
        least = arrangeRows();
        placeCard();
    }
    if (smallerCardSide() < kCrowdedCell) {
        m_isCrowded = true;
        m_gap = minGap;
        setNarrow(std::min(narrow, minColumn));
        least = arrangeRows();
        placeCard();
    } else {
        growForNumbers();
        least = arrangeRows();
    }
    // Space that the card does not need goes to its neighbours and the gaps.
    const double used = m_geometry.large.used.width() + 2 * kCardPadding + besideCard();
    m_wide = std::floor(std::min(room(), std::max(used, least)));
    const double others = std::max(1.0, narrowColumns());
    growNarrow((width - totalWidth()) * 0.6);
    m_gap = std::floor(m_gap + std::clamp((width - totalWidth()) / others, 0.0, 110 - m_gap));
}

void FlowLayout::growNarrow(double spare) {
    std::vector<double *> grown;
    for (std::size_t column = 0; column < kFlowColumns; ++column) {
        if (column == m_large || columnAt(column).empty())
            continue;
        grown.push_back(&m_narrow[column]);
        if (hasSide(column))
            grown.push_back(&m_side[column]);
    }
    for (double *width : grown)
        *width = std::floor(*width + std::clamp(spare / static_cast<double>(grown.size()), 0.0,
                                                std::max(0.0, 190 * m_request.textScale - *width)));
}

double FlowLayout::widthForNumbers(const FlowSize &matrix, std::size_t column) const {
    const double wanted = static_cast<double>(matrix.columns) * kNumberCell;
    const double height = matrixHeight(column) / static_cast<double>(matrix.rows);
    return wanted <= kWidestForNumbers && height >= kLowNumberCell ? wanted : 0;
}

void FlowLayout::growForNumbers() {
    const auto narrow = m_narrow, side = m_side;
    auto wantedNarrow = m_narrow, wantedSide = m_side;
    for (std::size_t column = 0; column < kFlowColumns; ++column)
        for (const FlowStage &stage : columnAt(column)) {
            double &wanted = wantedNarrow[column];
            wanted = std::max(wanted, widthForNumbers(sizeOf(stage), column));
            if (isLearned(stage))
                (isAtSide(stage) ? wantedSide[column] : wanted) =
                    std::max(isAtSide(stage) ? wantedSide[column] : wanted,
                             widthForNumbers(*stage.learned, column));
        }
    const HeatmapGeometry before = m_geometry.large;
    const double enough = std::min(before.cell.width(), kEnoughForCard * m_request.textScale);
    for (const double share : {1.0, 0.75, 0.5, 0.25}) {
        for (std::size_t column = 0; column < kFlowColumns; ++column) {
            m_narrow[column] =
                std::floor(narrow[column] + share * (wantedNarrow[column] - narrow[column]));
            m_side[column] = std::floor(side[column] + share * (wantedSide[column] - side[column]));
        }
        const double least = arrangeRows();
        if (least > room() || room() - besideCard() < 230 * m_request.textScale)
            continue;
        placeCard();
        if (m_geometry.large.cell.width() >= enough && m_geometry.large.slanted == before.slanted)
            return;
    }
    m_narrow = narrow;
    m_side = side;
    m_geometry.large = before;
    arrangeRows();
}

FlowGeometry FlowGeometry::of(const FlowRequest &request) {
    for (const FlowLayoutPriority kept :
         {FlowLayoutPriority::Everything, FlowLayoutPriority::Matrices})
        if (FlowGeometry geometry = FlowLayout(request, kept).run(); keeps(geometry, request, kept))
            return geometry;
    return FlowLayout(request, FlowLayoutPriority::Card).run();
}

} // namespace headlight::ui
