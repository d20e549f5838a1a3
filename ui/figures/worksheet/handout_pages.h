// Teachers' handouts as figures, one per page, with or without the worksheets of the lessons.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/worksheet/handout_text.h"
#include "ui/figures/worksheet/sheet_pages.h"

namespace headlight::ui {

/// A lesson of a teacher's pack.
struct PackedLesson {
    HandoutText handout;
    std::optional<core::Worksheet> sheet{}; ///< printed after the handout; none: nothing to print
};

/// Adds a handout in 13 px type, or in type of down to 10 px if it does not fit on one page.
void addHandout(SheetPager &pages, const HandoutText &handout);

/// Numbers the pages across all lessons. `answers` fills the worksheets in.
SheetPages packPages(const std::vector<PackedLesson> &lessons, bool answers, SheetOfPaper paper);

} // namespace headlight::ui
