#include "ui/figures/flow/flow_motion.h"

#include "core/explain/sources.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/parts/model_parts.h"
#include "ui/text/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight::ui {

namespace {

using core::Index;
using core::Region;

constexpr std::size_t kMaxNumbers = 1200; // above this limit only outlines move
constexpr double kMeetingTime = 0.55;     // time when the numbers of two rows are above each other
constexpr double kLeavingTime = 0.7;      // time until which they stay there
constexpr double kFadingTime = 0.78;      // time from which they fade out and the result appears

double eased(double time) {
    return time * time * (3 - 2 * time);
}

QRectF between(const QRectF &a, const QRectF &b, double share) {
    const auto mix = [share](double x, double y) { return x + (y - x) * share; };
    return {mix(a.left(), b.left()), mix(a.top(), b.top()), mix(a.width(), b.width()),
            mix(a.height(), b.height())};
}

/// Returns the n-th of `count` equal parts, side by side or above each other.
QRectF partOf(const QRectF &whole, Index n, Index count, bool isBeneath) {
    const double share = 1 / static_cast<double>(count), first = static_cast<double>(n) * share;
    return isBeneath ? QRectF(whole.left(), whole.top() + first * whole.height(), whole.width(),
                              share * whole.height())
                     : QRectF(whole.left() + first * whole.width(), whole.top(),
                              share * whole.width(), whole.height());
}

} // namespace

class FlowMotion::Maker {
  public:
    Maker(const core::Trace &trace, const FlowFigure &figure, const FlowGeometry &geometry,
          const FigureStyle &style)
        : m_trace(trace),
          m_figure(figure),
          m_geometry(geometry),
          m_style(style),
          m_selection(figure.selection()) {}

    void make(FlowMotion &motion) {
        const auto region = core::regionOf(m_trace.plan(), m_selection);
        if (!region || m_geometry.large.cell.isEmpty())
            return;
        m_target = *region;
        const QRectF target = rectOf(m_target.row, m_target.column);
        if (target.isEmpty())
            return;
        motion.m_covered = {target};
        findParts();
        if (m_figure.opened())
            return addOpened(motion);
        std::size_t numbers = 0;
        for (const MovingPart &part : m_parts)
            numbers += part.count();
        const bool meets = m_target.row && m_target.column; // operands gather before the number
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            if (numbers > kMaxNumbers)
                addOutline(m_parts[i], motion);
            else
                addNumbers(m_parts[i], i, meets, motion);
    }

  private:
    /// Rows and columns of a matrix that contribute to the target. Each row or column of the source
    /// belongs to one of the target, or all belong to the same one.
    struct MovingPart {
        const HeatmapContent *content = nullptr;
        HeatmapGeometry cells;
        core::Rows rows, columns;
        bool rowStays = false;        ///< its rows are the target's rows
        bool rowTurns = false;        ///< its rows are the target's columns
        std::optional<Index> shift{}; ///< its columns are the target's, shifted by this number
        QColor colour;

        bool isColumn() const { return columns.count == 1 && rows.count > 1; }
        std::size_t count() const { return static_cast<std::size_t>(rows.count * columns.count); }
    };

    /// Returns the rectangle in the current matrix; empty if it is not visible.
    QRectF rectOf(std::optional<Index> row, std::optional<Index> column) const {
        const HeatmapGeometry &large = m_geometry.large;
        if ((row && !large.showsRow(*row)) || (column && !large.showsColumn(*column)))
            return {};
        return row && column ? large.cellRect(*row, *column)
               : row         ? large.rowRect(*row)
               : column      ? large.columnRect(*column)
                             : large.cells;
    }

    void findParts() {
        const HeatmapGeometry &large = m_geometry.large;
        // Probes the dependencies of one cell to map rows and columns of the sources to the target.
        // Its row and column indices differ so that they can be distinguished.
        Region probe = m_target;
        probe.row = m_target.row.value_or(large.origin.row);
        probe.column = *probe.row == large.origin.column && large.columns > 1
                           ? large.origin.column + 1
                           : large.origin.column;
        const auto probed = core::sourcesOf(m_trace, m_selection.sequence, probe);
        for (const Region &source : core::sourcesOf(m_trace, m_selection.sequence, m_target)) {
            const auto one = std::ranges::find(probed, source.at, &Region::at);
            if (one != probed.end())
                addPart(source, *one, probe);
        }
        addLearned();
    }

    void addPart(const Region &source, const Region &one, const Region &probe) {
        const auto shown =
            core::regionOf(m_trace.plan(), atStage(m_selection, source.at)); // shown head
        const FlowNode *node = m_geometry.node(source.at);
        const HeatmapContent *content = m_figure.contentAt(source.at);
        if (!node || !content || !shown || shown->head != source.head || content->matrix().empty())
            return;
        MovingPart part;
        part.content = content;
        part.cells = node->cells();
        part.rows = source.row ? core::Rows{*source.row, 1} : core::Rows{0, node->rows};
        part.columns = source.column ? core::Rows{*source.column, 1} : core::Rows{0, node->columns};
        part.rowStays = one.row && one.row == probe.row;
        part.rowTurns = !part.rowStays && one.row && one.row == probe.column;
        if (one.column)
            part.shift = *probe.column - *one.column;
        part.colour = m_style.colourOf(core::infoOf(source.at.stage).role);
        const core::SharedMatrix matrix = content->matrix();
        if (part.rows.first + part.rows.count <= matrix.rows &&
            part.columns.first + part.columns.count <= matrix.columns)
            m_parts.push_back(std::move(part));
    }

    /// Adds the parameter matrix that produces the stage. Its columns are the target's.
    void addLearned() {
        const core::StageId at{m_selection.stage, m_selection.attention()};
        const FlowNode *node = m_geometry.learnedOf(at);
        const ParameterHeatmap *learned = m_figure.learnedOf(at);
        if (!node || !learned || !learned->sample.isWhole())
            return;
        MovingPart part;
        part.content = &learned->content;
        part.cells = node->cells();
        part.rows = {0, node->rows};
        part.columns =
            m_target.column ? core::Rows{*m_target.column, 1} : core::Rows{0, node->columns};
        part.shift = 0;
        part.colour = learned->content.titleColour;
        if (part.columns.first + part.columns.count <= node->columns)
            m_parts.push_back(std::move(part));
    }

    /// Returns the destination of a number.
    QRectF goalOf(const MovingPart &part, Index row, Index column) const {
        const auto toRow = part.rowStays ? std::optional(row) : m_target.row;
        const auto toColumn = part.rowTurns ? std::optional(row)
                              : part.shift  ? std::optional(column + *part.shift)
                                            : m_target.column;
        const QRectF goal = rectOf(toRow, toColumn);
        const bool isOnItsOwn = part.rowStays && part.shift;
        if (goal.isEmpty() || isOnItsOwn)
            return goal;
        if (part.shift || part.isColumn()) // a column of the source for each column of the target
            return partOf(goal, row - part.rows.first, part.rows.count, true);
        return partOf(goal, column - part.columns.first, part.columns.count,
                      part.rowTurns || (!part.rowStays && m_target.column));
    }

    /// Returns the rectangle in which the numbers of part `which` meet in front of the result,
    /// before they combine. The parts are rows below each other, as large as the area allows.
    QRectF meetingOf(const MovingPart &part, std::size_t which, Index n) const {
        const auto count = static_cast<double>(part.count());
        const QRectF area = m_geometry.area.adjusted(8, 8, -8, -8);
        const double width = std::min(m_style.scaled(46), area.width() / count);
        const double height = m_style.scaled(22);
        const auto parts = static_cast<double>(m_parts.size());
        QRectF strips(0, 0, width * count, parts * (height + 2));
        strips.moveCenter(rectOf(m_target.row, m_target.column).center());
        strips.moveLeft(std::clamp(strips.left(), area.left(),
                                   std::max(area.left(), area.right() - strips.width())));
        strips.moveTop(std::clamp(strips.top(), area.top(),
                                  std::max(area.top(), area.bottom() - strips.height())));
        return {strips.left() + static_cast<double>(n) * width,
                strips.top() + static_cast<double>(which) * (height + 2), width, height};
    }

    void addNumbers(const MovingPart &part, std::size_t which, bool meets, FlowMotion &motion) {
        Index n = 0;
        for (Index row = part.rows.first; row < part.rows.first + part.rows.count; ++row)
            for (Index column = part.columns.first;
                 column < part.columns.first + part.columns.count; ++column, ++n) {
                Piece piece = pieceOf(part, row, column);
                piece.to = goalOf(part, row, column);
                if (piece.to.isEmpty())
                    continue; // not visible
                if (meets)
                    piece.meeting = meetingOf(part, which, n);
                motion.m_pieces.push_back(std::move(piece));
            }
    }

    Piece pieceOf(const MovingPart &part, Index row, Index column) const {
        const auto number = static_cast<double>(part.content->matrix()(row, column));
        Piece piece;
        piece.from = part.cells.cellRect(row, column);
        piece.fill = part.content->isHidden(row, column)
                         ? m_style.hidden
                         : QColor::fromRgb(part.content->scale.colour(row, number));
        piece.text = cellText(number);
        piece.outline = part.colour;
        return piece;
    }

    /// Moves each number into its box of the arithmetic. Numbers without a box stay.
    void addOpened(FlowMotion &motion) const {
        const ArithmeticTable &table = m_figure.opened()->table();
        const QRectF inner = m_geometry.arithmetic.adjusted(kCardPadding, kCardPadding,
                                                            -kCardPadding, -kCardPadding);
        const ArithmeticLayout layout = table.layout(inner);
        const core::OpenedArithmetic &opened = table.arithmetic();
        coverNumbers(layout, opened, motion);
        std::size_t row = 0;
        for (const MovingPart &part : m_parts) {
            while (row < opened.rows.size() && opened.rows[row].isMade)
                ++row;
            const bool isOne = part.count() == 1;
            if (row == opened.rows.size() || (!isOne && std::ssize(opened.rows[row].numbers) !=
                                                            static_cast<Index>(part.count())))
                return;
            for (const ArithmeticLayout::Block &block : layout.blocks)
                for (const ArithmeticLayout::Place &place : block.places) {
                    if (!place.column || (isOne && place.column != opened.stressed))
                        continue;
                    const Index n = isOne ? 0 : *place.column;
                    Piece piece = pieceOf(part, part.rows.first + n / part.columns.count,
                                          part.columns.first + n % part.columns.count);
                    piece.to = place.cells[row];
                    piece.meeting = piece.to; // the number of that box
                    motion.m_pieces.push_back(std::move(piece));
                }
            ++row;
        }
    }

    /// Covers the numbers of the arithmetic. Names, signs and empty boxes are visible from the
    /// start.
    static void coverNumbers(const ArithmeticLayout &layout, const core::OpenedArithmetic &opened,
                             FlowMotion &motion) {
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

    void addOutline(const MovingPart &part, FlowMotion &motion) const {
        Piece piece;
        const Index lastRow = part.rows.first + part.rows.count - 1;
        const Index lastColumn = part.columns.first + part.columns.count - 1;
        piece.from = part.cells.cellRect(part.rows.first, part.columns.first)
                         .united(part.cells.cellRect(lastRow, lastColumn));
        piece.to = rectOf(m_target.row, m_target.column);
        piece.outline = part.colour;
        motion.m_pieces.push_back(std::move(piece));
    }

    const core::Trace &m_trace;
    const FlowFigure &m_figure;
    const FlowGeometry &m_geometry;
    const FigureStyle &m_style;
    const core::Selection &m_selection;
    Region m_target;
    std::vector<MovingPart> m_parts;
};

FlowMotion::FlowMotion(const core::Trace &trace, const FlowFigure &figure,
                       const FlowGeometry &geometry, const FigureStyle &style)
    : m_style(style) {
    Maker(trace, figure, geometry, m_style).make(*this);
}

QRectF FlowMotion::placeOf(const Piece &piece, double time) {
    if (piece.meeting.isEmpty())
        return between(piece.from, piece.to, eased(time));
    if (time < kMeetingTime)
        return between(piece.from, piece.meeting, eased(time / kMeetingTime));
    if (time < kLeavingTime)
        return piece.meeting;
    return between(piece.meeting, piece.to, eased((time - kLeavingTime) / (1 - kLeavingTime)));
}

QRectF FlowMotion::area() const {
    QRectF area;
    for (const QRectF &one : m_covered)
        area = area.united(one);
    for (const Piece &piece : m_pieces)
        area = area.united(piece.from).united(piece.meeting).united(piece.to);
    return area.adjusted(-3, -3, 3, 3);
}

void FlowMotion::paint(QPainter &painter, double time) const {
    painter.save();
    // Fade out the operands before the result appears, so that numbers never overlap.
    const double middle = (kFadingTime + 1) / 2;
    const double shown = std::clamp((middle - time) / (middle - kFadingTime), 0.0, 1.0);
    const double cover = std::clamp((1 - time) / (1 - middle), 0.0, 1.0);
    painter.setOpacity(cover);
    for (const QRectF &one : m_covered)
        painter.fillRect(one, m_style.surface);
    painter.setOpacity(shown);
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
        const double height = std::min(
            {0.6 * place.height(), m_style.scaled(18),
             1.7 * place.width() / static_cast<double>(std::max<qsizetype>(1, piece.text.size()))});
        if (height < 8)
            continue;
        font.setPixelSize(static_cast<int>(height));
        const bool isDark = contrastOf(Qt::white, piece.fill) > contrastOf(Qt::black, piece.fill);
        painter.setPen(QPen(mixed(piece.outline, m_style.surface, 0.8), 1)); // role colour
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place.adjusted(0.5, 0.5, -1.5, -1.5));
        painter.setFont(font);
        painter.setPen(isDark ? Qt::white : Qt::black);
        painter.drawText(place, Qt::AlignCenter, piece.text);
    }
    painter.restore();
}

} // namespace headlight::ui
