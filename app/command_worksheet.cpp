#include "app/commands.h"

#include "app/interrupt.h"
#include "app/offscreen.h"
#include "app/sheet_output.h"
#include "app/words.h"
#include "ui/document/lesson_worksheet.h"
#include "ui/figures/worksheet/worksheet_pages.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

using Worksheets = std::vector<core::Worksheet>;

/// Returns the worksheet of the source, or of every lesson with an exercise in a course.
core::Result<Worksheets> worksheetsOf(const Arguments &arguments, const ui::OpenedSource &opened,
                                      const std::stop_token &stop) {
    core::Result<core::Worksheet> sheet = ui::worksheetOf(opened.session, opened.state, stop);
    if (!sheet)
        return sheet.error();
    core::Outcome asks = ui::asksForSomething(*sheet);
    Worksheets sheets;
    if (asks)
        sheets.push_back(*std::move(sheet));
    if (ui::kindOfSource(arguments.request.source) == ui::SourceKind::Course)
        for (const ui::LessonInfo &lesson : opened.course->lessons.sliced(1)) {
            ui::SourceRequest request;
            request.source = lesson.id;
            request.course = opened.course;
            const core::Result<ui::OpenedSource> next = ui::openSource(request, stop);
            if (!next)
                return next.error();
            core::Result<core::Worksheet> another =
                ui::worksheetOf(next->session, next->state, stop);
            if (!another)
                return another.error();
            if (ui::asksForSomething(*another))
                sheets.push_back(*std::move(another));
        }
    return sheets.empty() ? core::Result<Worksheets>(asks.error()) : sheets;
}

} // namespace

int runWorksheet(const Arguments &arguments, std::stop_token stop) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!opened)
        return fail(opened.error());
    const core::Result<Worksheets> sheets = worksheetsOf(arguments, *opened, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!sheets)
        return fail({sheets.error().what,
                     sheets.error().where.empty() ? ui::bytesOf(arguments.request.source)
                                                  : sheets.error().where,
                     sheets.error().remedy});
    const bool isCourse = sheets->size() > 1;
    const core::Result<QByteArray> bytes = paintOffscreen([&] {
        return sheetBytes(
            arguments, ui::worksheetPages(*sheets, arguments.answers, arguments.sheet),
            isCourse ? opened->course->title : QString::fromStdString(sheets->front().title));
    });
    if (!bytes)
        return fail(bytes.error());
    return writeOutput(arguments.output,
                       {bytes->constData(), static_cast<std::size_t>(bytes->size())}, stop);
}

} // namespace headlight::app
