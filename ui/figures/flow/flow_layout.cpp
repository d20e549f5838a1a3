// Where everything of a flow stands: columns from left to right, in each the stages from top to
// bottom, the current one as wide and high as there is room for.
#include "ui/figures/flow/flow_arrows.h"
#include "ui/figures/flow/flow_boxes.h"
#include "ui/figures/flow/flow_geometry.h"
#include "ui/figures/spacing.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kWellSeen = 60;         // px: nor than this, where the figure has room
constexpr QSizeF kRoomy{690, 490};       // px of a figure: from here on it has
constexpr double kVerticalGap = 24;      // between stages above each other: room for an arrow
constexpr double kTightGap = 8;          // where there is no arrow, and too little height
constexpr double kLeastCardShare = 0.36; // of the height, for the card's own cells
constexpr double kSmallGap = 17;         // the same where there is little height
constexpr double kRowGap = 26;           // between stages side by side: room for an arrow
constexpr double kLane = 18;             // beneath the scores, where the values go past them
constexpr double kSignGap = 18;          // between a learned matrix and what it makes: room for "="
constexpr double kNumberCell = 21;       // px that a cell's number in its short form needs
constexpr double kLowNumberCell = 11;
constexpr double kWidestForNumbers = 200;
constexpr double kEnoughForCard = 42; // px of its cells: more of them goes to the small matrices
constexpr double kCrowdedCell = 12;   // px: cells of the card that need all the room there is

FlowSize sizeOf(const FlowStage &stage) {
    return {stage.rows, stage.columns, stage.titleWidth};
}

/// Small stages in the large one's column, side by side.
struct Row {
    std::vector<FlowStage> stages;
    bool beside = false;          ///< titles stand to the right of the matrices
    bool endsWithLearned = false; ///< with the matrix that makes the current stage beneath
};

class Layout {
  public:
    explicit Layout(const FlowRequest &request) : m_request(request) {
        m_geometry.area = request.area;
        m_geometry.current = request.current;
    }

    FlowGeometry run() {
        const QRectF inner =
            m_request.area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
        m_geometry.formula = QRectF(inner.left(), inner.bottom() - m_request.formulaHeight,
                                    inner.width(), m_request.formulaHeight);
        m_diagram = QRectF(inner.left(), inner.top(), inner.width(),
                           inner.height() - m_request.formulaHeight - 12);
        m_smallest = std::clamp(std::floor(kWellSeen / m_request.textScale *
                                           std::min(m_request.area.width() / kRoomy.width(),
                                                    m_request.area.height() / kRoomy.height())),
                                kLeastMatrix, kWellSeen);
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

  private:
    const std::vector<FlowStage> &columnAt(std::size_t column) const { return m_columns[column]; }
    std::size_t columnOf(core::StageAt at) const {
        for (const FlowStage &stage : m_request.stages)
            if (stage.at == at)
                return stage.column;
        return 0;
    }
    /// Where arrows pass above or beneath a column, it is that much lower.
    void reserveLanes() {
        double lanes = 0;
        for (const FlowLink &link : m_request.links) {
            if (link.route == FlowRoute::Direct)
                continue;
            const std::size_t from = columnOf(link.from), to = columnOf(link.to);
            const bool over = link.route == FlowRoute::Over;
            lanes += over ? kFlowLane : 0;
            // Where stages stand side by side, it begins above them.
            const std::size_t first = over && from == m_large ? from : from + 1;
            for (std::size_t column = first; column < to; ++column)
                (over ? m_over : m_under)[column] = over ? lanes : kLane;
        }
    }
    double topOf(std::size_t column) const { return m_diagram.top() + m_over[column]; }
    double heightOf(std::size_t column) const {
        return m_diagram.height() - m_over[column] - m_under[column];
    }
    FlowWords words() const { return {m_request.titleHeight, m_request.lineHeight, m_compact}; }
    double titles() const { return words().height(); }

    /// Its learned matrix is shown.
    bool isLearned(const FlowStage &stage) const {
        return stage.learned && m_showsLearned[stage.column];
    }
    /// In a small column it stands above what it makes, or on the left of what does not follow from
    /// anything above.
    static bool isAtSide(const FlowStage &stage) { return stage.parallel; }
    bool hasSide(std::size_t column) const {
        return std::ranges::any_of(columnAt(column), [this](const FlowStage &stage) {
            return isLearned(stage) && isAtSide(stage);
        });
    }
    double learnedAbove(std::size_t column) const {
        return static_cast<double>(
            std::ranges::count_if(columnAt(column), [this](const FlowStage &stage) {
                return isLearned(stage) && !isAtSide(stage);
            }));
    }

    /// The height that is left for one matrix of a narrow column.
    double matrixHeight(std::size_t column) const {
        const auto count = static_cast<double>(columnAt(column).size()) + learnedAbove(column);
        return (heightOf(column) - (count - 1) * m_verticalGap) / count - titles();
    }

    /// Two lines above every matrix, or one where there is little height; learned matrices above
    /// what they make only where that leaves all of them high enough.
    void chooseTitles() {
        m_showsLearned.fill(true);
        chooseTitleLines();
        bool changed = false;
        for (std::size_t column = 0; column < kFlowColumns; ++column)
            if (column != m_large && learnedAbove(column) > 0 &&
                matrixHeight(column) < m_smallest) {
                m_showsLearned[column] = false;
                changed = true;
            }
        if (changed)
            chooseTitleLines();
    }
    void chooseTitleLines() {
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

    /// The current stage stays the large one.
    double largestSmallCell() const {
        const QSizeF cell = m_geometry.large.cell;
        return std::max(4.0, 0.7 * std::max(cell.width(), cell.height()));
    }

    /// The rows of stages above and beneath the card.
    void splitLarge() {
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
    const FlowStage &currentStage() const {
        return *std::ranges::find(columnAt(m_large), m_request.current, &FlowStage::at);
    }
    /// The matrix that makes the current stage stands on the card's left.
    bool isBesideCard() const {
        return isLearned(currentStage()) && (isAtSide(currentStage()) || m_above.empty());
    }

    double stripMatrixHeight() const {
        return m_isCrowded ? m_smallest : std::clamp(m_diagram.height() * 0.12, m_smallest, 84.0);
    }
    double besideWidth() const { return words().besideWidth(); }
    double besideHeight() const { return words().besideHeight(); }
    /// How many matrices stand in the row.
    double unitsOf(const Row &row) const {
        double units = row.endsWithLearned ? 1 : 0;
        for (const FlowStage &stage : row.stages)
            units += isLearned(stage) ? 2 : 1;
        return units;
    }
    /// How many arrows lead from one matrix of it to the next.
    static double arrowsOf(const Row &row) {
        return static_cast<double>(row.stages.size()) - (row.endsWithLearned ? 0 : 1);
    }
    /// Between its matrices at least.
    double gapsOf(const Row &row) const {
        const double matrices = unitsOf(row) - (row.endsWithLearned ? 1 : 0);
        const double signs = matrices - static_cast<double>(row.stages.size());
        return arrowsOf(row) * kRowGap + signs * kSignGap;
    }
    /// The width that a row of stages needs.
    double leastWidth(const Row &row) const {
        const double one =
            row.beside ? 1.8 * stripMatrixHeight() + kTitleBeside + besideWidth() : m_smallest + 4;
        return unitsOf(row) * one + gapsOf(row) + (row.beside ? kRowGap : 0);
    }
    /// Between the row and the card, or the next row: room for an arrow, where one goes down.
    double gapOf(const Row &row) const {
        return m_isTight && row.stages.front().parallel ? kTightGap : m_verticalGap;
    }
    double heightOf(const Row &row) const {
        return (row.beside ? 0 : titles()) +
               std::max(stripMatrixHeight(), row.beside ? besideHeight() : 0) + gapOf(row);
    }

    double narrowColumns() const {
        return static_cast<double>(std::max<std::size_t>(m_count, 1) - 1);
    }
    double widthOf(std::size_t column) const {
        if (columnAt(column).empty())
            return 0;
        if (column == m_large)
            return m_wide;
        return m_narrow[column] + (hasSide(column) ? m_side[column] + kSignGap : 0);
    }
    double totalWidth() const {
        double width = narrowColumns() * m_gap;
        for (std::size_t column = 0; column < kFlowColumns; ++column)
            width += widthOf(column);
        return width;
    }
    /// What the other columns leave for the large one.
    double room() const { return m_diagram.width() - (totalWidth() - m_wide); }
    double besideCard() const { return isBesideCard() ? m_side[m_large] + kSignGap : 0; }

    void setNarrow(double width) {
        m_narrow.fill(width);
        m_side.fill(std::max(m_smallest, std::floor(0.8 * width)));
    }

    /// Titles beside the matrices leave the card more height, where they fit in its width.
    double arrangeRows() {
        double least = std::min(room(), 230 * m_request.textScale + besideCard());
        m_strips = 0;
        for (auto *rows : {&m_above, &m_beneath})
            for (Row &row : *rows) {
                row.endsWithLearned = rows == &m_above && &row == &m_above.back() &&
                                      isLearned(currentStage()) && !isBesideCard();
                row.beside = true;
                row.beside = unitsOf(row) <= 2 && leastWidth(row) <= room();
                least = std::max(least, leastWidth(row));
                m_strips += heightOf(row);
            }
        return least;
    }
    /// The current stage is made by a learned matrix, or goes into one.
    bool isAboutLearned() const {
        const std::vector<FlowStage> &column = columnAt(m_large);
        const auto current = std::ranges::find(column, m_request.current, &FlowStage::at);
        const auto next = std::next(current);
        return current->learned || (next != column.end() && next->learned && !isAtSide(*next));
    }
    /// Learned matrices give way to the card: those of other columns before those that the current
    /// stage is about, else those above and beneath the card first.
    void chooseLearned() {
        const double enough = 240 * m_request.textScale;
        const auto fits = [&](bool inLarge, bool inOthers) {
            m_showsLearned[m_large] = inLarge;
            for (std::size_t column = 0; column < kFlowColumns; ++column)
                if (column != m_large && hasLearnedAtSide(column))
                    m_showsLearned[column] = inOthers;
            return arrangeRows() <= room() + 0.5 && room() - besideCard() >= enough;
        };
        const bool large = isAboutLearned();
        if (!fits(true, true) && !fits(large, !large) && !fits(!large, large))
            fits(false, false);
    }
    bool hasLearnedAtSide(std::size_t column) const {
        return std::ranges::any_of(columnAt(column), [](const FlowStage &stage) {
            return stage.learned && isAtSide(stage);
        });
    }
    void placeCard() {
        HeatmapRequest large = m_request.large;
        large.maximumCell = std::max(large.maximumCell, 0.18 * m_diagram.height());
        large.area = QRectF(0, 0, room() - besideCard() - 2 * kCardPadding,
                            heightOf(m_large) - m_strips - 2 * kCardPadding);
        m_geometry.large = HeatmapGeometry::of(large);
    }
    double smallerCardSide() const {
        return std::min(m_geometry.large.cell.width(), m_geometry.large.cell.height());
    }

    void chooseWidths() {
        splitLarge();
        const double width = m_diagram.width();
        const bool many = m_count > 4;
        const double share = many ? 3 / narrowColumns() : 1;
        const auto columns = static_cast<double>(m_count);
        const double leastColumn =
            std::max(flowColumnWidth(columns, m_request.titleHeight), m_smallest);
        const double leastGap = flowColumnGap(columns);
        m_gap = std::clamp(width * 0.042 * share, leastGap, 64.0);
        setNarrow(std::clamp(width * 0.115 * share, leastColumn, 150.0));
        if (many && room() < 240 * m_request.textScale)
            setNarrow(flowColumnWidth(columns, m_request.titleHeight));
        chooseLearned();
        double least = arrangeRows();
        placeCard();
        if (m_strips > 0 &&
            m_geometry.large.cells.height() < kLeastCardShare * m_diagram.height()) {
            m_isTight = m_isCrowded = m_compact = true;
            least = arrangeRows();
            placeCard();
        }
        if (smallerCardSide() < kCrowdedCell) {
            m_isCrowded = true;
            m_gap = leastGap;
            setNarrow(std::min(m_narrow.front(), leastColumn));
            least = arrangeRows();
            placeCard();
        } else {
            growForNumbers();
            least = arrangeRows();
        }
        // What the card does not need goes to its neighbours and the space between them.
        const double used = m_geometry.large.used.width() + 2 * kCardPadding + besideCard();
        m_wide = std::floor(std::min(room(), std::max(used, least)));
        const double others = std::max(1.0, narrowColumns());
        growNarrow((width - totalWidth()) * 0.6);
        m_gap = std::floor(m_gap + std::clamp((width - totalWidth()) / others, 0.0, 110 - m_gap));
    }
    void growNarrow(double spare) {
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
                                                    std::max(0.0, 190 - *width)));
    }

    /// The width at which the numbers of a matrix fit in its cells; 0: that would be too wide, or
    /// they are too low for numbers.
    double widthForNumbers(const FlowSize &matrix, std::size_t column) const {
        const double wanted = static_cast<double>(matrix.columns) * kNumberCell;
        const double height = matrixHeight(column) / static_cast<double>(matrix.rows);
        return wanted <= kWidestForNumbers && height >= kLowNumberCell ? wanted : 0;
    }
    /// Small matrices become as wide as their numbers need, where the card stays readable.
    void growForNumbers() {
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
                m_side[column] =
                    std::floor(side[column] + share * (wantedSide[column] - side[column]));
            }
            const double least = arrangeRows();
            if (least > room() || room() - besideCard() < 230 * m_request.textScale)
                continue;
            placeCard();
            if (m_geometry.large.cell.width() >= enough &&
                m_geometry.large.slanted == before.slanted)
                return;
        }
        m_narrow = narrow;
        m_side = side;
        m_geometry.large = before;
        arrangeRows();
    }

    void addSign(core::StageAt at, QPointF centre) { m_geometry.signs.push_back({at, centre}); }

    void placeNarrow(std::size_t column, double x) {
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
        // Columns with room to spare spread a little, so that the arrows between them read well.
        const double gap =
            count < 2
                ? 0
                : std::floor(std::clamp((heightOf(column) - height) / count, m_verticalGap, 64.0));
        double y =
            topOf(column) + std::max(0.0, (heightOf(column) - height - (count - 1) * gap) / 2);
        const double right = hasSide(column) ? x + m_side[column] + kSignGap : x;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const FlowStage &stage = columnAt(column)[i];
            double bottom = y;
            const bool learned = isLearned(stage);
            if (learned && isAtSide(stage)) {
                m_geometry.learned.push_back(words().boxBeneath(stage.at, *stage.learned,
                                                                {x, std::round(y)}, m_side[column],
                                                                boxes[i].learned));
                bottom = m_geometry.learned.back().frame.bottom();
            } else if (learned) {
                m_geometry.learned.push_back(
                    words().boxBeneath(stage.at, *stage.learned, {right, std::round(y)},
                                       m_narrow[column], boxes[i].learned));
                y = m_geometry.learned.back().frame.bottom() + gap;
            }
            m_geometry.nodes.push_back(words().boxBeneath(
                stage.at, sizeOf(stage), {right, std::round(y)}, m_narrow[column], boxes[i].own));
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

    double placeRow(const Row &row, double x, double y) {
        const double text = row.beside ? kTitleBeside + besideWidth() : 0;
        const double share = (m_wide - gapsOf(row)) / unitsOf(row) - text;
        const double width = std::floor(std::min(share, 2.2 * stripMatrixHeight()));
        // What is left over makes the arrows longer.
        const double spare = m_wide - gapsOf(row) - unitsOf(row) * (width + text);
        const double gap = kRowGap + (arrowsOf(row) > 0 ? std::floor(spare / arrowsOf(row)) : 0.0);
        double left = x, bottom = y;
        const auto add = [&](core::StageAt at, const FlowSize &of, std::vector<FlowNode> &to,
                             double most) {
            const QSizeF size =
                smallSize(of, most, stripMatrixHeight(), largestSmallCell(), m_smallest);
            const double lower = std::max(0.0, besideHeight() - size.height()) / 2;
            to.push_back(row.beside ? words().boxBeside(at, of, {left, y + std::round(lower)}, size)
                                    : words().boxBeneath(at, of, {left, y}, most, size));
            bottom = std::max(bottom, to.back().frame.bottom());
        };
        for (const FlowStage &stage : row.stages) {
            if (isLearned(stage)) {
                // Beneath or above the current one's, where that stands beside the card.
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

    void placeLarge(double x) {
        const double cardHeight = m_geometry.large.used.height() + 2 * kCardPadding;
        double y = std::round(topOf(m_large) +
                              std::max(0.0, (heightOf(m_large) - cardHeight - m_strips) / 2));
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
    /// As high as the card's own matrix where that is possible.
    void placeBesideCard(double x) {
        const QRectF &card = m_geometry.card;
        const FlowSize &of = *currentStage().learned;
        const QSizeF size = smallSize(of, m_side[m_large], card.height() - titles(),
                                      largestSmallCell(), m_smallest);
        const double top = std::round(card.center().y() - (size.height() + titles()) / 2);
        m_geometry.learned.push_back(
            words().boxBeneath(m_request.current, of, {x, top}, m_side[m_large], size));
        addSign(m_request.current,
                {card.left() - kSignGap / 2, m_geometry.learned.back().matrix.center().y()});
    }

    const FlowRequest &m_request;
    FlowGeometry m_geometry;
    QRectF m_diagram;
    std::array<std::vector<FlowStage>, kFlowColumns> m_columns;
    std::array<double, kFlowColumns> m_over{}, m_under{};
    std::array<bool, kFlowColumns> m_showsLearned{};
    std::size_t m_count = 0; // of the columns that hold a stage
    FlowColumns m_extent{};
    std::vector<Row> m_above, m_beneath;
    double m_strips = 0; // the height of all rows beside the card, gaps included
    std::size_t m_large = 0;
    bool m_compact = false;
    bool m_isTight = false;   // rows beside the card are as low as they can be
    bool m_isCrowded = false; // the card's cells are small: it takes all the room it can
    double m_smallest = kLeastMatrix;
    double m_verticalGap = kVerticalGap;
    std::array<double, kFlowColumns> m_narrow{}; // of a column's stages
    std::array<double, kFlowColumns> m_side{};   // of the learned matrices on their left
    double m_gap = 0, m_wide = 0;
};

} // namespace

FlowGeometry FlowGeometry::of(const FlowRequest &request) {
    return Layout(request).run();
}

} // namespace headlight::ui
