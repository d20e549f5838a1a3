// Worksheets as figures, one per page.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/worksheet/sheet_pages.h"

namespace headlight::ui {

/// Adds a worksheet, starting on a new page.
void addWorksheet(SheetPager &pages, const core::Worksheet &sheet, bool answers);

/// Returns the pages, numbered across all worksheets. The layout is the same with and without
/// answers, so that they can be compared side by side.
SheetPages worksheetPages(const std::vector<core::Worksheet> &sheets, bool answers,
                          SheetOfPaper paper);

} // namespace headlight::ui
