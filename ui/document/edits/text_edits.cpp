#include "ui/document/edits/text_edits.h"

#include "core/analysis/random_repeats.h"
#include "core/generation/chosen_text.h"
#include "ui/document/state/fitting_input.h"
#include "ui/text/core_message.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

struct TextEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TextEdits)
};

/// Reads a typed text. Errors: it is empty; those of core::tokenized().
core::Result<core::TokenizedText> typedText(const core::Model &model, core::Stack stack,
                                            const QString &text) {
    core::Result<core::TokenizedText> read = core::tokenized(model, stack, text.toStdString());
    // Some models put a token before every text, and can read an empty one.
    const bool isEmpty = read ? read->tokens.empty() : text.trimmed().isEmpty();
    if (isEmpty)
        return core::Error{messageOf(TextEditText::tr("the text is empty")), "",
                           messageOf(TextEditText::tr("type at least one word"))};
    return read;
}

/// Replaces the tokens of one sequence. Other sequences keep theirs.
core::Result<Change> setTokens(const DocumentState &state, const TextId &place,
                               core::TokenizedText read, const QString &what) {
    core::BatchPointer core::Input::*which =
        place.side == InputSide::Source ? &core::Input::source : &core::Input::batch;
    const core::BatchPointer &before = state.input.*which;
    if (!before)
        return core::Error{"there is no second sequence", "", ""};
    std::vector<core::TokenizedText> texts;
    for (const core::Sequence &sequence : before->sequences())
        texts.push_back(sequence.tokenized());
    core::TokenizedText &retyped = texts[static_cast<std::size_t>(place.sequence)];
    retyped = core::withMarksOf(retyped, std::move(read));
    core::Result<core::BatchPointer> batch =
        core::Batch::create(std::move(texts), place.minimumLength);
    if (!batch)
        return batch.error();
    Edit edit{state, {what, {}, {}}};
    edit.state.input.*which = core::withEmbeddingsOf(*std::move(batch), *before, place.sequence);
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

} // namespace

core::Result<Change> setText(const DocumentState &state, const TextId &place, const QString &text) {
    const bool isSource = place.side == InputSide::Source;
    const core::Model &model = state.model;
    core::Result<core::TokenizedText> read =
        typedText(model, isSource ? model.sourceStack() : model.mainStack(), text);
    if (!read)
        return read.error();
    const QString what =
        isSource ? TextEditText::tr("Source text: %1") : TextEditText::tr("Text: %1");
    return setTokens(state, place, *std::move(read), what.arg(text.simplified()));
}

core::Result<Change> setRandomRepeats(const DocumentState &state, const TextId &place,
                                      quint64 seed) {
    const core::Model &model = state.model;
    const core::Result<std::vector<core::Index>> ids = core::randomRepeats(model, seed);
    if (!ids)
        return ids.error();
    core::TokenizedText text;
    for (const core::Index id : *ids)
        text.tokens.push_back(model.vocabularyOf(model.mainStack())->token(id));
    return setTokens(state, place, std::move(text),
                     TextEditText::tr("Random tokens, twice (seed %1)").arg(seed));
}

core::Result<Change> addText(const DocumentState &state, core::Index minimumLength,
                             const QString &text) {
    if (state.input.source)
        return core::Error{"every text of this model attends to a second one", "",
                           "open or create a session with one sequence"};
    core::Result<core::TokenizedText> read = typedText(state.model, state.model.mainStack(), text);
    if (!read)
        return read.error();
    const core::Batch &before = *state.input.batch;
    std::vector<core::TokenizedText> texts;
    for (const core::Sequence &sequence : before.sequences())
        texts.push_back(sequence.tokenized());
    texts.push_back(*std::move(read));
    core::Result<core::BatchPointer> batch = core::Batch::create(std::move(texts), minimumLength);
    if (!batch)
        return batch.error();
    Edit edit{state, {TextEditText::tr("Add a text: %1").arg(text.simplified()), {}, {}}};
    core::Input &input = edit.state.input;
    input.batch = core::withEmbeddingsOf(*std::move(batch), before, before.count());
    const bool hasPadding =
        std::ranges::any_of(input.batch->sequences(), [&](const core::Sequence &one) {
            return one.length < input.batch->length();
        });
    const bool isHidden = std::ranges::any_of(input.masks, [](const core::MaskLayer &layer) {
        return std::holds_alternative<core::PaddingMask>(layer);
    });
    if (hasPadding && !isHidden)
        input.masks.push_back(core::PaddingMask{});
    return checked(std::move(edit));
}

} // namespace headlight::ui::edits
