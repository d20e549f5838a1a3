// Worksheets as figures, one per page.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/worksheet/sheet_of_paper.h"

#include <memory>
#include <vector>

namespace headlight::ui {

using SheetPages = std::vector<std::unique_ptr<Figure>>;

/// Starts each worksheet on a new page and numbers the pages across all worksheets. The layout is
/// the same with and without answers, so the two can be compared side by side.
SheetPages worksheetPages(const std::vector<core::Worksheet> &sheets, bool answers,
                          SheetOfPaper paper);

} // namespace headlight::ui
