#include "ui/document/lesson_handout.h"

#include "core/lesson/question.h"
#include "ui/document/step_traces.h"

#include <QFileInfo>

namespace headlight::ui {

namespace {

/// Returns the title of a lesson. In a course, a lesson's id is a path.
std::string titleOfNeeded(const std::string &need, const QList<LessonInfo> &known) {
    const QString name = QString::fromStdString(need);
    for (const LessonInfo &lesson : known + lessonInfos())
        if (lesson.id == name || QFileInfo(lesson.id).completeBaseName() == name)
            return lesson.title.toStdString();
    return need;
}

} // namespace

core::Result<core::Handout> handoutOf(const core::Session &session, const QList<LessonInfo> &known,
                                      std::stop_token stop,
                                      const std::function<void(int, int)> &done) {
    if (!session.lesson)
        return core::Error{"it has no lesson", "",
                           "use a lesson; `headlight lessons` lists the built-in ones"};
    const core::Lesson &lesson = *session.lesson;
    core::Handout handout{session.title,       lesson.aim.empty() ? lesson.summary : lesson.aim,
                          lesson.minutes,      {},
                          lesson.difficulties, {}};
    for (const std::string &need : lesson.needs)
        handout.needs.push_back(titleOfNeeded(need, known));
    const auto visit = [&](core::Index index, const DocumentState &,
                           const core::TracePointer &trace) {
        core::HandoutStep step{lesson.steps[static_cast<std::size_t>(index)], trace, {}};
        if (step.step.question)
            if (const core::Result<std::size_t> right =
                    core::rightAnswer(*step.step.question, *trace))
                step.right = *right;
        handout.steps.push_back(std::move(step));
    };
    if (core::Outcome computed = forEachStep(session, std::move(stop), visit, done); !computed)
        return computed.error();
    return handout;
}

} // namespace headlight::ui
