#include "ui/figures/worksheet/worksheet_pages.h"

#include "ui/text/one_line.h"

namespace headlight::ui {

void addWorksheet(SheetPager &pages, const core::Worksheet &sheet, bool answers) {
    const FigureStyle style = FigureStyle::paper();
    pages.beginSheet(oneLine(sheet.title), answers ? SheetKind::Answers : SheetKind::Worksheet,
                     style);
    pages.add(instructionBlocks(style, pages.width()));
    for (const core::WorksheetStep &step : sheet.steps)
        pages.add(stepBlocks(step, answers, style, pages.width()));
    pages.add(leftOutBlocks(sheet, style, pages.width()));
    if (!answers)
        return; // the explanations of the questions tell the answers
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
