#include "app/commands.h"

#include "app/interrupt.h"
#include "app/offscreen.h"
#include "app/sheet_output.h"
#include "app/words.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/lesson_handout.h"
#include "ui/document/lesson_worksheet.h"
#include "ui/figures/worksheet/handout_pages.h"

namespace headlight::app {

namespace {

using Pack = std::vector<ui::PackedLesson>;

/// Adds the lesson's page, and its worksheet if it is requested and not empty.
core::Outcome addLesson(Pack &pack, const Arguments &arguments, const ui::OpenedSource &opened,
                        const std::stop_token &stop) {
    const QList<ui::LessonInfo> known =
        opened.course ? opened.course->lessons : QList<ui::LessonInfo>();
    const core::Result<core::Handout> handout = ui::handoutOf(opened.session, known, stop);
    if (!handout)
        return handout.error();
    ui::PackedLesson lesson{ui::handoutText(*handout), {}};
    if (arguments.worksheets) {
        core::Result<core::Worksheet> sheet = ui::worksheetOf(opened.session, opened.state, stop);
        if (!sheet)
            return sheet.error();
        if (ui::asksForSomething(*sheet))
            lesson.sheet = *std::move(sheet);
    }
    pack.push_back(std::move(lesson));
    return core::Done{};
}

/// Adds the source to an error without a location.
core::Error located(const core::Error &error, const QString &source) {
    return {error.what, error.where.empty() ? ui::bytesOf(source) : error.where, error.remedy};
}

core::Outcome addSource(Pack &pack, const Arguments &arguments, const ui::SourceRequest &request,
                        const std::stop_token &stop) {
    const core::Result<ui::OpenedSource> opened = ui::openSource(request, stop);
    if (!opened)
        return opened.error();
    if (core::Outcome added = addLesson(pack, arguments, *opened, stop); !added)
        return located(added.error(), request.source);
    return core::Done{};
}

core::Result<Pack> packOfAll(const Arguments &arguments, const std::stop_token &stop) {
    if (core::Outcome allowed = mayWrite(arguments); !allowed)
        return allowed.error();
    Pack pack;
    for (const QString &id : ui::lessonIds()) {
        ui::SourceRequest request;
        request.source = id;
        if (core::Outcome added = addSource(pack, arguments, request, stop); !added)
            return added.error();
    }
    return pack;
}

/// Returns the pages of the source, or of every lesson of a course.
core::Result<Pack> packOf(const Arguments &arguments, const std::stop_token &stop, QString &title) {
    const core::Result<ui::OpenedSource> opened = openFor(arguments, stop);
    if (!opened)
        return opened.error();
    Pack pack;
    const bool isCourse =
        ui::kindOfSource(arguments.request.source) == ui::SourceKind::Course && opened->course;
    if (!isCourse || opened->session.lesson)
        if (core::Outcome added = addLesson(pack, arguments, *opened, stop); !added)
            return located(added.error(), arguments.request.source);
    if (isCourse) {
        title = opened->course->title;
        for (const ui::LessonInfo &lesson : opened->course->lessons.sliced(1)) {
            ui::SourceRequest request;
            request.source = lesson.id;
            request.course = opened->course;
            if (lesson.steps == 0)
                continue; // no page for a session without a lesson
            if (core::Outcome added = addSource(pack, arguments, request, stop); !added)
                return added.error();
        }
    }
    if (pack.empty())
        return core::Error{"it has no lesson", ui::bytesOf(arguments.request.source), ""};
    return pack;
}

core::Result<QByteArray> bytesOfPack(const Arguments &arguments, const Pack &pack,
                                     const QString &title) {
    QList<ui::HandoutText> texts;
    for (const ui::PackedLesson &lesson : pack)
        texts << lesson.handout;
    if (arguments.format == "html")
        return ui::handoutsAsHtml(texts).toUtf8();
    if (arguments.format == "txt")
        return ui::handoutsAsText(texts).toUtf8();
    return paintOffscreen([&] {
        return sheetBytes(arguments, ui::packPages(pack, arguments.answers, arguments.sheet),
                          title.isEmpty() ? pack.front().handout.title : title);
    });
}

} // namespace

int runHandout(const Arguments &arguments, std::stop_token stop) {
    QString title = arguments.allLessons ? Words::tr("Teacher's pack") : QString();
    const core::Result<Pack> pack =
        arguments.allLessons ? packOfAll(arguments, stop) : packOf(arguments, stop, title);
    if (stop.stop_requested())
        return kInterrupted;
    if (!pack)
        return fail(pack.error());
    const core::Result<QByteArray> bytes = bytesOfPack(arguments, *pack, title);
    if (!bytes)
        return fail(bytes.error());
    return writeOutput(arguments.output,
                       {bytes->constData(), static_cast<std::size_t>(bytes->size())}, stop);
}

} // namespace headlight::app
