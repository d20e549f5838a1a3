// Returns a session at a lesson step, or with another text.
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/reading/parts.h"

namespace headlight::core {

namespace {

/// Unsets selected positions that the other text does not have.
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
    bare.title = session.title;
    bare.model = session.model;
    bare.input = session.input;
    bare.minimumLength = session.minimumLength;
    bare.sourceMinimumLength = session.sourceMinimumLength;
    bare.view = session.view;
    return bare;
}

Result<Computable> computableOf(const Session &session, const Model &model, const Input &input) {
    for (const std::optional<Computable> *known :
         {&session.computable, session.now ? &session.now->computable : nullptr})
        if (known && *known && (*known)->isOf(model, input))
            return **known;
    return Computable::of(model, input);
}

Result<Session> atStep(const Session &session, Index step) {
    const auto count = session.lesson ? static_cast<Index>(session.lesson->steps.size()) : Index(0);
    if (step < 0 || step >= count)
        return Error{{"there is no step %1", step},
                     "lesson.steps",
                     count == 0 ? Message("this session has no lesson")
                                : Message("its steps are 0 to %1", count - 1)};
    const LessonStep &lessonStep = session.lesson->steps[static_cast<std::size_t>(step)];
    auto changed = patched(withoutLesson(session), lessonStep.set);
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
    return patched(*state, lessonStep.exercise->solution);
}

} // namespace headlight::core
