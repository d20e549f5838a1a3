// Close-ups in tests: their stages, their layout, and what is wrong with it.
#pragma once

#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/close_up/close_up_figure.h"

namespace headlight::test {

/// The sizes of the picture in windows of 1280 × 720 and 1440 × 900.
inline constexpr QSizeF kSmall(928, 280), kUsual(1088, 460);

inline QString sharedText(const CloseUpPart &part) {
    const QString edge = part.shares == CloseUpPart::Shares::Cells     ? "cells"
                         : part.shares == CloseUpPart::Shares::Rows    ? "rows"
                         : part.shares == CloseUpPart::Shares::Columns ? "columns"
                                                                       : "nothing";
    return QString("%1 by %2%3")
        .arg(plainText(part.symbol), edge, part.isSummed ? QString(", summed") : QString());
}

/// Returns a text such as "Q by rows, summed; above: K by columns, summed".
inline QString meetingText(const CloseUpParts &parts) {
    QStringList left, above;
    for (const CloseUpPart &part : parts.left)
        left << sharedText(part);
    for (const CloseUpPart &part : parts.above)
        above << sharedText(part);
    QStringList all{left.join(" | ")};
    if (!above.isEmpty())
        all << "above: " + above.join(" | ");
    all.removeAll(QString());
    return all.isEmpty() ? QString("alone") : all.join("; ");
}

/// Returns the stages that have a close-up, in computation order.
inline std::vector<core::StageId> stagesOf(const core::Trace &trace) {
    std::vector<core::StageId> stages;
    for (const core::Step &step : trace.plan().steps())
        if (step.isNamed() && step.at.stage != Stage::HeadOutputs &&
            trace.has(step.at.stage, step.at.attention))
            stages.push_back(step.at);
    return stages;
}

inline core::Selection cellOf(core::StageId stage) {
    core::Selection selection = at(stage.stage);
    selection.setAttention(stage.attention);
    selection.query = selection.key = 1;
    selection.dimension = 2;
    return selection;
}

/// Returns the size of a figure whose picture has this size.
inline QSizeF sizeAround(const QSizeF &room, double textScale = 1) {
    const FigureStyle style = FigureStyle::light(textScale);
    return room +
           QSizeF(2 * 16 + 8, 2 * 16 + 6 + ArithmeticStrip::heightFor(style) + style.scaled(10));
}
/// Returns the figure's layout for a picture of this size.
inline CloseUpFigure::Places placesIn(const CloseUpFigure &figure, const QSizeF &room,
                                      double textScale = 1) {
    return figure.places(QRectF(QPointF(), sizeAround(room, textScale)));
}

/// Returns which matrix does not have the rows or columns that it shares with the result, or an
/// empty text.
inline QString edgeFaultOf(const CloseUpFigure &figure) {
    using Shares = CloseUpPart::Shares;
    const CloseUpParts &parts = figure.parts();
    const Index rows = parts.result.rows(), columns = parts.result.columns();
    for (const CloseUpPart &part : parts.left) {
        const bool isByCells = part.shares == Shares::Cells;
        if (((isByCells || part.shares == Shares::Rows) && part.rows() != rows) ||
            (isByCells && part.columns() != columns))
            return sharedText(part) + " has another size";
    }
    Index inBlocks = 0;
    for (const CloseUpPart &part : parts.above) {
        if (part.isBlock && part.rows() != rows)
            return sharedText(part) + " has other rows";
        if (!part.isBlock && !part.isSampled && part.columns() != columns)
            return sharedText(part) + " has other columns";
        inBlocks += part.isBlock ? part.columns() : 0;
    }
    if (inBlocks > 0 && inBlocks != columns)
        return "the blocks have other columns";
    // The result sums over the same axis of both operands. An expert may read only its own columns.
    const bool hasOwnInputs = figure.stage().stage == Stage::ExpertOutputs ||
                              (parts.left.size() == 1 && parts.left[0].at &&
                               parts.left[0].at->stage == Stage::ExpertInputs);
    if (parts.left.size() == 1 && parts.left[0].isSummed && !parts.above.empty() &&
        parts.above[0].isSummed && !parts.above[0].isSampled &&
        parts.left[0].columns() != parts.above[0].rows() && !hasOwnInputs)
        return "the summed axes have different lengths";
    return {};
}

/// Returns which matrix is not drawn along the edge that it shares with the result, or an empty
/// text.
inline QString sharedEdgeFaultOf(const CloseUpFigure &figure, const CloseUpGeometry &picture) {
    const QRectF &made = picture.result.cells.cells;
    const auto isNear = [](double a, double b) { return std::abs(a - b) < 0.01; };
    for (std::size_t i = 0; i < picture.left.size(); ++i) {
        const QRectF &cells = picture.left[i].cells.cells;
        if (!isNear(cells.top(), made.top()) || !isNear(cells.bottom(), made.bottom()))
            return "the rows of a left operand are not those of the result";
        if (figure.parts().left[i].rows() == figure.parts().result.rows() &&
            !isNear(picture.left[i].cells.cell.height(), picture.result.cells.cell.height()))
            return "the cells of a left operand have another height";
        if (cells.right() > made.left())
            return "a left operand is not at the left";
    }
    for (std::size_t i = 0; i < picture.above.size(); ++i) {
        const QRectF &cells = picture.above[i].cells.cells;
        const CloseUpPart &part = figure.parts().above[i];
        if (picture.above[i].cells.columns == 0)
            continue;                   // one of many heads whose columns are left out
        if (picture.above[i].isAside) { // one of few such heads
            if (cells.bottom() > made.top())
                return "a head is not above";
            if (part.firstColumn < picture.result.cells.origin.column ? cells.right() > made.left()
                                                                      : cells.left() < made.right())
                return "a head is on the wrong side";
            continue;
        }
        const double left =
            picture.result.cells
                .cellRect(0, part.isBlock ? part.firstColumn + picture.above[i].cells.origin.column
                                          : picture.result.cells.origin.column)
                .left();
        if (const core::Index before = i > 0 ? figure.parts().above[i - 1].firstColumn +
                                                   figure.parts().above[i - 1].columns()
                                             : 0;
            part.isBlock && part.firstColumn != before)
            return "a block is not beside the one before it";
        if (!isNear(cells.left(), left) || (!part.isBlock && !isNear(cells.right(), made.right())))
            return "the columns of an upper operand are not those of the result";
        if (cells.bottom() > made.top())
            return "an upper operand is not above";
    }
    return {};
}

/// Returns the operands, and last the result.
inline std::vector<const CloseUpPart *> partsOf(const CloseUpFigure &figure) {
    std::vector<const CloseUpPart *> all;
    for (const auto *side : {&figure.parts().left, &figure.parts().above})
        for (const CloseUpPart &part : *side)
            all.push_back(&part);
    all.push_back(&figure.parts().result);
    return all;
}

/// Returns the matrices of a figure in the cells of a grid, in reading order, each as large as its
/// cell allows. Ignores how they meet.
inline CloseUpGeometry gridOf(const CloseUpFigure &figure, std::size_t columns) {
    constexpr QSizeF kSlot(180, 120);
    constexpr double kBetween = 20;
    CloseUpGeometry grid;
    std::size_t index = 0;
    for (const CloseUpPart *part : partsOf(figure)) {
        CloseUpGeometry::Placed placed;
        HeatmapGeometry &cells = placed.cells;
        cells.rows = part->rows();
        cells.columns = part->columns();
        const double cell = std::min(kSlot.width() / static_cast<double>(cells.columns),
                                     kSlot.height() / static_cast<double>(cells.rows));
        cells.cell = {cell, cell};
        cells.cells = QRectF(static_cast<double>(index % columns) * (kSlot.width() + kBetween),
                             static_cast<double>(index / columns) * (kSlot.height() + kBetween),
                             cell * static_cast<double>(cells.columns),
                             cell * static_cast<double>(cells.rows));
        (part == &figure.parts().result ? grid.result
         : part->isAbove()              ? grid.above.emplace_back()
                                        : grid.left.emplace_back()) = placed;
        ++index;
    }
    return grid;
}

/// Returns what is wrong with the layout, or an empty text.
inline QString faultOf(const CloseUpFigure &figure, const CloseUpGeometry &picture,
                       const QRectF &area) {
    if (const QString fault = sharedEdgeFaultOf(figure, picture); !fault.isEmpty())
        return fault;
    const QRectF inside = area.adjusted(-0.5, -0.5, 0.5, 0.5);
    const QRectF &made = picture.result.cells.cells;
    std::vector<QRectF> all{made};
    for (const CloseUpGeometry::Placed &left : picture.left) {
        if (left.cells.cells.right() > picture.card.left())
            return "a left operand is in the card";
        all.push_back(left.cells.cells);
    }
    for (const CloseUpGeometry::Placed &above : picture.above) {
        if (above.cells.columns == 0)
            continue; // one of many heads whose columns are left out
        if (above.cells.cells.bottom() > picture.card.top())
            return "an upper operand is in the card";
        all.push_back(above.cells.cells);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!inside.contains(all[i]))
            return "outside of the area";
        for (std::size_t j = 0; j < i; ++j)
            if (all[i].intersects(all[j]))
                return "two matrices overlap";
    }
    if (!inside.contains(picture.card.adjusted(1, 6, -1, -1)) ||
        !inside.contains(picture.result.title) || !picture.card.contains(made))
        return "card or title";
    for (const QRectF &sheet : picture.sheets)
        if (!inside.contains(sheet))
            return "a sheet is outside of the area";
    const auto titleFault = [&](const CloseUpGeometry::Placed &placed,
                                const CloseUpPart &part) -> QString {
        const double width =
            spansWidth(part.title(placed.detail, style()), style().font(FigureStyle::Text::Title));
        if (placed.detail > 0 && !placed.isNoted && width > placed.title.width() + 1)
            return "a title is cut";
        if (placed.cells.columnLabelWidth > 0 && !placed.isNoted &&
            placed.cells.columnLabel(placed.cells.origin.column).top() <
                placed.title.bottom() - 0.5)
            return "column labels over a title";
        for (const QRectF &cells : all)
            if (!placed.isNoted &&
                QRectF(placed.title.topLeft(), QSizeF(std::min(width, placed.title.width()), 4))
                    .intersects(cells))
                return "a title over numbers";
        return {};
    };
    for (std::size_t i = 0; i < picture.left.size(); ++i)
        if (const QString fault = titleFault(picture.left[i], figure.parts().left[i]);
            !fault.isEmpty())
            return fault;
    for (std::size_t i = 0; i < picture.above.size(); ++i)
        if (const QString fault = titleFault(picture.above[i], figure.parts().above[i]);
            !fault.isEmpty())
            return fault;
    return titleFault(picture.result, figure.parts().result);
}

} // namespace headlight::test
