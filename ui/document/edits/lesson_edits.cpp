#include "ui/document/edits/lesson_edits.h"

#include "core/lesson/question.h"
#include "ui/text/core_message.h"
#include "ui/text/sentences.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

using core::Index;

struct LessonEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::LessonEdits)
};

std::size_t presentStep(const DocumentState &state) {
    return static_cast<std::size_t>(state.lessonStep);
}

core::Result<LessonDraft> draftOf(const core::Session &session) {
    if (!session.lesson)
        return core::Error{messageOf(LessonEditText::tr("this session is not a lesson")), "", ""};
    return LessonDraft{session.title, *session.lesson};
}

core::Result<Edit> changed(const DocumentState &state, LessonDraft draft, const QString &words) {
    if (core::Outcome sizes = core::checkSizes(draft.lesson); !sizes)
        return sizes.error();
    Edit edit{state, {words, {}, {}}};
    edit.state.lesson = std::make_shared<const LessonDraft>(std::move(draft));
    return edit;
}

core::Result<Edit> edited(const DocumentState &state, const core::Session &session,
                          const QString &words, const std::function<void(LessonDraft &)> &edit) {
    core::Result<LessonDraft> draft = draftOf(session);
    if (!draft)
        return draft.error();
    edit(*draft);
    return changed(state, *std::move(draft), words);
}

/// Goes to the step in the edited lesson and keeps the user's edits.
core::Result<Change> comeTo(Index step, const core::Session &session, LessonDraft draft,
                            const DocumentState &state, const QString &words) {
    core::Session drafted = session;
    drafted.lesson = draft.lesson;
    // The step at this index may now have different softmax settings.
    DocumentState from = state;
    from.lessonStep = step;
    if (state.softmax == softmaxAt(session, state.lessonStep))
        from.softmax = softmaxAt(drafted, step);
    core::Result<DocumentState> next = stateAtStep(drafted, step, from);
    if (!next)
        return next.error();
    core::Result<Edit> edit = changed(*next, std::move(draft), words);
    if (!edit)
        return edit.error();
    return checked(*std::move(edit), session);
}

/// Returns the goal's text, such as “less”, or its number.
QString nameOfGoal(const core::Exercise &exercise, std::size_t goal) {
    const std::string &text = exercise.goals[goal].text;
    return text.empty() ? LessonEditText::tr("goal %1").arg(goal + 1)
                        : LessonEditText::tr("“%1”").arg(QString::fromStdString(text));
}

/// Checks the exercise's goals against the trace.
core::Outcome checkSolution(const core::Exercise &exercise, const core::TracePointer &trace,
                            const core::Interventions &before) {
    if (!trace)
        return core::Error{messageOf(LessonEditText::tr("your changes are still being computed")),
                           "",
                           messageOf(LessonEditText::tr("try again when the values are ready"))};
    const core::ExerciseProgress solving = core::solvingOf(exercise, *trace, before);
    QStringList open;
    for (std::size_t goal = 0; goal < solving.reached.size(); ++goal)
        if (!solving.reached[goal])
            open << nameOfGoal(exercise, goal);
    if (!open.isEmpty())
        return core::Error{
            messageOf(LessonEditText::tr("your changes do not solve the exercise; not reached: %1")
                          .arg(enumerated(open))),
            "", messageOf(LessonEditText::tr("change the numbers until every goal is ticked"))};
    if (solving.isByHand)
        return core::Error{
            messageOf(LessonEditText::tr("overridden heads and scores do not count")), "",
            messageOf(LessonEditText::tr(
                "solve the exercise without overrides, or let overrides count"))};
    return core::Done{};
}

} // namespace

core::Result<Change> editLesson(const DocumentState &state, const core::Session &session,
                                const QString &words,
                                const std::function<void(LessonDraft &)> &edit) {
    return checked(edited(state, session, words, edit));
}

core::Result<Change> editStep(const DocumentState &state, const core::Session &session,
                              const QString &words,
                              const std::function<void(core::LessonStep &)> &edit) {
    return editLesson(state, session, words,
                      [&](LessonDraft &draft) { edit(draft.lesson.steps[presentStep(state)]); });
}

core::Result<Change> addStep(const DocumentState &state, const core::Session &session,
                             const core::LessonStep &added) {
    core::Result<Edit> edit =
        edited(state, session, LessonEditText::tr("Add a step"), [&](LessonDraft &draft) {
            std::vector<core::LessonStep> &steps = draft.lesson.steps;
            core::LessonStep step = added;
            step.set = steps[presentStep(state)].set;
            steps.insert(steps.begin() + state.lessonStep + 1, std::move(step));
        });
    if (edit)
        ++edit->state.lessonStep;
    return checked(std::move(edit));
}

core::Result<Change> addStep(const DocumentState &state, const core::Session &session,
                             const WindowState &seen) {
    core::LessonStep step;
    step.title = LessonEditText::tr("New step").toStdString();
    step.show = seen.place;
    step.look = seen.look;
    return addStep(state, session, step);
}

core::Result<Change> showInStep(const DocumentState &state, const core::Session &session,
                                Index step, const WindowState &seen) {
    return editLesson(
        state, session, LessonEditText::tr("View of a step"), [&](LessonDraft &draft) {
            core::LessonStep &shown = draft.lesson.steps[static_cast<std::size_t>(step)];
            shown.show = seen.place;
            shown.look = seen.look;
        });
}

core::Result<Change> duplicateStep(const DocumentState &state, const core::Session &session) {
    core::Result<Edit> edit =
        edited(state, session, LessonEditText::tr("Duplicate the step"), [&](LessonDraft &draft) {
            std::vector<core::LessonStep> &steps = draft.lesson.steps;
            core::LessonStep copy = steps[presentStep(state)];
            steps.insert(steps.begin() + state.lessonStep + 1, std::move(copy));
        });
    if (edit)
        ++edit->state.lessonStep;
    return checked(std::move(edit));
}

core::Result<Change> removeStep(const DocumentState &state, const core::Session &session) {
    core::Result<LessonDraft> draft = draftOf(session);
    if (!draft)
        return draft.error();
    std::vector<core::LessonStep> &steps = draft->lesson.steps;
    if (steps.size() == 1)
        return core::Error{messageOf(LessonEditText::tr("a lesson has at least one step")), "", ""};
    steps.erase(steps.begin() + state.lessonStep);
    const Index next = std::min(state.lessonStep, static_cast<Index>(steps.size()) - 1);
    return comeTo(next, session, *std::move(draft), state, LessonEditText::tr("Remove the step"));
}

core::Result<Change> moveStep(const DocumentState &state, const core::Session &session, Index from,
                              Index to) {
    core::Result<LessonDraft> draft = draftOf(session);
    if (!draft)
        return draft.error();
    std::vector<core::LessonStep> &steps = draft->lesson.steps;
    const auto count = static_cast<Index>(steps.size());
    if (from < 0 || from >= count || to < 0 || to >= count)
        return core::Error{messageOf(LessonEditText::tr("there is no such position")), "", ""};
    const auto at = steps.begin();
    if (from < to)
        std::rotate(at + from, at + from + 1, at + to + 1);
    else
        std::rotate(at + to, at + from, at + from + 1);
    core::Result<Edit> edit = changed(state, *std::move(draft), LessonEditText::tr("Move a step"));
    if (!edit)
        return edit.error();
    Index &present = edit->state.lessonStep;
    if (present == from)
        present = to;
    else if (from < present && present <= to)
        --present;
    else if (to <= present && present < from)
        ++present;
    return checked(std::move(edit));
}

core::Result<Change> setWhatIsChanged(const DocumentState &state, const core::Session &session) {
    return editStep(state, session, LessonEditText::tr("Use the changes in the step"),
                    [&](core::LessonStep &step) {
                        step.set = core::differenceOf(session, state.model, state.input);
                    });
}

core::Result<Change> setNothing(const DocumentState &state, const core::Session &session) {
    core::Result<LessonDraft> draft = draftOf(session);
    if (!draft)
        return draft.error();
    draft->lesson.steps[presentStep(state)].set = {};
    return comeTo(state.lessonStep, session, *std::move(draft), state,
                  LessonEditText::tr("Clear changes"));
}

core::Result<Change> takeSolution(const DocumentState &state, const core::Session &session,
                                  const core::TracePointer &trace) {
    const core::Result<core::Session> begin = core::atStep(session, state.lessonStep);
    if (!begin)
        return begin.error();
    const auto &exercise = session.lesson->steps[presentStep(state)].exercise;
    if (!exercise)
        return core::Error{messageOf(LessonEditText::tr("this step has no exercise")), "", ""};
    if (!state.edits.any())
        return core::Error{
            messageOf(LessonEditText::tr("nothing was changed")), "",
            messageOf(LessonEditText::tr(
                "solve the exercise yourself, then use your changes as its solution"))};
    if (core::Outcome solves = checkSolution(*exercise, trace, begin->input.interventions); !solves)
        return solves.error();
    return editStep(
        state, session, LessonEditText::tr("Set the solution"), [&](core::LessonStep &step) {
            step.exercise->solution = core::differenceOf(*begin, state.model, state.input);
        });
}

} // namespace headlight::ui::edits
