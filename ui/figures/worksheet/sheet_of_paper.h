// What a worksheet is printed on.
#pragma once

#include "ui/figures/files/figure_size.h"

#include <optional>

namespace headlight::ui {

enum class SheetOfPaper { A4, Letter };

/// "a4", "letter".
QString nameOf(SheetOfPaper paper);
std::optional<SheetOfPaper> findSheetOfPaper(const QString &name);
FigureSize sizeOf(SheetOfPaper paper);
/// What the country's printers hold.
SheetOfPaper usualPaper();

} // namespace headlight::ui
