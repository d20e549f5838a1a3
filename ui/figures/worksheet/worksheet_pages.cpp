#include "ui/figures/worksheet/worksheet_pages.h"

#include "ui/text/one_line.h"

#include <algorithm>

namespace headlight::ui {

void addWorksheet(SheetPager &pages, const core::Worksheet &sheet, bool answers) {
    const FigureStyle style = FigureStyle::paper();
    pages.beginSheet(oneLine(sheet.title), answers ? SheetKind::Answers : SheetKind::Worksheet,
                     style);
    pages.add(instructionBlocks(style, pages.width()));
    // Start a new page for a step that gives away the answers to an earlier task on the page.
    std::vector<const core::WorksheetStep *> onPage;
    for (const core::WorksheetStep &step : sheet.steps) {
        const std::size_t before = pages.count();
        if (std::ranges::any_of(onPage, [&step](const core::WorksheetStep *earlier) {
                return givesAnswersOf(step, *earlier);
            }))
            pages.beginPage();
        pages.add(stepBlocks(step, answers, style, pages.width()));
        if (pages.count() > before)
            onPage.clear();
        onPage.push_back(&step);
    }
    pages.add(leftOutBlocks(sheet, style, pages.width()));
    if (!answers)
        return; // the explanations of the questions would give away the answers
    for (const SheetBlocks &text : textBlocks(sheet, style, pages.width()))
        pages.add(text);
}

SheetPages worksheetPages(const std::vector<core::Worksheet> &sheets, bool answers,
                          SheetOfPaper paper) {
    SheetPager pages(paper);
    for (const core::Worksheet &sheet : sheets)
        addWorksheet(pages, sheet, answers);
    return pages.take();
}

} // namespace headlight::ui
