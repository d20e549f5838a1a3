// Layout of a flow: columns from left to right, stages from top to bottom, and the current stage as
// large as possible. FlowGeometry::of() runs it once per priority until one fits.
#pragma once

#include "ui/figures/flow/flow_arrows.h"
#include "ui/figures/flow/flow_boxes.h"
#include "ui/figures/flow/flow_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

inline constexpr double kVerticalGap = 24; ///< between stages above each other; fits an arrow
/// Gap between a parameter matrix and its product; fits "=".
inline constexpr double kSignGap = 18;

/// Content that the layout keeps even if the current stage gets less space.
enum class FlowLayoutPriority {
    Everything, ///< all words and all parameter matrices
    Matrices,   ///< all parameter matrices, and no matrix too small
    Card,
};
/// True if the geometry keeps this content and the current stage has enough space.
bool keeps(const FlowGeometry &geometry, const FlowRequest &request, FlowLayoutPriority kept);

inline FlowSize sizeOf(const FlowStage &stage) {
    return {stage.rows,       stage.columns,        stage.titleWidth,
            stage.shapeWidth, stage.longShapeWidth, stage.symbolWidth};
}

/// Small stages side by side in the large stage's column.
struct FlowRow {
    std::vector<FlowStage> stages;
    bool beside = false;          ///< titles are at the right of the matrices
    bool endsWithLearned = false; ///< the current stage's parameter matrix is below
    double words = 0;             ///< px of the widest text
};

class FlowLayout {
  public:
    /// `kept` may leave the current stage too little space; check the result with keeps().
    FlowLayout(const FlowRequest &request, FlowLayoutPriority kept)
        : m_request(request),
          m_keepsMatrices(kept != FlowLayoutPriority::Card),
          m_keepsText(kept != FlowLayoutPriority::Matrices) {
        m_geometry.area = request.area;
        m_geometry.current = request.current;
    }
    FlowGeometry run();

  private:
    const std::vector<FlowStage> &columnAt(std::size_t column) const { return m_columns[column]; }
    std::size_t columnOf(core::StageId at) const;
    /// Reduces the height of columns that arrows pass above or below.
    void reserveLanes();
    double topOf(std::size_t column) const { return m_diagram.top() + m_over[column]; }
    double heightOf(std::size_t column) const {
        return m_diagram.height() - m_over[column] - m_under[column];
    }
    FlowText words() const { return {m_request.titleHeight, m_request.lineHeight, m_compact}; }
    double titles() const { return words().height(); }
    /// True if the stage's parameter matrix is shown.
    bool isLearned(const FlowStage &stage) const;
    /// True if the parameter matrix is at the left of its product instead of above it. This is the
    /// case for a stage that does not depend on the one above.
    bool isAtSide(const FlowStage &stage) const {
        return stage.parallel || m_isSideways[stage.column];
    }
    bool hasSide(std::size_t column) const;
    double learnedAbove(std::size_t column) const;
    /// Returns the height of one matrix in a narrow column.
    double matrixHeight(std::size_t column) const;
    /// Chooses two lines above every matrix, or one if there is little height. Parameter matrices
    /// are above their products if all stay high enough, otherwise beside them.
    void chooseTitles();
    void chooseTitleLines();
    /// Limits small cells so that the current stage stays the largest.
    double largestSmallCell() const;
    /// Splits the large column into the rows above and below the card.
    void splitLarge();
    const FlowStage &currentStage() const {
        return *std::ranges::find(columnAt(m_large), m_request.current, &FlowStage::at);
    }
    /// True if the parameter matrix of the current stage is at the card's left.
    bool isBesideCard() const;
    double stripMatrixHeight() const;
    /// Returns the width in px of a matrix's text, above it or at its right.
    double wordsWidth(const FlowSize &of, bool beside = false) const;
    double widestWords(const FlowRow &row) const;
    double besideHeight() const { return words().besideHeight(); }
    /// Returns the number of matrices in the row.
    double unitsOf(const FlowRow &row) const;
    /// Returns the number of arrows between the row's matrices.
    static double arrowsOf(const FlowRow &row);
    /// Returns the smallest total gap between the row's matrices.
    double gapsOf(const FlowRow &row) const;
    /// Returns the width that a row of stages needs.
    double minWidth(const FlowRow &row) const;
    /// Returns the gap between the row and the card or the next row; it fits an arrow if there is
    /// one.
    double gapOf(const FlowRow &row) const;
    double heightOf(const FlowRow &row) const;
    double narrowColumns() const {
        return static_cast<double>(std::max<std::size_t>(m_count, 1) - 1);
    }
    double widthOf(std::size_t column) const;
    double totalWidth() const;
    /// Returns the width that the other columns leave for the large one.
    double room() const { return m_diagram.width() - (totalWidth() - m_wide); }
    double besideCard() const { return isBesideCard() ? m_side[m_large] + kSignGap : 0; }
    /// Sets all narrow columns to this width, or more if their text needs it.
    void setNarrow(double width);
    /// Places titles beside the matrices if they fit in the card's width, which leaves the card
    /// more height. Returns the width needed.
    double arrangeRows();
    /// True if a parameter matrix produces the current stage or uses it.
    bool isAboutLearned() const;
    /// True if everything to be shown fits and the card has enough space.
    bool hasRoom();
    /// Hides parameter matrices that leave the card too little space. Starts with the other columns
    /// if the current stage is about one, otherwise with the large column.
    void chooseLearned();
    bool hasLearnedAtSide(std::size_t column) const;
    void placeCard();
    double smallerCardSide() const {
        return std::min(m_geometry.large.cell.width(), m_geometry.large.cell.height());
    }
    /// True if the card lacks height that the rows beside it could free.
    bool isCardLow() const;
    void chooseWidths();
    void growNarrow(double spare);
    /// Returns the width at which a matrix's numbers fit into its cells; 0 if that is too wide or
    /// the cells are too low.
    double widthForNumbers(const FlowSize &matrix, std::size_t column) const;
    /// Widens small matrices for their numbers if the card stays readable.
    void growForNumbers();
    void addSign(core::StageId at, QPointF centre) { m_geometry.signs.push_back({at, centre}); }
    void placeNarrow(std::size_t column, double x);
    double placeRow(const FlowRow &row, double x, double y);
    void placeLarge(double x);
    /// Uses the height of the card's matrix if possible.
    void placeBesideCard(double x);

    const FlowRequest &m_request;
    const bool m_keepsMatrices;
    bool m_keepsText; // columns are as wide as the text above their matrices
    FlowGeometry m_geometry;
    QRectF m_diagram;
    std::array<std::vector<FlowStage>, kFlowColumns> m_columns;
    std::array<double, kFlowColumns> m_over{}, m_under{};
    std::array<bool, kFlowColumns> m_showsLearned{};
    std::array<bool, kFlowColumns>
        m_isSideways{};      // parameter matrices are beside all their products
    std::size_t m_count = 0; // number of columns with a stage
    FlowColumns m_extent{};
    std::vector<FlowRow> m_above, m_beneath;
    double m_strips = 0; // height of all rows beside the card, including gaps
    std::size_t m_large = 0;
    bool m_compact = false;
    bool m_isTight = false;   // rows beside the card have minimum height
    bool m_isCrowded = false; // the card's cells are small, so it takes all available space
    double m_smallest = kMinMatrix;
    double m_verticalGap = kVerticalGap;
    std::array<double, kFlowColumns> m_narrow{}; // widths of a column's stages
    std::array<double, kFlowColumns> m_side{};   // widths of the parameter matrices at their left
    double m_gap = 0, m_wide = 0;
};

} // namespace headlight::ui
