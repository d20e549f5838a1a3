// Returns a session at a lesson step, or with another text.
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

/// Unsets selected positions that do not exist in the session's text.
void forgetBeyond(SelectionPatch &view, const Session &session) {
    const AttentionId attention = attentionIdOf(view, session.model);
    const Batch *queries = queriesOf(session.input, attention),
                *keys = keysOf(session.input, attention);
    if (view.sequence && *view.sequence >= session.input.batch->count())
        view.sequence = 0;
    if (view.query && queries && *view.query >= queries->length())
        view.query.reset();
    if (view.key && keys && *view.key >= keys->length())
        view.key.reset();
}

Result<BatchPointer> batchOf(const Model &model, Stack stack, std::string_view text,
                             Index minimumLength) {
    auto words = tokenized(model, stack, text);
    if (!words)
        return words.error();
    if (words->tokens.size() > static_cast<std::size_t>(kMaxBatchTokens))
        return Error{{"it has more than %1 tokens", kMaxBatchTokens}, "text", "use a shorter text"};
    return Batch::create({*std::move(words)}, minimumLength);
}

} // namespace

Outcome readText(Session &session, const SequencesField &field, std::string_view text) {
    const Model &model = session.model;
    const Stack stack = field.text == kSourceField.text ? model.sourceStack() : model.mainStack();
    auto batch = batchOf(model, stack, text, session.*field.minimumLength);
    if (!batch)
        return batch.error();
    valueIn(session, field) = std::move(*batch);
    forgetBeyond(session.view, session);
    return Done{};
}

Result<Session> withText(const Session &session, std::string_view text) {
    Session changed = session;
    if (Outcome outcome = readText(changed, kBatchField, text); !outcome)
        return outcome.error();
    return changed;
}

Result<Session> withSourceText(const Session &session, std::string_view text) {
    Session changed = session;
    if (Outcome outcome = readText(changed, kSourceField, text); !outcome)
        return outcome.error();
    return changed;
}

Session withoutLesson(const Session &session) {
    Session bare;
    static_cast<SessionHeader &>(bare) = session;
    bare.model = session.model;
    bare.input = session.input;
    bare.minimumLength = session.minimumLength;
    bare.sourceMinimumLength = session.sourceMinimumLength;
    bare.view = session.view;
    bare.computable = session.computable;
    return bare;
}

const Computable *findChecked(const Session &session, const Model &model, const Input &input) {
    const auto isSame = [&](const Computable &known) { return known.isOf(model, input); };
    if (session.computable && isSame(*session.computable))
        return &*session.computable;
    if (session.now && session.now->computable && isSame(*session.now->computable))
        return &*session.now->computable;
    if (session.checkedSteps)
        for (const CheckedStep &step : *session.checkedSteps)
            for (const CheckedPatch *known : {step.state.get(), step.solution.get()})
                if (known && isSame(known->computable))
                    return &known->computable;
    return nullptr;
}

Result<Computable> computableOf(const Session &session, const Model &model, const Input &input) {
    if (const Computable *known = findChecked(session, model, input))
        return *known;
    return Computable::of(model, input);
}

namespace {

/// Returns the step's states that the reader has checked; null if the step is new or its patch is
/// applied to another session.
const CheckedStep *checkedStepOf(const Session &session, const LessonStep &step) {
    const auto index = static_cast<std::size_t>(step.documentStep);
    if (!session.checkedSteps || step.documentStep < 0 || index >= session.checkedSteps->size() ||
        !session.computable || !session.computable->isOf(session.model, session.input))
        return nullptr;
    return &(*session.checkedSteps)[index];
}

/// Like patched(), but returns the state that the reader has checked if it comes from the same
/// patch.
Result<Session> patchedOnce(Session below, const StatePatch &patch, const CheckedPatch *checked) {
    if (!checked || checked->patch != patch || checked->viewBefore != below.view)
        return patched(std::move(below), patch);
    below.model = checked->computable.model();
    below.input = checked->computable.input();
    below.view = checked->view;
    below.computable = checked->computable;
    return below;
}

} // namespace

Result<Session> atStep(const Session &session, Index step) {
    const auto count = session.lesson ? static_cast<Index>(session.lesson->steps.size()) : Index(0);
    if (step < 0 || step >= count)
        return Error{{"there is no step %1", step},
                     "lesson.steps",
                     count == 0 ? Message("this session has no lesson")
                                : Message("its steps are 0 to %1", count - 1)};
    const LessonStep &lessonStep = session.lesson->steps[static_cast<std::size_t>(step)];
    const CheckedStep *known = checkedStepOf(session, lessonStep);
    auto changed =
        patchedOnce(withoutLesson(session), lessonStep.set, known ? known->state.get() : nullptr);
    if (!changed)
        return changed.error();
    changed->view = merged(changed->view, lessonStep.show);
    return changed;
}

Result<Session> solved(const Session &session, Index step) {
    const auto state = atStep(session, step);
    if (!state)
        return state.error();
    const LessonStep &lessonStep = session.lesson->steps[static_cast<std::size_t>(step)];
    if (!lessonStep.exercise)
        return Error{{"step %1 has no exercise", step}, "lesson.steps", ""};
    const CheckedStep *known = checkedStepOf(session, lessonStep);
    // The solution of a step whose changes were edited is applied to another state.
    const bool isSameStep =
        known && lessonStep.set == (known->state ? known->state->patch : StatePatch());
    return patchedOnce(*state, lessonStep.exercise->solution,
                       isSameStep ? known->solution.get() : nullptr);
}

} // namespace headlight::core
