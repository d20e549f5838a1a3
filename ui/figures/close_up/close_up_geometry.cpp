#include "ui/figures/close_up/close_up_geometry.h"

#include "ui/figures/close_up/close_up_candidates.h"
#include "ui/figures/close_up/close_up_titles.h"
#include "ui/figures/close_up/shown_part.h"
#include "ui/figures/heatmap/column_labels.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace headlight::ui {

namespace {

using core::Index;
using Part = ShownPart;
using Placed = CloseUpGeometry::Placed;

// px before scaling
constexpr double kPadding = 10, kTightPadding = 4; // inside the card
constexpr double kGap = 26;                        // between two matrices; fits an operator
constexpr double kAboveGap = 8;                    // between two upper operands
constexpr double kLabelGap = 6;                    // between labels and cells, as in heatmaps
constexpr double kMoreWidth = 14;                  // for "…" beside a matrix with hidden columns
constexpr double kTightMoreHeight = 9;             // for "⋮" where rows are hidden
constexpr double kMaxCellHeight = 64;
constexpr double kMaxCellWidth = 104;
constexpr double kMinColours = 22; // smallest extent of a matrix without numbers
constexpr double kColourCell = 9;  // size of a cell in a matrix without numbers, if it fits
constexpr double kMinNotes = 64;   // smallest width of the title to the right of the card
constexpr double kMaxNotes = 150;
constexpr double kMaxLabelShare = 0.2; // maximum share of the width for row labels
constexpr double kMaxColourShare = 0.24;
constexpr double kMaxAspect = 2.8;    // maximum ratio of the sides of a result's cell
constexpr double kSmallTitle = 0.66;  // scale at which every matrix has space for its symbol
constexpr double kLeftWeight = 3;     // score of a left operand's numbers, or of all columns
constexpr double kAboveWeight = 3.6;  // score of the upper operands' numbers
constexpr double kMeanSight = 0.2;    // score of the mean share that is shown of the summed axes
constexpr double kGrowth = 1.02;      // factor of each step by which cells grow to fill the width
constexpr Index kMinPart = 3;         // smallest part of the summed axis, if possible
constexpr double kShortPenalty = 0.2; // for each number below kMinPart
constexpr double kUpperShare = 0.8; // height of an upper operand's cells ÷ height of the result's

using Score = std::tuple<bool, Index, Index, double, double>;

class Placing {
  public:
    Placing(const CloseUpRequest &request, const CloseUpCandidate &choice)
        : m_request(request), m_choice(choice), m_scale(request.scale) {}

    /// Chooses the sizes of all cells. Returns false if the candidate does not fit.
    bool fits() {
        measureParts();
        return chooseHeights() && chooseWidths();
    }
    /// Returns the score; larger is better. Criteria by priority: numbers in the result, numbers in
    /// summed operands, labels of the result, amount of numbers shown, large cells.
    Score score() const {
        double shown = 0;
        for (std::size_t i = 0; i < m_request.left.size(); ++i)
            shown += leftHasNumbers(i) ? kLeftWeight : 0;
        for (std::size_t i = 0; i < m_request.above.size(); ++i)
            shown += aboveHasNumbers(i) ? kAboveWeight / double(m_request.above.size()) : 0;
        const double columns = static_cast<double>(m_columns.count) /
                               static_cast<double>(std::max<Index>(1, m_columns.all));
        return {m_choice.resultNumbers, summedNumbers(), -missingLabels(),
                shown + 3 * columns + sightOfSummed() - kShortPenalty * m_missing -
                    (m_choice.isTight ? 0.1 : 0),
                std::min(m_cell.width(), m_cell.height())};
    }

  private:
    double px(double length) const { return std::round(length * m_scale); }
    double padding() const { return px(m_choice.isTight ? kTightPadding : kPadding); }
    bool leftHasNumbers(std::size_t i) const {
        return i + m_choice.leftNumbers >= m_request.left.size() &&
               !m_request.left[i].numberCell.isEmpty();
    }
    bool aboveHasNumbers(std::size_t i) const {
        const CloseUpShape &one = m_request.above[i];
        return i < m_choice.aboveNumbers && !one.isSampled && !one.numberCell.isEmpty();
    }
    /// Returns how many summed operands show numbers.
    Index summedNumbers() const {
        Index count = 0;
        for (std::size_t i = 0; i < m_request.left.size(); ++i)
            count += m_request.left[i].meets() && leftHasNumbers(i) ? 1 : 0;
        for (std::size_t i = 0; i < m_request.above.size(); ++i)
            count += m_request.above[i].meets() && aboveHasNumbers(i) ? 1 : 0;
        return count;
    }
    /// Returns how many visible columns lack space for their label, if the result has numbers.
    Index missingLabels() const {
        const std::vector<double> &widths = m_request.result.columnWidths;
        if (!m_choice.resultNumbers || widths.empty())
            return 0;
        const HeatmapGeometry cells = at(labelled(), {}, m_cell, m_rows, m_columns, true).cells;
        const auto widthOf = [&widths](Index column) {
            return widths[static_cast<std::size_t>(column)];
        };
        return m_columns.count -
               std::ssize(untouchedLabels(cells, widthOf, std::ssize(widths), std::nullopt));
    }
    /// Returns the matrix that the labels of the result's columns are above.
    const CloseUpShape &labelled() const {
        return m_request.above.empty() || hasLabelsInCard() ? m_request.result
                                                            : m_request.above.front();
    }
    /// True if the labels are in the card, because the upper operand has other columns.
    bool hasLabelsInCard() const {
        return !m_request.above.empty() && m_request.above.front().isSampled &&
               m_request.result.columnLabels > 0;
    }
    double labelsInCard() const { return hasLabelsInCard() ? m_request.labelHeight + px(3) : 0; }
    bool hasBlocks() const { return !m_request.above.empty() && m_request.above.front().isBlock; }

    void measureParts() {
        const CloseUpShape &result = m_request.result;
        m_columns = shownPartOf(result.columns, m_choice.columns, result.focusColumn);
        m_rows = shownPartOf(result.rows, m_choice.rows, result.focusRow);
        m_hidden = HiddenHeads::of(m_request, m_columns);
        for (std::size_t i = 0; i < m_request.left.size(); ++i) {
            const CloseUpShape &one = m_request.left[i];
            if (!leftHasNumbers(i))
                m_leftColumns.push_back({0, one.columns, one.columns});
            else if (one.meets())
                m_leftColumns.push_back(see(shownSummedPartOf(one, m_choice.leftSummed)));
            else if (one.columns == result.columns)
                m_leftColumns.push_back(m_columns);
            else
                m_leftColumns.push_back(
                    shownPartOf(one.columns, m_choice.columns, one.focusColumn));
        }
        for (std::size_t i = 0; i < m_request.above.size(); ++i) {
            const CloseUpShape &one = m_request.above[i];
            m_aboveRows.push_back(aboveHasNumbers(i) && (one.isSummed || one.isBlock)
                                      ? see(shownPartOf(one.rows, m_choice.summed, one.focusRow))
                                      : Part{0, one.rows, one.rows});
        }
    }
    Part see(const Part &part) {
        const double share =
            static_cast<double>(part.count) / times(1, std::max<Index>(1, part.all));
        m_seen += share;
        m_leastSeen = std::min(m_leastSeen, share);
        ++m_summedParts;
        m_missing = std::max(m_missing, static_cast<double>(kMinPart - part.count));
        return part;
    }
    /// Returns the smallest visible share of the summed axes, plus a small weight of the mean
    /// share.
    double sightOfSummed() const {
        return m_summedParts > 0 ? m_leastSeen + kMeanSight * m_seen / m_summedParts : 1;
    }

    bool hasColumnLabels() const {
        const auto has = [](const CloseUpShape &one) { return one.columnLabels > 0; };
        return m_request.above.empty()
                   ? has(m_request.result) || std::ranges::any_of(m_request.left, has)
                   : std::ranges::any_of(m_request.above, has);
    }
    /// Returns the height of the titles and column labels at the top.
    double topHeight() const {
        return m_request.titleHeight + px(2) +
               (hasColumnLabels() ? m_request.labelHeight + px(3) : 0);
    }
    /// Returns the extent of a matrix without numbers along an axis with `count` cells.
    double colourExtent(Index count, double cell, double area) const {
        const double most = kMaxColourShare * area;
        const double least = std::min(px(kMinColours), most);
        const bool isSmall = m_choice.isTight || m_request.isNarrow;
        return std::round(isSmall ? least : std::clamp(times(cell, count), least, most));
    }
    double moreWidth(const Part &columns) const { return columns.isCut() ? px(kMoreWidth) : 0; }
    double moreHeight(const Part &rows) const {
        return rows.isCut() ? px(m_choice.isTight ? kTightMoreHeight : kMoreWidth) : 0;
    }

    bool chooseHeights() {
        const CloseUpShape &result = m_request.result;
        const double area = m_request.area.height();
        double fixed = topHeight() + 2 * padding() + labelsInCard() + m_request.labelHeight +
                       px(6) + 2 * moreHeight(m_rows);
        double numberRows = 0, numberHeight = 0;
        for (std::size_t i = 0; i < m_request.above.size(); ++i) {
            if (hasBlocks() && i > 0)
                break; // blocks are side by side
            const CloseUpShape &one = m_request.above[i];
            fixed += px(kAboveGap) + 2 * moreHeight(m_aboveRows[i]);
            if (aboveHasNumbers(i)) {
                numberRows += static_cast<double>(m_aboveRows[i].count);
                numberHeight = std::max(numberHeight, one.numberCell.height());
            }
        }
        // Matrices without numbers together take a limited part of the height.
        std::vector<double> colours(m_request.above.size(), 0);
        double coloured = 0;
        for (std::size_t i = 0; i < m_request.above.size(); ++i)
            if (!aboveHasNumbers(i) && !(hasBlocks() && i > 0)) {
                colours[i] = m_request.above[i].rows == 1
                                 ? px(12)
                                 : colourExtent(m_request.above[i].rows, px(kColourCell), area);
                coloured += colours[i];
            }
        const double room = area - fixed - coloured;
        const double rows = static_cast<double>(std::max<Index>(1, m_rows.count));
        // px; without numbers, a pixel may show many rows
        double minHeight = m_choice.resultNumbers ? result.numberCell.height() : 1.0 / (1 << 16);
        for (std::size_t i = 0; i < m_request.left.size(); ++i)
            if (leftHasNumbers(i)) { // an operand with other rows is as tall as the whole result
                const CloseUpShape &one = m_request.left[i];
                const double ratio = one.rows == result.rows ? 1 : times(1, one.rows) / rows;
                minHeight = std::max(minHeight, std::ceil(ratio * one.numberCell.height()));
            }
        const double maxHeight = std::max(m_request.maxCell * px(kMaxCellHeight), minHeight);
        double height = room / (rows + kUpperShare * numberRows);
        double upper =
            numberRows > 0
                ? std::max(numberHeight, std::floor(kUpperShare * std::min(height, maxHeight)))
                : 0;
        height = std::min((room - numberRows * upper) / rows, maxHeight);
        if (height < minHeight)
            return false;
        m_cell.setHeight(height >= 8 ? std::floor(height) : height);
        for (std::size_t i = 0; i < m_request.above.size(); ++i) {
            const std::size_t of = hasBlocks() ? 0 : i;
            const double one = aboveHasNumbers(of)
                                   ? std::min(upper, std::max(m_cell.height(), numberHeight))
                                   : colours[of] / times(1, m_request.above[of].rows);
            m_aboveHeights.push_back(one);
        }
        return true;
    }

    double rowLabels() const {
        const CloseUpShape &first =
            m_request.left.empty() ? m_request.result : m_request.left.front();
        double width = first.rowLabels;
        if (m_request.left.empty()) // the labels of the upper operands are in the same column
            for (const CloseUpShape &one : m_request.above)
                width = std::max(width, one.rowLabels);
        return width > 0
                   ? std::ceil(std::min(width, kMaxLabelShare * m_request.area.width())) + kLabelGap
                   : 0;
    }
    double notes() const {
        if (m_request.above.empty())
            return 0;
        double chips = 0;
        for (const QSizeF &chip : m_request.chips)
            chips = std::max(chips, chip.width());
        return std::max(std::clamp(m_request.result.notes + px(10), px(kMinNotes), px(kMaxNotes)),
                        chips > 0 ? chips + px(10) : 0);
    }

    bool chooseWidths() {
        const CloseUpShape &result = m_request.result;
        const double area = m_request.area.width();
        double fixed = rowLabels() + 2 * padding() + notes() + 2 * moreWidth(m_columns) +
                       static_cast<double>(m_request.left.size()) * px(kGap) +
                       m_hidden.spanBefore() + std::max(0.0, m_hidden.spanAfter() - notes());
        double numbers = 0;
        std::vector<std::size_t> alike; // operands without numbers, as wide as the result
        double widestSymbol = 0;        // px, at the smallest type size
        for (std::size_t i = 0; i < m_request.left.size(); ++i) {
            const CloseUpShape &one = m_request.left[i];
            fixed += 2 * moreWidth(m_leftColumns[i]);
            const double symbol = kSmallTitle * one.titles[0] - px(kGap) + px(kTitleGap);
            if (!m_choice.resultNumbers && !m_choice.isTight && one.columns == result.columns &&
                one.columns > 1) {
                alike.push_back(i);
                widestSymbol = std::max(widestSymbol, symbol);
                m_leftWidths.push_back(0);
                continue;
            }
            if (leftHasNumbers(i)) {
                numbers += times(one.numberCell.width(), m_leftColumns[i].count);
                m_leftWidths.push_back(0);
                continue;
            }
            const double cell = std::min(px(kColourCell), std::max(m_cell.height(), 1.0));
            const double extent =
                std::max(symbol, one.columns == 1 ? px(16) : colourExtent(one.columns, cell, area));
            m_leftWidths.push_back(extent / times(1, std::max<Index>(1, one.columns)));
            fixed += extent;
        }
        if (!m_choice.resultNumbers) {
            const double all =
                times(1 + static_cast<double>(alike.size()), std::max<Index>(1, result.columns));
            const double width =
                std::min({(area - fixed) / all, m_request.maxCell * px(kMaxCellWidth),
                          kMaxAspect * std::max(m_cell.height(), 1.0)});
            if (width <= 0 || times(width, result.columns) < widestSymbol)
                return false;
            m_cell.setWidth(width >= 8 ? std::floor(width) : width);
            for (const std::size_t i : alike)
                m_leftWidths[i] = m_cell.width();
            const double most = 2 * kMaxAspect * m_cell.width(); // taller cells look like lines
            m_cell.setHeight(std::min(m_cell.height(), std::max(most, 1.0)));
            return true;
        }
        double least = result.numberCell.width();
        for (std::size_t i = 0; i < m_request.above.size(); ++i)
            if (aboveHasNumbers(i))
                least = std::max(least, m_request.above[i].numberCell.width());
        numbers += times(least, m_columns.count);
        const double aspect = std::max(kMaxAspect * m_cell.height(), result.columnLabels + 4);
        const double most = std::min(m_request.maxCell * px(kMaxCellWidth) / least,
                                     std::max(1.0, aspect / least)); // for complete labels
        double grown = std::min((area - fixed) / numbers, most);
        if (grown < 1)
            return false;
        // The cells of an operand are not wider than the result's. All cells share the remaining
        // space.
        const auto leftWidth = [&](std::size_t i, double by) {
            const double number = m_request.left[i].numberCell.width();
            return std::min(std::floor(number * by), std::max(std::floor(least * by), number));
        };
        const auto widthOf = [&](double by) {
            double width = times(std::floor(least * by), m_columns.count);
            for (std::size_t i = 0; i < m_request.left.size(); ++i)
                if (leftHasNumbers(i))
                    width += times(leftWidth(i, by), m_leftColumns[i].count);
            return width;
        };
        while (grown * kGrowth <= most && widthOf(grown * kGrowth) <= area - fixed)
            grown *= kGrowth;
        m_cell.setWidth(std::floor(least * grown));
        for (std::size_t i = 0; i < m_request.left.size(); ++i)
            if (leftHasNumbers(i))
                m_leftWidths[i] = leftWidth(i, grown);
        return true;
    }

    Placed at(const CloseUpShape &matrix, QPointF corner, const QSizeF &cell, const Part &rows,
              const Part &columns, bool hasNumbers) const {
        Placed placed;
        HeatmapGeometry &cells = placed.cells;
        cells.rows = rows.count;
        cells.columns = columns.count;
        cells.origin = {rows.first, columns.first};
        cells.isWindow = rows.isCut() || columns.isCut();
        cells.cell = cell;
        cells.lineHeight = m_request.labelHeight;
        cells.cells = QRectF(
            corner, QSizeF(times(cell.width(), columns.count), times(cell.height(), rows.count)));
        cells.used = cells.cells;
        cells.area = cells.cells.adjusted(-3, -3, 3, 3); // includes an outline
        placed.hasNumbers = hasNumbers;
        placed.hasMoreLeft = columns.first > 0 && !matrix.isBlock;
        placed.hasMoreRight = columns.first + columns.count < columns.all && !matrix.isBlock;
        placed.hasMoreAbove = columns.count > 0 && rows.first > 0;
        placed.hasMoreBelow = columns.count > 0 && rows.first + rows.count < rows.all;
        cells.rowLabelDistance = matrix.isBlock ? 0 : moreWidth(columns);
        cells.columnLabelDistance = moreHeight(rows);
        cells.thinsTouchingLabels = m_choice.resultNumbers; // long words do not hide short ones
        if (matrix.columnLabels > 0) {
            const double least = px(matrix.columnLabels <= px(56) ? 56 : 44); // for usual words
            cells.giveColumnLabels(
                std::min(matrix.columnLabels, std::max(cell.width() - 4, least)));
        }
        return placed;
    }
    void giveRowLabels(Placed &placed, double width) const {
        if (width <= 0)
            return;
        placed.cells.rowLabelWidth = width - kLabelGap;
        placed.cells.rowLabelStep =
            std::max<Index>(1, static_cast<Index>(std::ceil(0.95 * m_request.labelHeight /
                                                            placed.cells.cell.height())));
    }
    /// Returns the right end of a title at this height, before the row labels of the upper
    /// operands.
    double beforeLabels(const CloseUpGeometry &geometry, double top, double end) const {
        for (const Placed &over : geometry.above)
            if (const HeatmapGeometry &at = over.cells;
                at.rowLabelWidth > 0 && at.cells.bottom() > top &&
                at.cells.top() < top + m_request.titleHeight)
                end = std::min(end, at.cells.left() - at.rowLabelWidth - px(6));
        return end;
    }
    void giveTitle(Placed &placed, const CloseUpShape &matrix, double y, double right) const {
        placeTitle(placed, matrix, m_request,
                   QRectF(placed.cells.cells.left(), y,
                          std::max(0.0, right - placed.cells.cells.left()), m_request.titleHeight));
    }

  public:
    /// Places everything to the right of and below `start`. The titles end inside the area.
    CloseUpGeometry placed(const QPointF &start) const {
        const CloseUpShape &result = m_request.result;
        CloseUpGeometry geometry;
        geometry.form = m_choice.resultNumbers ? CloseUpGeometry::Form::Numbers
                                               : CloseUpGeometry::Form::Colours;
        const double labels = rowLabels();
        // Horizontally: the left operands, then the result.
        const double begin = start.x() + m_hidden.spanBefore();
        double x = begin + labels;
        std::vector<double> lefts;
        for (std::size_t i = 0; i < m_request.left.size(); ++i) {
            lefts.push_back(x + moreWidth(m_leftColumns[i]));
            x += times(m_leftWidths[i], m_leftColumns[i].count) + 2 * moreWidth(m_leftColumns[i]) +
                 px(kGap);
        }
        const double card = m_request.left.empty() ? begin : x;
        x += padding() + moreWidth(m_columns);
        const double width = times(m_cell.width(), m_columns.count);
        const double cardRight = x + width + moreWidth(m_columns) + padding();
        const double right = cardRight + std::max(notes(), m_hidden.spanAfter());
        // Vertically: the upper operands, then the result.
        double y = start.y() + topHeight();
        for (std::size_t i = 0; i < m_request.above.size(); ++i) {
            const CloseUpShape &one = m_request.above[i];
            if (!hasBlocks() || i == 0)
                y += moreHeight(m_aboveRows[i]);
            const double height = times(m_aboveHeights[i], m_aboveRows[i].count);
            const Part columns = one.isBlock     ? shownBlockOf(one, m_columns)
                                 : one.isSampled ? Part{0, one.columns, one.columns}
                                                 : m_columns;
            const double cellWidth =
                one.isSampled ? width / times(1, std::max<Index>(1, one.columns)) : m_cell.width();
            Placed placed =
                at(one, {x + (one.isBlock ? startOf(one, columns) : 0), y},
                   {cellWidth, m_aboveHeights[i]}, m_aboveRows[i], columns, aboveHasNumbers(i));
            if (one.isBlock && columns.count == 0 && m_hidden.width > 0) {
                const double left =
                    m_hidden.leftOf(i, m_request.above.size(), start.x(), cardRight);
                placed = at(one, {left, y},
                            {m_hidden.width / times(1, one.columns), height / times(1, one.rows)},
                            {0, one.rows, one.rows}, {0, one.columns, one.columns}, false);
                placed.isAside = true;
            }
            giveRowLabels(placed,
                          one.rowLabels > 0 && (!one.isBlock || i == m_hidden.before)
                              ? std::min(one.rowLabels + kLabelGap,
                                         std::max(labels, px(kGap) + padding() + leftWidth()))
                              : 0);
            if (i > 0)
                placed.cells.columnLabelWidth = one.isBlock ? placed.cells.columnLabelWidth : 0;
            if (i == 0 || one.isBlock) {
                const double end =
                    one.isBlock ? placed.cells.cells.right() - 4 : m_request.area.right();
                giveTitle(placed, one, start.y(), end);
            } else {
                const double middle = placed.cells.cells.center().y();
                placeTitle(placed, one, m_request,
                           QRectF(cardRight + px(4), middle - m_request.titleHeight / 2,
                                  std::max(notes() - px(4), 0.0), m_request.titleHeight),
                           1);
            }
            geometry.above.push_back(placed);
            if (!hasBlocks() || i + 1 == m_request.above.size())
                y += height + moreHeight(m_aboveRows[i]) + px(kAboveGap);
        }
        if (!m_request.above.empty())
            y += padding();
        const double more = moreHeight(m_rows);
        const double cardTop = m_request.above.empty() ? start.y() - px(4) : y - padding();
        const double top = y + labelsInCard() + more;
        const double height = times(m_cell.height(), m_rows.count);
        const double bottom = top + height + more;
        geometry.result = at(result, {x, top}, m_cell, m_rows, m_columns, m_choice.resultNumbers);
        geometry.result.cells.colourBar = QRectF(
            x, bottom + px(6), std::max(width, right - x - padding()), m_request.labelHeight);
        double barRight = cardRight;
        if (m_request.above.empty()) { // the card contains the title and the controls beside it
            const double chips = chipsWidth(m_request, fittingChips(m_request, x)),
                         areaRight = m_request.area.right();
            giveTitle(geometry.result, result, start.y(), areaRight - chips);
            const double title = result.titles[static_cast<std::size_t>(geometry.result.detail)];
            barRight = std::max(barRight, std::min(areaRight, x + title + chips + padding()));
        }
        geometry.result.cells.colourBar.setRight(m_request.area.right());
        geometry.card = QRectF(QPointF(card, cardTop), QPointF(barRight, bottom + padding()));
        if (m_request.above.empty()) {
            placeChipsBeside(geometry, m_request);
        } else {
            if (!hasLabelsInCard()) // the labels are above the first operand
                geometry.result.cells.columnLabelWidth = 0;
            geometry.result.isNoted = true;
            const double lowest =
                m_hidden.spanAfter() > 0 ? cardTop : lowestTitle(geometry, start.y());
            placeNotes(geometry, m_request, {cardRight + px(8), lowest}, notes() - px(8));
        }
        if (m_request.left.empty())
            giveRowLabels(geometry.result, labels);
        for (std::size_t i = 0; i < m_request.left.size(); ++i) {
            const CloseUpShape &one = m_request.left[i];
            // An operand with fewer or more rows than the result shows all its rows.
            const bool isSame = one.rows == result.rows;
            const double cellHeight =
                isSame ? m_cell.height() : height / times(1, std::max<Index>(1, one.rows));
            Placed placed = at(one, {lefts[i], top}, {m_leftWidths[i], cellHeight},
                               isSame ? m_rows : Part{0, one.rows, one.rows}, m_leftColumns[i],
                               leftHasNumbers(i));
            if (i == 0)
                giveRowLabels(placed, labels);
            const double above =
                placed.cells.columnLabelDistance +
                (placed.cells.columnLabelWidth > 0 ? m_request.labelHeight + px(5) : px(3));
            const double end =
                i + 1 < m_request.left.size() ? lefts[i + 1] - px(kTitleGap) : card - px(4);
            const double titleTop =
                m_request.above.empty() ? start.y() : top - above - m_request.titleHeight;
            const double symbolEnd = lefts[i] + one.titles[0]; // the symbol is never truncated
            giveTitle(placed, one, titleTop,
                      std::max(std::min(symbolEnd, end), beforeLabels(geometry, titleTop, end)));
            geometry.left.push_back(placed);
            const double signX = placed.cells.cells.right() + moreWidth(m_leftColumns[i]);
            geometry.signs.emplace_back(signX, top + height / 2 - m_request.titleHeight / 2,
                                        px(kGap), m_request.titleHeight);
        }
        geometry.used =
            QRectF(start, QPointF(std::max(right, barRight),
                                  geometry.card.bottom() + m_request.labelHeight + px(6)));
        QRectF &bar = geometry.result.cells.colourBar;
        bar.moveTop(geometry.card.bottom() + px(3));
        if (bar.width() < m_request.colourBar) // use the space to the left
            bar.setLeft(std::max(m_request.area.left(), bar.right() - m_request.colourBar));
        return geometry;
    }

  private:
    /// Returns the y below which the area to the right of the card is free.
    double lowestTitle(const CloseUpGeometry &geometry, double start) const {
        double y = start + (hasColumnLabels() ? topHeight() : m_request.titleHeight);
        if (!hasBlocks())
            for (std::size_t i = 1; i < geometry.above.size(); ++i)
                y = std::max(y, geometry.above[i].title.bottom());
        return y;
    }
    double startOf(const CloseUpShape &block, const Part &columns) const {
        return columns.count > 0
                   ? times(m_cell.width(), block.firstColumn + columns.first - m_columns.first)
                   : 0;
    }
    double leftWidth() const {
        double width = 0;
        for (std::size_t i = 0; i < m_leftWidths.size(); ++i)
            width += times(m_leftWidths[i], m_leftColumns[i].count);
        return width;
    }

    const CloseUpRequest &m_request;
    CloseUpCandidate m_choice;
    double m_scale;
    Part m_columns, m_rows;
    HiddenHeads m_hidden;
    std::vector<Part> m_leftColumns, m_aboveRows;
    std::vector<double> m_leftWidths, m_aboveHeights; // size of each operand's cells
    QSizeF m_cell;
    double m_seen = 0; // sum of the visible shares of the summed axes
    double m_leastSeen = 1;
    int m_summedParts = 0;
    double m_missing = 0; // numbers of the summed axis that a short part lacks
};

std::optional<CloseUpCandidate> bestOf(const CloseUpRequest &request, Index rows) {
    std::optional<CloseUpCandidate> best;
    Score bestScore;
    for (const CloseUpCandidate &choice : closeUpCandidates(request, rows)) {
        Placing placing(request, choice);
        if (!placing.fits() || (best && placing.score() <= bestScore))
            continue;
        best = choice;
        bestScore = placing.score();
    }
    return best;
}

} // namespace

CloseUpGeometry CloseUpGeometry::of(const CloseUpRequest &request) {
    std::optional<CloseUpCandidate> best;
    for (const Index rows : CloseUpCandidate::kParts) {
        if (rows > 0 && (!request.hidesRows || rows >= request.result.rows))
            continue;
        if (const auto found = bestOf(request, rows); found && (!best || found->resultNumbers))
            best = found;
        if (best && best->resultNumbers)
            break;
    }
    if (!best)
        return {};
    Placing placing(request, *best);
    placing.fits();
    const QRectF &area = request.area;
    const QRectF used = placing.placed(area.topLeft()).used;
    // Centre horizontally, and place slightly above the middle vertically.
    const QPointF spare(std::max(0.0, area.right() - used.right()),
                        std::max(0.0, area.bottom() - used.bottom()));
    return placing.placed(area.topLeft() +
                          QPointF(std::floor(spare.x() / 2), std::floor(spare.y() / 3)));
}

} // namespace headlight::ui
