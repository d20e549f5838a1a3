// Layout of a heatmap, without painting.
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

inline constexpr double kMinWholeCell = 3;       ///< px
inline constexpr double kWindowCell = 12;        ///< px; approximate cell size of a window
inline constexpr std::size_t kSubtitleWords = 1; ///< index into HeatmapRequest::wordsWidths

/// Layout input. The caller measures text widths and heights; 0 means no text.
struct HeatmapRequest {
    QRectF area;
    core::Index rows = 0;
    core::Index columns = 0;
    double lineHeight = 14; ///< height of a label
    double titleHeight = 0;
    double subtitleHeight = 0;
    double rowLabelWidth = 0; ///< width of the widest label; limited to a share of the area
    double rowLabelShare = 0.26;
    double columnLabelWidth = 0; ///< width of the widest label; limited too
    /// Widths of title, subtitle and colour bar. They do not affect the layout.
    std::array<double, 3> wordsWidths{};
    bool slantColumnLabels = true; ///< slants wide labels; false: shows every n-th label
    bool rowAxis = false;          ///< axis name beside the row labels ("query")
    bool columnAxis = false;       ///< axis name in the corner before the column labels ("key")
    bool columnGroups = false;     ///< names of column groups below the cells
    double linesWidth = 0;         ///< width of the attention lines to the right of the cells
    double besideWidth = 0;        ///< width of the column beside the cells, including its gap
    bool colourBar = true;
    double maximumCell = 64;
    double minimumAspect = 1; ///< a cell's width ÷ height
    double maximumAspect = 1;
    /// If the cells would be smaller than kMinWholeCell, only a window of the matrix is placed. It
    /// starts at `origin`, or is centred on the focus if `origin` is unset.
    bool window = false;
    double windowCell = kWindowCell; ///< px; approximate cell size of the window
    std::optional<Cell> origin;
    std::optional<core::Index> focusRow, focusColumn;
};

struct HeatmapGeometry {
    static HeatmapGeometry of(const HeatmapRequest &request);

    QRectF area;
    core::Index rows = 0; ///< number of visible rows; the first is origin.row
    core::Index columns = 0;
    Cell origin;           ///< 0, 0 unless the matrix is larger than the window
    bool isWindow = false; ///< only a part of the matrix is visible
    QSizeF cell;           ///< whole pixels from 8 px, quarters of a pixel from 3 px
    QRectF cells;          ///< all visible cells
    /// Each is empty if it is missing.
    QRectF title, subtitle, rowAxis, columnAxis, columnGroups, colourBar, lines;
    /// The column of other numbers to the right of the cells, and its label below. Empty if
    /// missing.
    QRectF beside, besideLabel;
    bool slanted = false;         ///< column labels rise to the right at 45°
    core::Index rowLabelStep = 1; ///< every n-th row has space for its label
    core::Index columnLabelStep = 1;
    bool thinsTouchingLabels = false; ///< omits only column labels that would touch another
    double rowLabelWidth = 0;
    double columnLabelWidth = 0; ///< px along the label's direction
    double lineHeight = 0;
    /// px between the labels and the cells, in addition to the usual gap
    double rowLabelDistance = 0, columnLabelDistance = 0;
    QRectF used; ///< total space used, inside the area

    core::Index endRow() const { return origin.row + rows; }
    core::Index endColumn() const { return origin.column + columns; }
    bool showsRow(core::Index row) const { return row >= origin.row && row < endRow(); }
    bool showsColumn(core::Index column) const {
        return column >= origin.column && column < endColumn();
    }

    // Row and column indices below count in the complete matrix.

    /// Places the column of other numbers. It is `width` px wide and `gap` px to the right of the
    /// cells.
    void placeBeside(double gap, double width);
    /// Returns the cell of a visible row in the column of other numbers.
    QRectF besideRect(core::Index row) const;
    /// Returns the row of the column of other numbers at the point.
    std::optional<core::Index> besideRowAt(QPointF point) const;

    /// Adds column labels up to `width` px wide. Omits only labels that would touch another label.
    void giveColumnLabels(double width);
    /// Moves everything by `offset`.
    void moveBy(QPointF offset);
    /// Extends title, subtitle and colour bar from `left` to `right`.
    void setTextExtent(double left, double right);

    QRectF cellRect(core::Index row, core::Index column) const;
    QRectF rowRect(core::Index row) const;
    QRectF columnRect(core::Index column) const;
    std::optional<Cell> cellAt(QPointF point) const;
    /// Returns the rectangle of the right-aligned label.
    QRectF rowLabel(core::Index row) const;
    /// Returns the rectangle of the centred label. Only for labels that are not slanted.
    QRectF columnLabel(core::Index column) const;
    /// Returns the rectangle of a label of `width` px. It is centred over its column, or moved to
    /// stay above the cells.
    QRectF columnLabelOf(core::Index column, double width) const;
    /// True if the label, centred over its column, does not extend beyond the cells.
    bool columnLabelFits(core::Index column) const;
    /// Returns the start of a slanted label, which rises at 45°.
    QPointF columnLabelStart(core::Index column) const;
    bool separated() const { return cell.width() >= 8 && cell.height() >= 8; }

  private:
    /// Places everything. Row labels take up at most their share of the area.
    static HeatmapGeometry placedIn(const HeatmapRequest &request);
};

/// True if the enlarged layout shows every number and word that `usual` shows. Both show the same
/// matrix. `usual` has text at its usual size.
bool showsAllOf(const HeatmapGeometry &usual, const HeatmapRequest &usualRequest,
                const HeatmapGeometry &enlarged, const HeatmapRequest &request);
/// True if numbers that fit into cells of size `usual` also fit into cells of size `enlarged`.
bool showsNumbersOf(const QSizeF &usual, const QSizeF &enlarged);

/// Returns `sight`, or the smallest accepted size with a larger height, width, or both. Unset if no
/// size below `most` times `sight` is accepted.
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
