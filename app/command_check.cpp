#include "app/commands.h"

#include "app/words.h"
#include "core/checks/capture_check.h"
#include "core/checks/session_check.h"
#include "core/formats/capture/capture.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/in_quotes.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/open_course.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// Removes the name of the folder or GGUF file from the locations, because it already precedes
/// every printed line.
core::Findings inspectFolder(const std::string &folder) {
    core::Findings found = core::inspectPretrained(folder);
    const auto within = [&folder](std::string &where) {
        if (!where.starts_with(folder))
            return;
        const std::size_t end = where.find_first_not_of(":, /", folder.size());
        where.erase(0, std::min(end, where.size()));
    };
    for (core::Error &problem : found.problems)
        within(problem.where);
    for (core::Warning &warning : found.warnings)
        within(warning.where);
    return found;
}

core::Findings inspectLessonOf(const QString &word) {
    const auto course = ui::openCourse(ui::lessonInFile(word)->course);
    if (!course)
        return {{course.error()}, {}};
    const core::CourseLesson *lesson =
        (*course)->content->find(ui::bytesOf(ui::lessonInFile(word)->id));
    if (!lesson)
        return {{{"the course has no lesson of this name", "", ""}}, {}};
    return core::inspectSession(lesson->document);
}

/// Returns all problems and warnings of a file or a built-in lesson.
core::Findings findingsOf(const QString &word) {
    switch (ui::kindOfSource(word)) {
    case ui::SourceKind::Lesson: {
        const QByteArray json = ui::lessonFile(word);
        return core::inspectSession({json.constData(), static_cast<std::size_t>(json.size())});
    }
    case ui::SourceKind::Capture: {
        const core::Result<core::Capture> capture = core::readCapture(ui::bytesOf(word));
        return core::Findings{capture ? core::problemsOf(*capture) : std::vector{capture.error()},
                              {}};
    }
    case ui::SourceKind::Figure: {
        const core::Result<core::FigureSession> figure = core::readFigureFile(ui::bytesOf(word));
        if (!figure)
            return {{{figure.error().what, "", figure.error().remedy}}, {}};
        return core::inspectSession(figure->session);
    }
    case ui::SourceKind::ModelFolder:
        return inspectFolder(ui::bytesOf(word));
    case ui::SourceKind::CourseLesson:
        return inspectLessonOf(word);
    case ui::SourceKind::Course: // checked lesson by lesson
    case ui::SourceKind::Session:
    case ui::SourceKind::Unknown:
        break;
    }
    return core::inspectSessionFile(ui::bytesOf(word));
}

std::string warned(const core::Warning &warning) {
    return Words::tr("warning: %1").arg(QString::fromStdString(warning.text())).toStdString();
}

/// Warns about required lessons that are neither in the course nor built in.
void checkNeeds(const ui::OpenCourse &course, const ui::LessonInfo &lesson, core::Findings &found) {
    for (const QString &need : lesson.needs)
        if (!course.content->find(need.toStdString()) && !ui::isBuiltIn(need))
            found.warnings.push_back({{"there is no lesson %1, neither in the course nor built in",
                                       core::inQuotes(need.toStdString())},
                                      "lesson.needs",
                                      "give the name of its file without .headlight",
                                      ""});
}

/// Checks each file of the course separately. A course that cannot be read is one finding.
std::vector<std::pair<std::string, core::Findings>> findingsOfCourse(const QString &word) {
    const auto course = ui::openCourse(word);
    if (!course) {
        core::Error error = course.error();
        if (error.where.starts_with(ui::bytesOf(word))) // every printed line already starts with it
            error.where.erase(0, error.where.find_first_not_of(":, /", ui::bytesOf(word).size()));
        return {{ui::bytesOf(word), {{error}, {}}}};
    }
    std::vector<std::pair<std::string, core::Findings>> all;
    for (const ui::LessonInfo &lesson : (*course)->lessons) {
        core::Findings found = findingsOf(lesson.id);
        checkNeeds(**course, lesson, found);
        all.emplace_back(ui::bytesOf(lesson.id), std::move(found));
    }
    return all;
}

} // namespace

int runCheck(const Arguments &arguments) {
    bool sound = true;
    std::string report;
    for (const QString &file : arguments.files) {
        std::vector<std::pair<std::string, core::Findings>> all;
        if (ui::kindOfSource(file) == ui::SourceKind::Course)
            all = findingsOfCourse(file);
        else
            all.emplace_back(ui::bytesOf(file), findingsOf(file));
        for (const auto &[name, found] : all) {
            for (const core::Error &problem : found.problems)
                report += oneLine(name + ": " + ui::translated(problem).toStdString()) + '\n';
            for (const core::Warning &warning : found.warnings)
                report += oneLine(name + ": " + warned(warning)) + '\n';
            if (found.problems.empty())
                report += oneLine(name) + ": good\n";
            sound = sound && found.problems.empty();
        }
    }
    const int written = writeOutput("-", report);
    if (written != 0)
        return written;
    if (!sound)
        return fail(
            {ui::messageOf(Words::tr("some files have problems; standard output lists them")),
             "check", ""});
    return 0;
}

} // namespace headlight::app
