#include "app/commands.h"

#include "app/interrupt.h"
#include "core/formats/session/data/session.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

/// Checks that every lesson of the course can be read.
core::Outcome canBeRead(const core::Course &course, const std::string &folder,
                        const std::stop_token &stop) {
    for (const core::CourseLesson &lesson : course.lessons)
        if (const auto session = core::readSession(lesson.document, {}, stop); !session)
            return core::Error{session.error().what,
                               folder + "/" + lesson.id + std::string(core::kLessonEnding) + ": " +
                                   session.error().where,
                               session.error().remedy};
    return core::Done{};
}

} // namespace

int runCourse(const Arguments &arguments, std::stop_token stop) {
    const std::string folder = ui::bytesOf(arguments.request.source);
    if (!ui::isFolder(arguments.request.source))
        return fail({"this is not a folder", folder, "use a folder with lessons"});
    if (const core::Outcome allowed = mayWrite(arguments); !allowed)
        return fail(allowed.error());
    const core::Result<core::CoursePointer> course = core::readCourseFolder(folder, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!course)
        return fail(course.error());
    // Checks the limits of the file format before anything else.
    const core::Result<std::string> file = core::courseFile(**course);
    if (!file)
        return fail(file.error());
    const core::Outcome read = canBeRead(**course, folder, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!read)
        return fail(read.error());
    return writeOutput(arguments.output, *file, stop);
}

} // namespace headlight::app
