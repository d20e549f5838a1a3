#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/json/text.h"
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "ui/document/file_path.h"

#include <algorithm>

namespace headlight::app {

namespace {

/// What stands between two words: nothing where some words of the vocabulary bring their own
/// spaces, as those of subword tokenizers do.
std::string_view betweenWordsOf(const core::Vocabulary &vocabulary) {
    const auto bringsSpace = [](const std::string &word) {
        return word.size() > 1 && (word.front() == ' ' || word.back() == ' ');
    };
    return std::ranges::any_of(vocabulary.words(), bringsSpace) ? "" : " ";
}

/// A terminal obeys control characters, and the words may be somebody else's. Lines and tabs are
/// text.
std::string withoutControls(std::string text) {
    std::ranges::replace_if(
        text,
        [](char c) {
            return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
        },
        ' ');
    return text;
}

std::string jsonLine(const core::GeneratedToken &token) {
    std::vector<core::JsonMemberText> members{{"id", std::to_string(token.id)},
                                              {"text", core::jsonText(token.text)},
                                              {"probability", core::jsonNumber(token.probability)}};
    if (token.isEnd)
        members.push_back({"end", "true"});
    return core::jsonObject(members) + '\n';
}

/// The end token as the option says it; "none" means that there is none.
core::Result<std::optional<core::Index>> endOf(const Arguments &arguments,
                                               const core::Model &model) {
    if (!model.vocabulary || arguments.end == "none")
        return std::optional<core::Index>();
    if (arguments.end.isEmpty())
        return core::endTokenOf(*model.vocabulary);
    const std::string word = arguments.end.toStdString();
    const auto id = model.vocabulary->idOf(word); // or that of unknown words
    if (id && model.vocabulary->word(*id) == word)
        return id;
    return errorOf(Words::tr("the model does not know the word '%1'").arg(arguments.end), "--end",
                   Words::tr("give one of its words, or none"));
}

core::Result<core::Generator> generatorFor(const Arguments &arguments, std::stop_token stop) {
    const core::Error noModel =
        errorOf(Words::tr("it holds numbers that were captured, and no model"),
                ui::bytesOf(arguments.request.source).c_str(),
                Words::tr("give a lesson or a session with a language model"));
    if (ui::kindOfSource(arguments.request.source) == ui::SourceKind::Capture)
        return noModel;
    const core::Result<ui::OpenedSource> opened = openFor(arguments, std::move(stop));
    if (!opened)
        return opened.error();
    if (opened->session.capture)
        return noModel;
    const core::Model &model = opened->state.model;
    const auto end = endOf(arguments, model);
    if (!end)
        return end.error();
    core::GenerationOptions options = arguments.generation;
    options.sequence = opened->selection.sequence;
    options.end = *end;
    return core::Generator::create(model, opened->state.input, std::move(options));
}

} // namespace

int runGenerate(const Arguments &arguments, std::stop_token stop) {
    core::Result<core::Generator> generator = generatorFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!generator)
        return fail(generator.error());
    const std::string_view between = betweenWordsOf(*generator->vocabulary());
    bool isFirst = true;
    const auto endLine = [&] { // whatever comes, what is there ends with its line
        if (!arguments.json && !isFirst)
            (void)writeStandardOutput("\n");
    };
    for (;;) {
        const auto token = generator->next(stop);
        if (!token) {
            endLine();
            return core::isCancelled(token.error()) ? kInterrupted : fail(token.error());
        }
        if (!*token)
            break;
        const core::GeneratedToken &made = **token;
        std::string text;
        if (arguments.json)
            text = jsonLine(made);
        else if (!made.isEnd)
            text = std::string(isFirst ? "" : between) + withoutControls(made.text);
        if (const core::Outcome written = writeStandardOutput(text); !written)
            return fail(written.error());
        isFirst = isFirst && text.empty();
    }
    if (arguments.json)
        return 0;
    const core::Outcome written = writeStandardOutput("\n");
    return written ? 0 : fail(written.error());
}

} // namespace headlight::app
