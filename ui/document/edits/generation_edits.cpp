#include "ui/document/edits/generation_edits.h"

#include "core/generation/chosen_text.h"
#include "ui/document/state/fitting_input.h"
#include "ui/text/core_message.h"
#include "ui/text/token_names.h"

#include <QCoreApplication>

namespace headlight::ui::edits {

namespace {

struct GenerationEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::WritingEdits)
};

core::Error error(const QString &what, const QString &remedy) {
    return {messageOf(what), "", messageOf(remedy)};
}

/// Returns the state with another text in one sequence. New tokens get the last token's type.
core::Result<Change> withText(const DocumentState &state, const TextId &place,
                              core::TokenizedText text, const QString &what) {
    const core::Batch &before = *state.input.batch;
    const core::Sequence &old = before[place.sequence];
    std::vector<core::TokenizedText> texts;
    for (const core::Sequence &sequence : before.sequences())
        texts.push_back(sequence.tokenized());
    const std::size_t count = text.tokens.size();
    texts[static_cast<std::size_t>(place.sequence)] = std::move(text);
    core::Result<core::BatchPointer> batch =
        core::Batch::create(std::move(texts), place.minimumLength);
    if (!batch)
        return batch.error();
    core::BatchPointer made = core::withEmbeddingsOf(*std::move(batch), before, place.sequence);
    if (!old.tokenTypes.empty()) {
        std::vector<core::Index> types = old.tokenTypes;
        const core::Index last = types[static_cast<std::size_t>(old.length - 1)];
        types.resize(static_cast<std::size_t>(old.length));
        types.resize(count, last);
        made = made->withTokenTypes(place.sequence, std::move(types));
    }
    Edit edit{state, {what, {}, {}}};
    edit.state.input.batch = std::move(made);
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

core::Outcome canChange(const DocumentState &state, const TextId &place) {
    if ((*state.input.batch)[place.sequence].embeddings)
        return error(
            GenerationEditText::tr(
                "the sequence has its own vectors, and a new token would have none"),
            GenerationEditText::tr("type the sequence as text, so that its words are looked up"));
    return core::Done{};
}

QString wordText(const DocumentState &state, core::Index id) {
    return tokenText(state.model.vocabulary->word(id));
}

} // namespace

core::Result<Change> writeToken(const DocumentState &state, const TextId &place, core::Index id,
                                const QString &soFar) {
    if (core::Outcome outcome = canChange(state, place); !outcome)
        return outcome.error();
    core::TokenizedText text = core::withWritten(
        state.model, state.model.mainStack(), (*state.input.batch)[place.sequence].tokenized(), id);
    return withText(state, place, std::move(text),
                    GenerationEditText::tr("Generated: %1").arg(soFar + wordText(state, id)));
}

core::Result<Change> chooseToken(const DocumentState &state, const TextId &place, core::Index token,
                                 core::Index id) {
    if (core::Outcome outcome = canChange(state, place); !outcome)
        return outcome.error();
    const core::Sequence &old = (*state.input.batch)[place.sequence];
    const bool isNext = state.model.saysNext();
    if (token < 0 || token > old.length || (!isNext && token == old.length))
        return error(GenerationEditText::tr("there is no token %1").arg(token), {});
    core::TokenizedText text =
        core::withToken(state.model, state.model.mainStack(), old.tokenized(), token, id,
                        isNext ? core::FollowingTokens::Drop : core::FollowingTokens::Keep);
    return withText(
        state, place, std::move(text),
        GenerationEditText::tr("Token %1: %2").arg(QString::number(token), wordText(state, id)));
}

} // namespace headlight::ui::edits
