// Layout of a close-up, without painting: the result, its left operands with the same rows, and its
// upper operands with the same columns. The layout is the best of several candidates. The numbers
// of the result have priority, then those of the operands, and then complete rows.
#pragma once

#include "core/explain/meeting.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

#include <array>
#include <vector>

namespace headlight::ui {

/// A matrix and the space it needs.
struct CloseUpShape {
    core::Index rows = 0;
    core::Index columns = 0;
    core::MeetingMatrix::Shares shares = core::MeetingMatrix::Shares::Cells;
    bool isSummed = false;       ///< the result sums over the axis that it does not share
    bool isBlock = false;        ///< belongs to some columns of the result, such as one head's
    bool isSampled = false;      ///< its columns are a sample, not the result's columns
    bool isOfHead = false;       ///< its numbers belong to the selected head
    core::Index firstColumn = 0; ///< first column of a block in the result
    std::optional<core::Rows> summedColumns; ///< columns that are summed, if not all
    QSizeF numberCell;                       ///< size with readable digits; empty: no numbers
    std::array<double, 3> titles{};          ///< widths of the title in px, shortest first
    double notes = 0;     ///< width of a title beside the result, in several lines
    int noteLines = 2;    ///< number of lines of such a title below the symbol
    double rowLabels = 0; ///< width of the widest label in px; 0: none
    double columnLabels = 0;
    std::vector<double> columnWidths; ///< px, of each label; 0 far from the focus of a wide matrix
    std::optional<core::Index> focusRow, focusColumn; ///< kept in the visible part

    /// True if the sum pairs its rows or columns with those of another operand.
    bool meets() const { return isSummed && shares != core::MeetingMatrix::Shares::Cells; }
};

struct CloseUpRequest {
    QRectF area;
    std::vector<CloseUpShape> left;  ///< from left to right
    std::vector<CloseUpShape> above; ///< from top to bottom; blocks are side by side
    CloseUpShape result;
    bool hidesColumns = false; ///< the result may show only some of its columns
    bool hidesRows = false;    ///< if no numbers fit, the result may show only some rows
    bool isNarrow = false;     ///< operands without numbers leave the result most of the space
    double titleHeight = 18;
    double colourBar = 0; ///< width including the range's ends and name
    double labelHeight = 14;
    double scale = 1;              ///< factor of all other lengths
    std::vector<QSizeF> chips;     ///< sizes of the controls at the result's title
    std::vector<QSizeF> headChips; ///< sizes of the head's control at other titles, largest first
    double maxCell = 1;            ///< factor of the largest cell size, from zoom and window size
};

struct CloseUpGeometry {
    /// Returns the best layout. Its rectangles are empty if none fits.
    static CloseUpGeometry of(const CloseUpRequest &request);

    enum class Form {
        Numbers, ///< the result has numbers, perhaps in a part of its columns
        Colours, ///< the result is too large for numbers
    };
    struct Placed {
        HeatmapGeometry cells;
        QRectF title;
        int detail = 0;  ///< index into CloseUpShape::titles
        QRectF headChip; ///< rectangle of the control of its head; empty if there is none
        bool hasNumbers = false;
        bool isAside = false; ///< a joined head whose columns the result leaves out
        bool isNoted = false; ///< its title is to its right, in several lines
        /// True if columns or rows are left out on this side.
        bool hasMoreLeft = false, hasMoreRight = false, hasMoreAbove = false, hasMoreBelow = false;
    };
    Form form = Form::Colours;
    std::vector<Placed> left, above;
    Placed result;
    QRectF card;               ///< card around the result
    std::vector<QRectF> chips; ///< rectangles of the controls at the result's title
    /// Rectangle of the operator after each left operand.
    std::vector<QRectF> signs;
    std::vector<QRectF> sheets; ///< cards of the other sentences, the nearest first
    QRectF used;
};

} // namespace headlight::ui
