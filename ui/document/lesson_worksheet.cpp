#include "ui/document/lesson_worksheet.h"

#include "core/transformer/run/forward.h"
#include "ui/document/fitting_selection.h"

namespace headlight::ui {

namespace {

/// Returns the stage that the step shows. Unset if its tab shows no stage.
std::optional<core::Selection> shownAt(const core::LessonStep &step, const core::Session &session,
                                       const DocumentState &state) {
    const std::string view = step.show.view.value_or(
        session.view.view.value_or(std::string(core::idOf(core::View::CloseUp))));
    core::Selection selection = step.show.applied(session.view.applied({}));
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
                           "give a lesson or a session with a model"};
    core::Worksheet sheet{session.title, {}};
    core::TracePointer trace; // trace of the previous step, whose unchanged results are reused
    const auto compute = [&](const DocumentState &state) -> core::Outcome {
        const core::Result<core::Computable> computable =
            core::Computable::of(state.model, state.input);
        if (!computable)
            return computable.error();
        core::Result<core::TracePointer> made = core::forward(*computable, trace, stop);
        if (!made)
            return made.error();
        trace = *std::move(made);
        return core::Done{};
    };
    if (!session.lesson) {
        if (core::Outcome computed = compute(now); !computed)
            return computed.error();
        addStages(sheet, trace, fittingSelection(session.view.applied({}), now));
    } else {
        const std::vector<core::LessonStep> &steps = session.lesson->steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const DocumentState state = baseAt(session, static_cast<core::Index>(i));
            if (core::Outcome computed = compute(state); !computed)
                return computed.error();
            addStep(sheet,
                    {static_cast<core::Index>(i),
                     steps[i].title,
                     steps[i].question,
                     {},
                     {},
                     trace,
                     steps[i].exercise},
                    shownAt(steps[i], session, state));
            if (done)
                done(static_cast<int>(i) + 1, static_cast<int>(steps.size()));
        }
    }
    return sheet;
}

core::Outcome asksForSomething(const core::Worksheet &sheet) {
    if (sheet.steps.empty())
        return core::Error{"it has nothing to compute by hand", "",
                           sheet.leftOut.empty()
                               ? core::Message("give a lesson that computes something")
                               : core::Message("its matrices are too large; give a lesson with "
                                               "vectors of at most %1 numbers",
                                               core::kMaxGiven)};
    return core::Done{};
}

} // namespace headlight::ui
