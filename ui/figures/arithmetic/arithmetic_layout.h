// Layout of a number's expanded arithmetic, without painting. The numbers are as large as the area
// allows and wrap to several lines. If they would become too small, only the most important ones
// are placed, or all of them scroll above the lines. A very short area first loses white space and
// then the note.
#pragma once

#include "core/tensor/matrix.h"

#include <QLineF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headlight::ui {

/// The scroll position of columns that do not all fit.
struct ArithmeticScroll {
    std::optional<double> by; ///< px; if unset, scrolls to the stressed column
    bool operator==(const ArithmeticScroll &) const = default;
};

struct ArithmeticRequest {
    QRectF area;
    /// If unset, only the most important columns are placed if not all fit.
    std::optional<ArithmeticScroll> scroll;
    std::optional<core::Index> stressed; ///< visible unless the user scrolls it away
    core::Index columns = 0;
    std::size_t rows = 0;
    /// importance of each column [columns]
    std::vector<double> importance;
    bool adds = false; ///< the last row is a sum, with plus signs between its numbers
    // Largest width of each kind of text at a type size of 1 px.
    double name = 0;
    double number = 0;
    std::vector<double> lines; ///< width of each line below the table
    bool hasNote = false;      ///< a note below the lines
    double least = 13;         ///< px, smallest type size of the numbers
    double minLabel = 13;      ///< px, smallest type size of headers and the note
    double most = 26;
};

struct ArithmeticLayout {
    static ArithmeticLayout of(const ArithmeticRequest &request);

    /// The position of a column. The last one can represent all columns that do not fit.
    struct Place {
        std::optional<core::Index> column;
        core::Index hidden = 0; ///< columns that it represents; 0: only `column`
        QRectF header;
        std::vector<QRectF> cells; ///< one per row
    };
    /// One line of columns.
    struct Block {
        std::vector<QRectF> names; ///< one per row
        std::vector<Place> places;
        bool isLast = false; ///< true if no columns follow
    };
    double pixels = 0;         ///< type size
    double gap = 0;            ///< space between two columns
    std::vector<Block> blocks; ///< only those in the window if the columns scroll
    std::vector<bool> isShown; ///< one per column
    QRectF window;             ///< area in which scrolled columns are visible; empty if all fit
    double scrolled = 0;       ///< px
    double beyond = 0;         ///< px by which the columns are taller than the window
    QLineF rule;               ///< line between the addends and the sum
    std::vector<QRectF> lines;
    std::vector<double> linePixels; ///< type size of each line; long lines are smaller
    QRectF note;                    ///< empty if there is no space for it
    QRectF used;
};

} // namespace headlight::ui
