#include "ui/figures/flow/close_up_layout.h"

#include "ui/figures/base/spacing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

constexpr core::Index kFewRows = 12;    // up to this size all names and numbers are shown
constexpr core::Index kFewColumns = 16; // up to this size all names and numbers are shown
constexpr double kNumberWidth = 21;     // px; a number in a cell of this width is easy to read
constexpr double kToldWidth = 9;        // px; a cell of this width is distinct from its neighbours
constexpr double kMaxAloneShare = 0.5;  // maximum share of the width for the result

using Matrices = std::vector<const CloseUpMatrix *>;

/// The widths that the matrices of a column need.
struct ColumnNeed {
    double wished = 0;
    double numbers = 0; ///< for all numbers; 0: unknown
    double easily = 0;  ///< for easily readable numbers
    double told = 0;    ///< for distinct cells if there are few; 0: there are many
};

/// Limits widths that do not fit. A width is only reduced to an equal share of the space that
/// narrower ones leave.
void shareWidth(std::vector<double> &widths, double available) {
    std::vector<double *> all;
    for (double &width : widths)
        all.push_back(&width);
    std::ranges::sort(all, {}, [](const double *width) { return *width; });
    for (std::size_t i = 0; i < all.size(); ++i) {
        *all[i] = std::min(*all[i], std::floor(available / static_cast<double>(all.size() - i)));
        available -= *all[i];
    }
}

double sumOf(const std::vector<double> &widths) {
    return std::accumulate(widths.begin(), widths.end(), 0.0);
}

ColumnNeed needOf(const CloseUpMatrix &matrix, const QSizeF &room, double widest, double share) {
    const HeatmapRequest request = matrix.request(room, widest);
    const HeatmapGeometry whole = HeatmapGeometry::of(request);
    const auto columns = static_cast<double>(request.columns);
    // Few columns have horizontal, uncut labels.
    const double flat = whole.cells.left() + columns * (request.columnLabelWidth + 5);
    const double wished =
        std::max({whole.used.width(), matrix.titleWidth + 2, flat <= 1.25 * share ? flat : 0});
    return {std::ceil(wished),
            matrix.minCell.isEmpty()
                ? 0
                : std::ceil(std::min(wished, whole.cells.left() +
                                                 columns * std::ceil(matrix.minCell.width()))),
            whole.cells.left() + kNumberWidth * columns,
            request.columns <= kFewColumns ? std::ceil(whole.cells.left() + kToldWidth * columns)
                                           : 0};
}

/// Distributes the width over the columns. `subtitle`: px needed by the last column's subtitle.
std::vector<double> widthsOf(const std::vector<Matrices> &columns, const QSizeF &room,
                             double subtitle, bool isAlone) {
    const double share = room.width() / static_cast<double>(columns.size());
    std::vector<ColumnNeed> needs;
    std::vector<double> widths;
    for (const double widest :
         {kWidestMeetingCell, 1.3, 1.0}) { // narrower cells are better than missing ones
        needs.clear();
        widths.clear();
        for (const Matrices &column : columns) {
            ColumnNeed all;
            bool isKnown = true;
            for (const CloseUpMatrix *matrix : column) {
                const QSizeF own(room.width(), room.height() / static_cast<double>(column.size()));
                const ColumnNeed one = needOf(*matrix, own, widest, share);
                all.wished = std::max(all.wished, one.wished);
                all.numbers = std::max(all.numbers, one.numbers);
                all.easily = std::max(all.easily, one.easily);
                all.told = std::max(all.told, one.told);
                isKnown = isKnown && one.numbers > 0;
            }
            if (!isKnown)
                all.numbers = 0;
            needs.push_back(all);
            widths.push_back(all.wished);
        }
        if (sumOf(widths) <= room.width())
            break;
    }
    widths.back() +=
        std::clamp(subtitle - widths.back(), 0.0, std::max(0.0, room.width() - sumOf(widths)));
    if (!isAlone || sumOf(widths) <= room.width()) {
        shareWidth(widths, room.width());
        return widths;
    }
    std::vector<double> least;
    for (const ColumnNeed &need : needs)
        least.push_back(need.numbers);
    const bool isKnown = std::ranges::all_of(least, [](double width) { return width > 0; });
    if (isKnown &&
        sumOf(least) <= room.width()) { // all numbers fit; those of the result are easy to read
        const double spare = room.width() - sumOf(least);
        const double wish = std::min(widths.back(), std::max(needs.back().easily, least.back()));
        least.back() += std::min(std::ceil(wish - least.back()), std::floor(spare));
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(0.0, widths[i] - least[i]);
        shareWidth(widths, room.width() - sumOf(least));
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] += least[i];
        return widths;
    }
    // The numbers of the result have priority over those of the operands, whose cells stay
    // distinct.
    std::vector<double> told;
    for (std::size_t i = 0; i + 1 < needs.size(); ++i)
        told.push_back(std::min(needs[i].told, widths[i]));
    const double most =
        std::max(share, std::min(kMaxAloneShare * room.width(), room.width() - sumOf(told)));
    const double given = std::min(widths.back(), std::clamp(needs.back().easily, share, most));
    if (sumOf(told) > room.width() - given)
        std::ranges::fill(told, 0.0);
    widths.pop_back();
    for (std::size_t i = 0; i < widths.size(); ++i)
        widths[i] -= told[i];
    shareWidth(widths, room.width() - given - sumOf(told));
    for (std::size_t i = 0; i < widths.size(); ++i)
        widths[i] += told[i];
    widths.push_back(given);
    return widths;
}

/// Returns the heights of matrices in a column so that their cells have about the same height.
std::vector<double> heightsOf(const Matrices &column, const QSizeF &room) {
    std::vector<double> heights;
    double rows = 0, left = room.height();
    for (const CloseUpMatrix *matrix : column) {
        const HeatmapRequest request = matrix->request(
            {room.width(), room.height() / static_cast<double>(column.size())}, kWidestMeetingCell);
        const HeatmapGeometry placed = HeatmapGeometry::of(request);
        heights.push_back(placed.used.height() - placed.cells.height());
        left -= heights.back();
        rows += static_cast<double>(request.rows);
    }
    for (std::size_t i = 0; i < column.size(); ++i)
        heights[i] += std::max(0.0, left) / std::max(1.0, rows) *
                      static_cast<double>(column[i]->request(room, kWidestMeetingCell).rows);
    return heights;
}

CloseUpLayout placed(const std::vector<Matrices> &columns, const QRectF &area, double between,
                     double subtitle, bool isAlone) {
    const double gaps = static_cast<double>(columns.size() - 1) * between + 3 * kCardPadding;
    const QSizeF room(area.width() - gaps, area.height() - 2 * kCardPadding);
    const std::vector<double> widths = widthsOf(columns, room, subtitle, isAlone);
    CloseUpLayout rooms;
    double x =
        area.left() + kCardPadding + std::max(0.0, std::floor((room.width() - sumOf(widths)) / 2));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0 && i + 1 == columns.size()) // the card begins before the matrix
            x += kCardPadding;
        const Matrices &column = columns[i];
        const double air = between * static_cast<double>(column.size() - 1);
        const std::vector<double> heights = heightsOf(column, {widths[i], room.height() - air});
        double y = area.top() + kCardPadding;
        for (std::size_t j = 0; j < column.size(); ++j) {
            const double height = column.size() == 1 ? room.height() : std::floor(heights[j]);
            rooms.frames.emplace_back(x, y, widths[i], height);
            y += height + between;
        }
        x += widths[i] + between;
    }
    return rooms;
}

auto completeOf(const std::vector<CloseUpMatrix> &matrices, const CloseUpLayout &rooms) {
    std::ptrdiff_t count = 0;
    for (std::size_t i = 0; i < matrices.size(); ++i)
        count += matrices[i].isComplete(
            HeatmapGeometry::of(matrices[i].request(rooms.frames[i].size(), kWidestMeetingCell)));
    return count;
}

} // namespace

bool CloseUpMatrix::isComplete(const HeatmapGeometry &placed) const {
    if (placed.rows > kFewRows || placed.columns > kFewColumns || placed.isWindow)
        return true;
    return placed.rowLabelStep == 1 &&
           (minCell.isEmpty() ||
            (placed.cell.width() >= minCell.width() && placed.cell.height() >= minCell.height()));
}

CloseUpLayout CloseUpLayout::of(const std::vector<CloseUpMatrix> &matrices, const QRectF &area,
                                double between, double subtitleWidth, bool isAlone) {
    std::vector<Matrices> columns;
    for (const CloseUpMatrix &matrix : matrices)
        columns.push_back({&matrix});
    CloseUpLayout row = placed(columns, area, between, subtitleWidth, isAlone);
    if (!isAlone || matrices.size() != 3)
        return row;
    CloseUpLayout stacked = placed({{&matrices[0], &matrices[1]}, {&matrices[2]}}, area, between,
                                   subtitleWidth, isAlone);
    stacked.isStacked = true;
    return completeOf(matrices, stacked) > completeOf(matrices, row) ? stacked : row;
}

} // namespace headlight::ui
