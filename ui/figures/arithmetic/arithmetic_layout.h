// Where the numbers of an opened arithmetic stand: as large as the area allows, on several lines
// where one is too short, and where all of them would be too small those that matter most. Plain
// numbers, no painting.
#pragma once

#include "core/tensor/matrix.h"

#include <QLineF>
#include <QRectF>

#include <optional>
#include <vector>

namespace headlight::ui {

struct ArithmeticRequest {
    QRectF area;
    core::Index columns = 0;
    std::size_t rows = 0;
    /// How much each column matters [columns].
    std::vector<double> importance;
    bool adds = false; ///< the last row's numbers are added: signs stand between them
    // Widths at one pixel of type, each of the widest.
    double name = 0;
    double number = 0;
    std::vector<double> lines; ///< of each line beneath
    bool hasNote = false;      ///< words under them
    double least = 12;         ///< px of type
    double most = 26;
};

struct ArithmeticLayout {
    static ArithmeticLayout of(const ArithmeticRequest &request);

    /// A column, or at the end those that have no room.
    struct Place {
        std::optional<core::Index> column;
        core::Index hidden = 0; ///< so many have no room: this stands for them
        QRectF header;
        std::vector<QRectF> cells; ///< one a row
    };
    /// One line of columns.
    struct Block {
        std::vector<QRectF> names; ///< one a row
        std::vector<Place> places;
    };
    double pixels = 0; ///< of type
    double gap = 0;    ///< between two columns
    std::vector<Block> blocks;
    std::vector<bool> isShown; ///< one a column
    QLineF rule;               ///< under what is added
    std::vector<QRectF> lines;
    std::vector<double> linePixels; ///< type of each: a long line's is smaller
    QRectF note;
    QRectF used;
};

} // namespace headlight::ui
