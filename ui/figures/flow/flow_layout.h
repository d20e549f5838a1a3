// How everything of a flow is placed: columns from left to right, in each the stages from top to
// bottom, the current one as wide and high as there is room for. FlowGeometry::of() runs it once.
#pragma once

#include "ui/figures/flow/flow_arrows.h"
#include "ui/figures/flow/flow_boxes.h"
#include "ui/figures/flow/flow_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

inline constexpr double kVerticalGap = 24; ///< between stages above each other: room for an arrow
/// Between a learned matrix and what it makes: room for "=".
inline constexpr double kSignGap = 18;

/// What is not given up for more room: of less, the current stage has the more.
enum class FlowLayoutPriority {
    Everything, ///< all words and all learned matrices
    Matrices,   ///< all learned matrices, and every matrix well to be seen
    Card,
};
/// The geometry has all that, and the current stage the room that it needs.
bool keeps(const FlowGeometry &geometry, const FlowRequest &request, FlowLayoutPriority kept);

inline FlowSize sizeOf(const FlowStage &stage) {
    return {stage.rows,       stage.columns,        stage.titleWidth,
            stage.shapeWidth, stage.longShapeWidth, stage.symbolWidth};
}

/// Small stages in the large one's column, side by side.
struct FlowRow {
    std::vector<FlowStage> stages;
    bool beside = false;          ///< titles stand to the right of the matrices
    bool endsWithLearned = false; ///< with the matrix that makes the current stage beneath
    double words = 0;             ///< px of the widest of them
};

class FlowLayout {
  public:
    /// What is kept may leave the current stage too little room, which keeps() says then.
    FlowLayout(const FlowRequest &request, FlowLayoutPriority kept)
        : m_request(request),
          m_keepsMatrices(kept != FlowLayoutPriority::Card),
          m_keepsWords(kept != FlowLayoutPriority::Matrices) {
        m_geometry.area = request.area;
        m_geometry.current = request.current;
    }
    FlowGeometry run();

  private:
    const std::vector<FlowStage> &columnAt(std::size_t column) const { return m_columns[column]; }
    std::size_t columnOf(core::StageId at) const;
    /// Where arrows pass above or beneath a column, it is that much lower.
    void reserveLanes();
    double topOf(std::size_t column) const { return m_diagram.top() + m_over[column]; }
    double heightOf(std::size_t column) const {
        return m_diagram.height() - m_over[column] - m_under[column];
    }
    FlowWords words() const { return {m_request.titleHeight, m_request.lineHeight, m_compact}; }
    double titles() const { return words().height(); }
    /// Its learned matrix is shown.
    bool isLearned(const FlowStage &stage) const;
    /// In a small column it stands above what it makes, or on the left of what does not follow from
    /// anything above.
    bool isAtSide(const FlowStage &stage) const {
        return stage.parallel || m_isSideways[stage.column];
    }
    bool hasSide(std::size_t column) const;
    double learnedAbove(std::size_t column) const;
    /// The height that is left for one matrix of a narrow column.
    double matrixHeight(std::size_t column) const;
    /// Two lines above every matrix, or one where there is little height; learned matrices above
    /// what they make where that leaves all of them high enough, else beside it.
    void chooseTitles();
    void chooseTitleLines();
    /// The current stage stays the large one.
    double largestSmallCell() const;
    /// The rows of stages above and beneath the card.
    void splitLarge();
    const FlowStage &currentStage() const {
        return *std::ranges::find(columnAt(m_large), m_request.current, &FlowStage::at);
    }
    /// The matrix that makes the current stage stands on the card's left.
    bool isBesideCard() const;
    double stripMatrixHeight() const;
    /// px that the words of a matrix need, above it or to its right.
    double wordsWidth(const FlowSize &of, bool beside = false) const;
    double widestWords(const FlowRow &row) const;
    double besideHeight() const { return words().besideHeight(); }
    /// How many matrices stand in the row.
    double unitsOf(const FlowRow &row) const;
    /// How many arrows lead from one matrix of it to the next.
    static double arrowsOf(const FlowRow &row);
    /// Between its matrices at least.
    double gapsOf(const FlowRow &row) const;
    /// The width that a row of stages needs.
    double leastWidth(const FlowRow &row) const;
    /// Between the row and the card, or the next row: room for an arrow, where one goes down.
    double gapOf(const FlowRow &row) const;
    double heightOf(const FlowRow &row) const;
    double narrowColumns() const {
        return static_cast<double>(std::max<std::size_t>(m_count, 1) - 1);
    }
    double widthOf(std::size_t column) const;
    double totalWidth() const;
    /// What the other columns leave for the large one.
    double room() const { return m_diagram.width() - (totalWidth() - m_wide); }
    double besideCard() const { return isBesideCard() ? m_side[m_large] + kSignGap : 0; }
    /// At least so wide, each column by itself.
    void setNarrow(double width);
    /// Titles beside the matrices leave the card more height, where they fit in its width.
    double arrangeRows();
    /// The current stage is made by a learned matrix, or goes into one.
    bool isAboutLearned() const;
    /// Everything that the layout is to show has room, and the card enough of it.
    bool hasRoom();
    /// Learned matrices give way to the card: those of other columns before those that the current
    /// stage is about, else those above and beneath the card first.
    void chooseLearned();
    bool hasLearnedAtSide(std::size_t column) const;
    void placeCard();
    double smallerCardSide() const {
        return std::min(m_geometry.large.cell.width(), m_geometry.large.cell.height());
    }
    /// For want of height, which the rows beside it can give up.
    bool isCardLow() const;
    void chooseWidths();
    void growNarrow(double spare);
    /// The width at which the numbers of a matrix fit in its cells; 0: that would be too wide, or
    /// they are too low for numbers.
    double widthForNumbers(const FlowSize &matrix, std::size_t column) const;
    /// Small matrices become as wide as their numbers need, where the card stays readable.
    void growForNumbers();
    void addSign(core::StageId at, QPointF centre) { m_geometry.signs.push_back({at, centre}); }
    void placeNarrow(std::size_t column, double x);
    double placeRow(const FlowRow &row, double x, double y);
    void placeLarge(double x);
    /// As high as the card's own matrix where that is possible.
    void placeBesideCard(double x);

    const FlowRequest &m_request;
    const bool m_keepsMatrices;
    bool m_keepsWords; // columns are as wide as the words above their matrices
    FlowGeometry m_geometry;
    QRectF m_diagram;
    std::array<std::vector<FlowStage>, kFlowColumns> m_columns;
    std::array<double, kFlowColumns> m_over{}, m_under{};
    std::array<bool, kFlowColumns> m_showsLearned{};
    std::array<bool, kFlowColumns> m_isSideways{}; // learned matrices beside all that they make
    std::size_t m_count = 0;                       // of the columns that hold a stage
    FlowColumns m_extent{};
    std::vector<FlowRow> m_above, m_beneath;
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

} // namespace headlight::ui
