#include "ui/panels/lesson_editor/solution_check.h"

#include "core/cancelled.h"
#include "core/formats/session/data/state_fields.h"
#include "core/lesson/question.h"
#include "core/transformer/run/forward.h"
#include "ui/document/state/document_state.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

namespace headlight::ui {

namespace {

struct SolutionText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SolutionCheck)
};

bool isEmpty(const core::StatePatch &patch) {
    bool isEmpty = true;
    core::forEachField(core::kStateFields,
                       [&](const auto &field) { isEmpty = isEmpty && !isSet(patch, field); });
    return isEmpty;
}

/// Returns the goals that the solution does not reach, or the error.
core::Result<QString> problemOfSolution(const core::Session &session, core::Index step,
                                        const std::stop_token &stop) {
    const core::Result<core::Session> solved = core::solved(session, step);
    if (!solved)
        return solved.error();
    const auto computable = core::computableOf(session, solved->model, solved->input);
    if (!computable)
        return computable.error();
    const core::Result<core::TracePointer> trace = core::forward(*computable, nullptr, stop);
    if (!trace)
        return trace.error();
    const core::Exercise &exercise =
        *session.lesson->steps[static_cast<std::size_t>(step)].exercise;
    const core::ExerciseProgress solving =
        core::solvingOf(exercise, **trace, baseAt(session, step).input.interventions);
    QStringList open;
    for (std::size_t goal = 0; goal < solving.reached.size(); ++goal)
        if (!solving.reached[goal])
            open << SolutionText::tr("goal %1").arg(goal + 1);
    if (!open.isEmpty())
        return SolutionText::tr("✗ The solution does not solve the exercise. Not reached: %1")
            .arg(enumerated(open));
    return solving.isByHand
               ? SolutionText::tr(
                     "✗ The solution overrides a head or score, but overrides do not count")
               : QString();
}

} // namespace

void SolutionCheck::check(const core::Session &session, core::Index step) {
    const core::LessonStep &now = session.lesson->steps[static_cast<std::size_t>(step)];
    if (!now.exercise || isEmpty(now.exercise->solution)) {
        m_job.cancel();
        m_last.reset();
        return show({});
    }
    core::LessonStep relevant;
    relevant.exercise = now.exercise;
    relevant.set = now.set;
    relevant.documentStep = step;
    if (m_last == relevant)
        return;
    m_last = relevant;
    m_job.start([copy = std::make_shared<const core::Session>(session), step](
                    const std::stop_token &stop) { return problemOfSolution(*copy, step, stop); },
                [this](const core::Result<QString> &problem) {
                    if (problem)
                        show(*problem);
                    else if (!core::isCancelled(problem.error()))
                        show(translated(problem.error()));
                });
}

void SolutionCheck::show(const QString &problem) {
    m_problem = problem;
    emit checked();
}

} // namespace headlight::ui
