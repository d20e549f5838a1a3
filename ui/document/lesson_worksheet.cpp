#include "ui/document/lesson_worksheet.h"

#include "ui/document/fitting_selection.h"
#include "ui/document/step_traces.h"

namespace headlight::ui {

namespace {

/// Returns the stage of a step's or a question's view. Unset if its tab shows no stage.
std::optional<core::Selection> stageShownBy(const core::SelectionPatch &show,
                                            const core::Session &session,
                                            const DocumentState &state) {
    const std::string view = show.view.value_or(
        session.view.view.value_or(std::string(core::idOf(core::View::CloseUp))));
    core::Selection selection = show.applied(session.view.applied({}));
    if (view == core::idOf(core::View::Heads))
        selection.stage = core::Stage::AttentionWeights;
    else if (view != core::idOf(core::View::CloseUp) && view != core::idOf(core::View::Whole))
        return std::nullopt;
    return fittingSelection(selection, state);
}

} // namespace

core::Result<core::Worksheet> worksheetOf(const core::Session &session, const DocumentState &now,
                                          std::stop_token stop,
                                          const std::function<void(int, int)> &done) {
    if (session.capture)
        return core::Error{"a capture does not contain how its values were computed", "",
                           "use a lesson or a session with a model"};
    core::Worksheet sheet{session.title, {}};
    if (!session.lesson) {
        const core::Result<core::TracePointer> trace = StepTraces(session, std::move(stop)).of(now);
        if (!trace)
            return trace.error();
        addStages(sheet, *trace, fittingSelection(session.view.applied({}), now));
        return sheet;
    }
    const auto visit = [&](core::Index index, const DocumentState &state,
                           const core::TracePointer &trace) {
        const core::LessonStep &step = session.lesson->steps[static_cast<std::size_t>(index)];
        core::WorksheetStep printed;
        printed.step = index;
        printed.title = step.title;
        printed.text = step.text;
        printed.question = step.question;
        printed.trace = trace;
        printed.exercise = step.exercise;
        if (step.question && step.question->show)
            printed.pictured = stageShownBy(*step.question->show, session, state);
        addStep(sheet, std::move(printed), stageShownBy(step.show, session, state));
    };
    if (core::Outcome computed = forEachStep(session, std::move(stop), visit, done); !computed)
        return computed.error();
    return sheet;
}

core::Outcome asksForSomething(const core::Worksheet &sheet) {
    if (sheet.steps.empty())
        return core::Error{"it has nothing to compute by hand", "",
                           sheet.leftOut.empty()
                               ? core::Message("use a lesson that computes something")
                               : core::Message("its matrices are too large; use a lesson with "
                                               "vectors of at most %1 numbers",
                                               core::kMaxGiven)};
    return core::Done{};
}

} // namespace headlight::ui
