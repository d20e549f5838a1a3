// Teachers' handouts as figures, one per page, with or without the worksheets of the lessons.
#pragma once

#include "core/worksheet/worksheet.h"
#include "ui/figures/worksheet/handout_text.h"
#include "ui/figures/worksheet/sheet_pages.h"

namespace headlight::ui {

/// A lesson of a teacher's pack.
struct PackedLesson {
    HandoutText handout;
    std::optional<core::Worksheet> sheet{}; ///< printed after the handout, if set
};

/// Adds a handout in 13 px type. If it does not fit on one page, uses smaller type, down to 10 px.
void addHandout(SheetPager &pages, const HandoutText &handout);

/// Returns the pages, numbered across all lessons. If `answers` is true, the worksheets are filled
/// in.
SheetPages packPages(const std::vector<PackedLesson> &lessons, bool answers, SheetOfPaper paper);

} // namespace headlight::ui
