#include "ui/document/state/document_state.h"

#include "core/formats/session/data/state_fields.h"
#include "core/selection/view.h"
#include "ui/document/state/fitting_input.h"

#include <algorithm>

namespace headlight::ui {

namespace {

using core::StatePart;

/// True if a word's vector was changed or added.
bool wordsDiffer(const core::EmbeddingsPointer &now, const core::EmbeddingsPointer &base) {
    if (now == base || !now || !base)
        return now != base;
    const auto &words = now->given().words;
    return std::any_of(words.begin(), words.end(), [&](const auto &entry) {
        return !base->isGiven(entry.first) || base->vectorOf(entry.first) != entry.second;
    });
}

struct Comparing {
    const DocumentState &base, &state;
    const DocumentState *known;
    ChangedParts &parts;

    template <typename Owner, typename Value, typename InPatch>
    void compare(const core::StateField<Owner, Value, InPatch> &field) const {
        if (!(valueIn(base, field) == valueIn(state, field)))
            parts.add(field.part);
    }
    void compare(const core::SequencesField &field) const {
        if (!core::sameNumbers(valueIn(base, field), valueIn(state, field)))
            parts.add(field.part);
    }
    void compare(const core::WordsField &field) const {
        const core::EmbeddingsPointer &now = valueIn(state, field);
        if (known && valueIn(*known, field) == now ? known->edits.has(field.part)
                                                   : wordsDiffer(now, valueIn(base, field)))
            parts.add(field.part);
    }
    void compare(const core::ParametersField &field) const {
        for (const core::ParameterId &id : core::allParameters(valueIn(state, field))) {
            const core::Parameter &now = parameterOf(valueIn(state, field), id);
            // Compares pointers if possible, so that dragging is fast in a large model.
            const bool differs =
                known && parameterOf(valueIn(*known, field), id) == now
                    ? known->edits.has(id)
                    : !core::sameNumbers(now, parameterOf(valueIn(base, field), id));
            if (differs)
                parts.add(id);
        }
    }
};

} // namespace

ChangedParts differenceBetween(const DocumentState &base, const DocumentState &state,
                               const DocumentState *known) {
    ChangedParts parts;
    forEachField(core::kStateFields, [comparing = Comparing{base, state, known, parts}](
                                         const auto &field) { comparing.compare(field); });
    return parts;
}

const core::SelectionPatch &shownAt(const core::Session &session, core::Index step) {
    return session.lesson ? session.lesson->steps[static_cast<std::size_t>(step)].show
                          : session.view;
}

namespace {

/// True if the step is about softmax. Its softmax settings then replace the previous ones.
bool showsSoftmax(const core::Session &session, core::Index step) {
    const core::SelectionPatch &shown = shownAt(session, step);
    return shown.softmax || shown.view == core::idOf(core::View::Softmax);
}

/// Returns the softmax settings after going to the step. These are the step's own settings if it
/// has any, otherwise the user's. Settings that only the previous step shows are dropped.
core::SoftmaxLook softmaxComingTo(const core::Session &session, core::Index step,
                                  const DocumentState &from) {
    const core::SoftmaxLook there = softmaxAt(session, step);
    const core::SoftmaxLook before = softmaxAt(session, from.lessonStep);
    if (showsSoftmax(session, step) || from.softmax == before)
        return there;
    core::SoftmaxLook kept = from.softmax;
    if (kept.hasNumbersOf(before))
        kept.takeNumbersOf(there);
    return kept;
}

} // namespace

core::SoftmaxLook softmaxAt(const core::Session &session, core::Index step) {
    const auto &own = shownAt(session, step).softmax;
    return own ? *own : session.view.softmax.value_or(core::SoftmaxLook());
}

DocumentState baseAt(const core::Session &session, core::Index step) {
    DocumentState base{session.model, session.input, step, {}, session.training};
    base.softmax = softmaxAt(session, step);
    if (session.lesson)
        if (core::Result<DocumentState> atStep = stateAtStep(session, step, base))
            return *std::move(atStep);
    return base;
}

core::Result<DocumentState> stateAtStep(const core::Session &base, core::Index step,
                                        const DocumentState &now) {
    core::Result<core::Session> patched = core::atStep(base, step);
    if (!patched)
        return patched.error();
    DocumentState next{patched->model, patched->input, step, now.edits, now.training};
    next.lesson = now.lesson;
    next.pairs = now.pairs;
    next.softmax = softmaxComingTo(base, step, now);
    next.edits.remove(partsSetBy(base.lesson->steps[static_cast<std::size_t>(step)].set));
    forEachField(core::kStateFields, [&](const auto &field) {
        if (field.part != StatePart::Parameters && next.edits.has(field.part))
            valueIn(next, field) = valueIn(now, field);
    });
    dropWhatDoesNotFit(next.input); // the step's text or the user's may be shorter
    // For example, the gains of a norm that the step turns off.
    next.edits.keepParameters(
        [&next](const core::ParameterId &id) { return hasPlaceFor(next.model.config, id); });
    for (const core::ParameterId &id : next.edits.parameters())
        parameterOf(next.model.parameters, id) = parameterOf(now.model.parameters, id);
    dropWithoutPlace(next.model.parameters, next.model.config);
    return next;
}

} // namespace headlight::ui
