#include "app/commands.h"

#include "ui/document/lesson_catalogue.h"

namespace headlight::app {

int runLessons() {
    std::string lines;
    for (const QString &id : ui::lessonIds() + ui::modelIds()) {
        const core::Result<core::Session> lesson = ui::readLesson(id);
        if (!lesson)
            return fail(lesson.error());
        lines += id.toStdString() + '\t' + lesson->title + '\n';
    }
    return writeOutput("-", lines);
}

} // namespace headlight::app
