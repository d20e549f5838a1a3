// Where the parts of a heatmap are: plain numbers, no painting, no window.
#pragma once

#include "core/tensor/matrix.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <array>
#include <cmath>
#include <optional>

namespace headlight::ui {

struct Cell {
    core::Index row = 0;
    core::Index column = 0;
    bool operator==(const Cell &) const = default;
};

inline constexpr double kLeastWholeCell = 3;     ///< px
inline constexpr double kWindowCell = 12;        ///< px: about what a cell of a window has
inline constexpr std::size_t kSubtitleWords = 1; ///< of HeatmapRequest::wordsWidths

/// What has to be placed. Widths and heights are of text that was measured elsewhere; 0: there is
/// none of it.
struct HeatmapRequest {
    QRectF area;
    core::Index rows = 0;
    core::Index columns = 0;
    double lineHeight = 14; ///< of a label
    double titleHeight = 0;
    double subtitleHeight = 0;
    double rowLabelWidth = 0; ///< of the widest; capped to a share of the area
    double rowLabelShare = 0.26;
    double columnLabelWidth = 0; ///< of the widest; capped likewise
    /// Of title, subtitle and colour bar: they have no part in the layout.
    std::array<double, 3> wordsWidths{};
    bool slantColumnLabels =
        true;                  ///< where they are wider than a cell; else only every n-th is shown
    bool rowAxis = false;      ///< a name beside the row labels ("query")
    bool columnAxis = false;   ///< a name in the corner before the column labels ("key")
    bool columnGroups = false; ///< names of groups of columns beneath them
    double linesWidth = 0;     ///< of lines to words on the right of the cells
    bool colourBar = true;
    double maximumCell = 64;
    double minimumAspect = 1; ///< a cell's width ÷ height
    double maximumAspect = 1;
    /// Where cells of the whole would be smaller than kLeastWholeCell, only a window onto it is
    /// placed: from `origin` on, as far as that is possible, else around the two others.
    bool window = false;
    double windowCell = kWindowCell; ///< px: about what a cell of the window has
    std::optional<Cell> origin;
    std::optional<core::Index> focusRow, focusColumn;
};

struct HeatmapGeometry {
    static HeatmapGeometry of(const HeatmapRequest &request);

    QRectF area;
    core::Index rows = 0; ///< how many are shown, the first of them origin.row
    core::Index columns = 0;
    Cell origin;           ///< not 0, 0 only in a window onto a larger matrix
    bool isWindow = false; ///< not all of the matrix is shown
    QSizeF cell;           ///< whole pixels from 8 px on, quarters from 3 px on
    QRectF cells;          ///< all of them
    /// Empty: there is none.
    QRectF title, subtitle, rowAxis, columnAxis, columnGroups, colourBar, lines;
    bool slanted = false;         ///< column labels rise to the right at 45°
    core::Index rowLabelStep = 1; ///< every n-th row has room for its label
    core::Index columnLabelStep = 1;
    double rowLabelWidth = 0;
    double columnLabelWidth = 0; ///< along the label's own direction
    double lineHeight = 0;
    QRectF used; ///< what all of it takes: within the area

    core::Index endRow() const { return origin.row + rows; }
    core::Index endColumn() const { return origin.column + columns; }
    bool showsRow(core::Index row) const { return row >= origin.row && row < endRow(); }
    bool showsColumn(core::Index column) const {
        return column >= origin.column && column < endColumn();
    }

    // Rows and columns below are those of the whole matrix.

    /// All of it elsewhere.
    void moveBy(QPointF offset);
    /// Title, subtitle and colour bar reach from `left` to `right`.
    void setTextExtent(double left, double right);

    QRectF cellRect(core::Index row, core::Index column) const;
    QRectF rowRect(core::Index row) const;
    QRectF columnRect(core::Index column) const;
    std::optional<Cell> cellAt(QPointF point) const;
    /// Right-aligned text goes here.
    QRectF rowLabel(core::Index row) const;
    /// Not slanted: the text is centred here.
    QRectF columnLabel(core::Index column) const;
    /// Whether the label, centred over its column, stays over the cells.
    bool columnLabelFits(core::Index column) const;
    /// Slanted: the text begins here and rises at 45°.
    QPointF columnLabelStart(core::Index column) const;
    bool separated() const { return cell.width() >= 8 && cell.height() >= 8; }

  private:
    /// With names as wide as their share of the area lets them be.
    static HeatmapGeometry placedIn(const HeatmapRequest &request);
};

/// Enlarged text takes no number and no word away that stands in `usual`, which is of the same
/// matrix with text at its usual size.
bool showsAllOf(const HeatmapGeometry &usual, const HeatmapRequest &usualRequest,
                const HeatmapGeometry &enlarged, const HeatmapRequest &request);
/// The same of the numbers alone: the cells of the one, and of the other.
bool showsNumbersOf(const QSizeF &usual, const QSizeF &enlarged);

/// The least size that is accepted, up to `most` times that of `sight`: higher, wider, or both.
template <typename Accepts>
std::optional<QSizeF> grownUntil(const QSizeF &sight, double most, const Accepts &accepts) {
    if (accepts(sight))
        return sight;
    for (double by = 1.06; by < most; by *= 1.06)
        for (const QSizeF &grown : {QSizeF(sight.width(), sight.height() * by),
                                    QSizeF(sight.width() * by, sight.height()), sight * by})
            if (const QSizeF whole(std::ceil(grown.width()), std::ceil(grown.height()));
                accepts(whole))
                return whole;
    return std::nullopt;
}

} // namespace headlight::ui
