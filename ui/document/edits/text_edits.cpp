#include "ui/document/edits/text_edits.h"

#include "core/generation/chosen_text.h"
#include "ui/document/state/fitting_input.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight::ui::edits {

namespace {

struct TextEditText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::TextEdits)
};

} // namespace

core::Result<Change> setText(const DocumentState &state, const TextId &place, const QString &text) {
    const bool isSource = place.side == InputSide::Source;
    const core::Model &model = state.model;
    core::Result<core::TokenizedText> read = core::tokenized(
        model, isSource ? model.sourceStack() : model.mainStack(), text.toStdString());
    if (!read)
        return read.error();
    core::BatchPointer core::Input::*which = isSource ? &core::Input::source : &core::Input::batch;
    const core::BatchPointer &before = state.input.*which;
    if (!before)
        return core::Error{"there is no second sequence", "", ""};
    std::vector<core::TokenizedText> texts;
    for (const core::Sequence &sequence : before->sequences())
        texts.push_back(sequence.tokenized());
    core::TokenizedText &retyped = texts[static_cast<std::size_t>(place.sequence)];
    retyped = core::withMarksOf(retyped, *std::move(read));
    core::Result<core::BatchPointer> batch =
        core::Batch::create(std::move(texts), place.minimumLength);
    if (!batch)
        return batch.error();
    const QString what =
        isSource ? TextEditText::tr("Source text: %1") : TextEditText::tr("Text: %1");
    Edit edit{state, {what.arg(text.simplified()), {}, {}}};
    edit.state.input.*which = core::withEmbeddingsOf(*std::move(batch), *before, place.sequence);
    dropWhatDoesNotFit(edit.state.input);
    return checked(std::move(edit));
}

core::Result<Change> addText(const DocumentState &state, core::Index minimumLength,
                             const QString &text) {
    if (state.input.source)
        return core::Error{"every text of this model attends to a second one", "",
                           "open or make a session with one sequence"};
    core::Result<core::TokenizedText> read =
        core::tokenized(state.model, state.model.mainStack(), text.toStdString());
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
    Edit edit{state, {TextEditText::tr("Another text: %1").arg(text.simplified()), {}, {}}};
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
