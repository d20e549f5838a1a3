#include "app/commands.h"

#include "ui/document/learned_model.h"
#include "ui/document/lesson_catalogue.h"

namespace headlight::app {

int runLessons() {
    std::string lines;
    for (const QString &id : ui::lessonIds()) {
        const core::Result<core::Session> lesson = ui::readLesson(id);
        if (!lesson)
            return fail(lesson.error());
        lines += id.toStdString() + '\t' + lesson->title + '\n';
    }
    for (const ui::LearnedModel &model : ui::learnedModels())
        lines += QStringList{model.id, model.title, ui::summaryOf(model), model.command}
                     .join('\t')
                     .toStdString() +
                 '\n';
    return writeOutput("-", lines);
}

} // namespace headlight::app
