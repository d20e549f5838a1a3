#include "ui/figures/close_up/close_up_motion.h"

#include "ui/figures/heatmap/heatmap_painting.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Index;

constexpr std::size_t kMaxNumbers = 1200; // above this limit, only outlines move
constexpr double kMeetingTime = 0.55;     // time at which all numbers are in rows, one per part
constexpr double kLeavingTime = 0.7;      // time until which the numbers stay in these rows
constexpr double kFadingTime = 0.78; // time from which the numbers fade out and the result appears

double eased(double time) {
    return time * time * (3 - 2 * time);
}

QRectF between(const QRectF &a, const QRectF &b, double share) {
    const auto mix = [share](double x, double y) { return x + (y - x) * share; };
    return {mix(a.left(), b.left()), mix(a.top(), b.top()), mix(a.width(), b.width()),
            mix(a.height(), b.height())};
}

/// Returns the n-th of `count` equal parts, side by side or stacked.
QRectF partOf(const QRectF &whole, Index n, Index count, bool isBeneath) {
    const double share = 1 / static_cast<double>(count), first = static_cast<double>(n) * share;
    return isBeneath ? QRectF(whole.left(), whole.top() + first * whole.height(), whole.width(),
                              share * whole.height())
                     : QRectF(whole.left() + first * whole.width(), whole.top(),
                              share * whole.width(), whole.height());
}

} // namespace

class CloseUpMotion::Maker {
  public:
    Maker(const CloseUpFigure &figure, const CloseUpFigure::Places &places, const QRectF &bounds,
          const FigureStyle &style)
        : m_figure(figure),
          m_places(places),
          m_result(places.picture.result.cells),
          m_bounds(bounds.adjusted(8, 8, -8, -8)),
          m_style(style),
          m_row(figure.parts().result.content.selectedRow),
          m_column(figure.parts().result.content.selectedColumn) {}

    void make(CloseUpMotion &motion) {
        if (m_result.cell.isEmpty())
            return;
        const QRectF target = rectOf(m_row, m_column);
        if (target.isEmpty())
            return;
        motion.m_covered = {target};
        for (std::size_t i = 0; i < m_figure.parts().left.size(); ++i)
            addPart(m_figure.parts().left[i], m_places.picture.left[i]);
        for (std::size_t i = 0; i < m_figure.parts().above.size(); ++i)
            addPart(m_figure.parts().above[i], m_places.picture.above[i]);
        if (m_figure.isOpened() && !m_places.table.isEmpty())
            return addOpened(motion);
        std::size_t numbers = 0;
        for (const MovingPart &part : m_parts)
            numbers += part.count;
        for (std::size_t which = 0; which < m_parts.size(); ++which)
            if (numbers > kMaxNumbers)
                addOutline(m_parts[which], motion);
            else
                addNumbers(m_parts[which], which, motion);
    }

  private:
    struct Number {
        Cell cell;      ///< cell of the operand in the picture
        QRectF goal;    ///< its destination in the result
        Index term = 0; ///< index of the term in the sum
    };
    /// The shown numbers of a matrix that contribute to the target.
    struct MovingPart {
        const CloseUpPart *part = nullptr;
        const HeatmapGeometry *cells = nullptr;
        QRectF outline;
        std::size_t count = 0;
        std::vector<Number> numbers; ///< empty if there are too many
        CellNumbers written;         ///< number format of the matrix
        Index terms = 1; ///< how many numbers of this matrix each number of the result uses

        QColor colour() const { return part->content.titleColour; }
    };

    /// Returns the rectangle of a number, row or column of the result; empty if it is not visible.
    QRectF rectOf(std::optional<Index> row, std::optional<Index> column) const {
        if ((row && !m_result.showsRow(*row)) || (column && !m_result.showsColumn(*column)))
            return {};
        return row && column ? m_result.cellRect(*row, *column)
               : row         ? m_result.rowRect(*row)
               : column      ? m_result.columnRect(*column)
                             : m_result.cells;
    }

    /// Adds a stage or a parameter. Intermediate results do not move, because no other picture
    /// shows them.
    void addPart(const CloseUpPart &part, const CloseUpGeometry::Placed &placed) {
        using Shares = CloseUpPart::Shares;
        const HeatmapGeometry &cells = placed.cells;
        if ((!part.at && !part.learned) || part.isSampled || cells.cell.isEmpty())
            return;
        const bool hasRows =
            part.shares == Shares::Rows || part.shares == Shares::Cells || part.isBlock;
        const bool hasColumns = part.shares == Shares::Columns || part.shares == Shares::Cells;
        const auto among = [](Index first, Index end, bool isOwn, std::optional<Index> selected) {
            return isOwn && selected
                       ? std::pair(std::max(first, *selected), std::min(end, *selected + 1))
                       : std::pair(first, end);
        };
        const auto [firstRow, endRow] = among(cells.origin.row, cells.endRow(), hasRows, m_row);
        const auto [firstColumn, endColumn] =
            among(cells.origin.column, cells.endColumn(), hasColumns,
                  m_column ? std::optional(*m_column - part.firstColumn) : std::nullopt);
        if (firstRow >= endRow || firstColumn >= endColumn)
            return; // not visible
        MovingPart moving;
        moving.part = &part;
        moving.cells = &cells;
        moving.written = writtenIn(cells.cell, part.content, m_style);
        moving.outline =
            cells.cellRect(firstRow, firstColumn).united(cells.cellRect(endRow - 1, endColumn - 1));
        moving.count = static_cast<std::size_t>((endRow - firstRow) * (endColumn - firstColumn));
        moving.terms = (hasRows ? 1 : part.rows()) * (hasColumns ? 1 : part.columns());
        for (Index row = firstRow; row < endRow && moving.count <= kMaxNumbers; ++row)
            for (Index column = firstColumn; column < endColumn; ++column) {
                QRectF goal =
                    rectOf(hasRows ? std::optional(row) : m_row,
                           hasColumns ? std::optional(column + part.firstColumn) : m_column);
                if (goal.isEmpty())
                    continue; // not visible
                if (hasColumns && !hasRows)
                    goal = partOf(goal, row - cells.origin.row, cells.rows, true);
                else if (hasRows && !hasColumns)
                    goal = partOf(goal, column - cells.origin.column, cells.columns, false);
                const Index term = (hasRows ? 0 : row) * (hasColumns ? 1 : part.columns()) +
                                   (hasColumns ? 0 : column);
                moving.numbers.push_back({{row, column}, goal, term});
            }
        m_parts.push_back(std::move(moving));
    }

    /// Returns where number `n` of part `which` waits in front of the result until the parts are
    /// combined. Each part is a row. The rows are as large as the area allows.
    QRectF meetingOf(const MovingPart &part, std::size_t which, std::size_t n) const {
        const auto count = static_cast<double>(part.numbers.size());
        const double width = std::min(m_style.scaled(46), m_bounds.width() / count);
        const double height = m_style.scaled(22);
        QRectF strips(0, 0, width * count, static_cast<double>(m_parts.size()) * (height + 2));
        strips.moveCenter(rectOf(m_row, m_column).center());
        strips.moveLeft(std::clamp(strips.left(), m_bounds.left(),
                                   std::max(m_bounds.left(), m_bounds.right() - strips.width())));
        strips.moveTop(std::clamp(strips.top(), m_bounds.top(),
                                  std::max(m_bounds.top(), m_bounds.bottom() - strips.height())));
        return {strips.left() + static_cast<double>(n) * width,
                strips.top() + static_cast<double>(which) * (height + 2), width, height};
    }

    void addNumbers(const MovingPart &part, std::size_t which, CloseUpMotion &motion) {
        for (std::size_t n = 0; n < part.numbers.size(); ++n) {
            Piece piece = pieceOf(part, part.numbers[n].cell);
            piece.to = part.numbers[n].goal;
            if (m_row && m_column) // gather the terms before they are combined
                piece.meeting = meetingOf(part, which, n);
            motion.m_pieces.push_back(std::move(piece));
        }
    }

    Piece pieceOf(const MovingPart &part, Cell cell) const {
        const HeatmapContent &content = part.part->content;
        const auto number = static_cast<double>(content.matrix()(cell.row, cell.column));
        Piece piece;
        piece.from = part.cells->cellRect(cell.row, cell.column);
        piece.fill = content.isHidden(cell.row, cell.column)
                         ? m_style.hidden
                         : QColor::fromRgb(content.scale.colour(cell.row, number));
        piece.text = part.written.text(number);
        piece.outline = part.colour();
        return piece;
    }

    /// Moves each number into its box of the arithmetic. Numbers without a box do not move.
    void addOpened(CloseUpMotion &motion) const {
        const ArithmeticTable &table = m_figure.table();
        ArithmeticLayout layout = table.layout(m_places.inTable(), m_places.tableScroll);
        const core::OpenedArithmetic &opened = table.arithmetic();
        if (!layout.window.isEmpty()) // lines that the window cuts do not move
            std::erase_if(layout.blocks, [&](const ArithmeticLayout::Block &block) {
                return !layout.window.contains(block.names.front().united(block.names.back()));
            });
        coverNumbers(layout, opened, motion);
        std::size_t row = 0;
        for (const MovingPart &part : m_parts) {
            while (row < opened.rows.size() && opened.rows[row].isMade)
                ++row;
            const bool isOne = part.terms == 1;
            if (row == opened.rows.size() ||
                (!isOne && std::ssize(opened.rows[row].numbers) != part.terms))
                return;
            for (const ArithmeticLayout::Block &block : layout.blocks)
                for (const ArithmeticLayout::Place &place : block.places) {
                    if (!place.column || (isOne && place.column != opened.stressed))
                        continue;
                    const auto number =
                        std::ranges::find(part.numbers, isOne ? 0 : *place.column, &Number::term);
                    if (number == part.numbers.end())
                        continue; // not visible
                    Piece piece = pieceOf(part, number->cell);
                    piece.to = place.cells[row];
                    piece.meeting = piece.to; // the number moves straight to its box
                    motion.m_pieces.push_back(std::move(piece));
                }
            ++row;
        }
    }

    /// Covers the numbers of the arithmetic. Names, signs and empty boxes are visible from the
    /// start.
    static void coverNumbers(const ArithmeticLayout &layout, const core::OpenedArithmetic &opened,
                             CloseUpMotion &motion) {
        const double edge = 0.25 * layout.pixels; // border of a box
        for (const ArithmeticLayout::Block &block : layout.blocks)
            for (const ArithmeticLayout::Place &place : block.places)
                for (std::size_t row = 0; row < place.cells.size(); ++row) {
                    const bool isBoxed = place.column && !opened.rows[row].isMade;
                    const double inset = isBoxed ? edge : 0;
                    motion.m_covered.push_back(
                        place.cells[row].adjusted(inset, inset, -inset, -inset));
                }
        motion.m_covered.insert(motion.m_covered.end(), layout.lines.begin(), layout.lines.end());
    }

    void addOutline(const MovingPart &part, CloseUpMotion &motion) const {
        Piece piece;
        piece.from = part.outline;
        piece.to = rectOf(m_row, m_column);
        piece.outline = part.colour();
        motion.m_pieces.push_back(std::move(piece));
    }

    const CloseUpFigure &m_figure;
    const CloseUpFigure::Places &m_places;
    const HeatmapGeometry &m_result;
    QRectF m_bounds;
    const FigureStyle &m_style;
    std::optional<Index> m_row, m_column; ///< the target; if both are unset, the whole matrix
    std::vector<MovingPart> m_parts;
};

CloseUpMotion::CloseUpMotion(const CloseUpFigure &figure, const CloseUpFigure::Places &places,
                             const QRectF &bounds, const FigureStyle &style)
    : m_style(style) {
    Maker(figure, places, bounds, m_style).make(*this);
}

QRectF CloseUpMotion::placeOf(const Piece &piece, double time) {
    if (piece.meeting.isEmpty())
        return between(piece.from, piece.to, eased(time));
    if (time < kMeetingTime)
        return between(piece.from, piece.meeting, eased(time / kMeetingTime));
    if (time < kLeavingTime)
        return piece.meeting;
    return between(piece.meeting, piece.to, eased((time - kLeavingTime) / (1 - kLeavingTime)));
}

QRectF CloseUpMotion::area() const {
    QRectF area;
    for (const QRectF &one : m_covered)
        area = area.united(one);
    for (const Piece &piece : m_pieces)
        area = area.united(piece.from).united(piece.meeting).united(piece.to);
    return area.adjusted(-3, -3, 3, 3);
}

void CloseUpMotion::paint(QPainter &painter, double time) const {
    painter.save();
    // Fade out the operands before the result appears, so that numbers never overlap.
    const double middle = (kFadingTime + 1) / 2;
    const double shown = std::clamp((middle - time) / (middle - kFadingTime), 0.0, 1.0);
    const double cover = std::clamp((1 - time) / (1 - middle), 0.0, 1.0);
    painter.setOpacity(cover);
    for (const QRectF &one : m_covered)
        painter.fillRect(one, m_style.surface);
    painter.setOpacity(shown);
    painter.setRenderHint(QPainter::Antialiasing, false); // not needed for moving edges
    QFont font = m_style.font(FigureStyle::Text::Cell);
    for (const Piece &piece : m_pieces) {
        const QRectF place = placeOf(piece, time);
        if (piece.text.isEmpty()) {
            painter.setPen(QPen(piece.outline, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(place);
            continue;
        }
        painter.fillRect(place.adjusted(0, 0, -1, -1), piece.fill);
        const double fitting = std::min(
            {0.6 * place.height(), m_style.scaled(18),
             1.7 * place.width() / static_cast<double>(std::max<qsizetype>(1, piece.text.size()))});
        const double height = std::max<double>(fitting, m_style.minText);
        // In a presentation, a number that is too large for its cell is left out until it reaches
        // the target.
        const double widthOfText = height / 1.7 * static_cast<double>(piece.text.size());
        if (fitting < 8 ||
            (height > fitting && (place.height() < height + 2 || place.width() < widthOfText)))
            continue;
        font.setPixelSize(static_cast<int>(height));
        const bool isDark = contrastOf(Qt::white, piece.fill) > contrastOf(Qt::black, piece.fill);
        painter.setPen(QPen(mixed(piece.outline, m_style.surface, 0.8), 1)); // role colour
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place.adjusted(0, 0, -2, -2));
        painter.setFont(font);
        painter.setPen(isDark ? Qt::white : Qt::black);
        painter.drawText(place, Qt::AlignCenter, piece.text);
    }
    painter.restore();
}

} // namespace headlight::ui
