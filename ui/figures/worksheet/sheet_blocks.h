// The content of a worksheet as a column of blocks. Blocks are not split between pages.
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
    double gap = 0; ///< px above the block, unless it is the first on its page
    std::function<void(QPainter &painter, const QPointF &place)> paint;
    QString words; ///< text for the file's description
};
using SheetBlocks = std::vector<SheetBlock>;

/// Returns the instructions at the beginning of the worksheet.
SheetBlocks instructionBlocks(const FigureStyle &style, double width);
/// Returns the heading of a step, its text or question, the given matrices, the formula and the
/// matrix to fill in. If the step has a task, the numbers in its text are replaced by blanks.
SheetBlocks stepBlocks(const core::WorksheetStep &step, bool answers, const FigureStyle &style,
                       double width);
/// Returns the text of each step that has a question. Used only on the sheet with the answers,
/// because the text gives them away.
std::vector<SheetBlocks> textBlocks(const core::Worksheet &sheet, const FigureStyle &style,
                                    double width);
/// Returns the list of steps that are not on the sheet, for its end. Empty if there are none.
SheetBlocks leftOutBlocks(const core::Worksheet &sheet, const FigureStyle &style, double width);

} // namespace headlight::ui
