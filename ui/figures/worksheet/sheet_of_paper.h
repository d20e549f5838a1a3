// Paper sizes of worksheets.
#pragma once

#include "ui/figures/files/figure_size.h"

#include <optional>

namespace headlight::ui {

enum class SheetOfPaper { A4, Letter };

/// Returns "a4" or "letter".
QString nameOf(SheetOfPaper paper);
std::optional<SheetOfPaper> findSheetOfPaper(const QString &name);
FigureSize sizeOf(SheetOfPaper paper);
/// Returns the usual paper size of the user's country.
SheetOfPaper usualPaper();

} // namespace headlight::ui
