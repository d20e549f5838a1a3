// A worksheet as figures, one a page.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/base/figure.h"
#include "ui/figures/worksheet/sheet_of_paper.h"

#include <memory>
#include <vector>

namespace headlight::ui {

using SheetPages = std::vector<std::unique_ptr<Figure>>;

/// Each worksheet begins a page; pages are counted through all of them. The same with answers and
/// without, but for the answers: both can be held side by side.
SheetPages worksheetPages(const std::vector<core::Worksheet> &sheets, bool answers,
                          SheetOfPaper paper);

} // namespace headlight::ui
