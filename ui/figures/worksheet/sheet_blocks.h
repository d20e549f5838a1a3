// What stands on a worksheet, one beneath the other: pieces that a page does not cut in two.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/base/style.h"

#include <QPainter>
#include <QString>

#include <functional>
#include <vector>

namespace headlight::ui {

struct SheetBlock {
    double height = 0;
    double gap = 0; ///< px above it, where it is not the first of its page
    std::function<void(QPainter &painter, const QPointF &place)> paint;
    QString words; ///< what it says, for the file's description
};
using SheetBlocks = std::vector<SheetBlock>;

/// What to do, at the beginning.
SheetBlocks instructionBlocks(const FigureStyle &style, double width);
/// A step's heading, its question, what is given, the formula and the empty matrix.
SheetBlocks stepBlocks(const core::WorksheetStep &step, bool answers, const FigureStyle &style,
                       double width);
/// Which steps are not on the sheet, at the end; none: all are.
SheetBlocks leftOutBlocks(const core::Worksheet &sheet, const FigureStyle &style, double width);

} // namespace headlight::ui
