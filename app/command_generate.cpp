#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/cancelled.h"
#include "core/formats/json/text.h"
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "core/generation/written_text.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

std::string jsonLine(const core::GeneratedToken &token) {
    std::vector<core::JsonMemberText> members{{"id", std::to_string(token.id)},
                                              {"text", core::jsonText(token.text)},
                                              {"probability", core::jsonNumber(token.probability)}};
    if (token.isEnd)
        members.push_back({"end", "true"});
    return core::jsonObject(members) + '\n';
}

/// Returns the end token that --end names; "none" disables it.
core::Result<std::optional<core::Index>> endOf(const Arguments &arguments,
                                               const core::Model &model) {
    if (!model.vocabulary || arguments.end == "none")
        return std::optional<core::Index>();
    if (arguments.end.isEmpty())
        return core::endTokenOf(*model.vocabulary);
    const std::string word = arguments.end.toStdString();
    const auto id = model.vocabulary->idOf(word); // or the id of the unknown token
    if (id && model.vocabulary->word(*id) == word)
        return id;
    return errorOf(Words::tr("'%1' is not in the model's vocabulary").arg(arguments.end), "--end",
                   Words::tr("use a word of its vocabulary, or none"));
}

struct Writing {
    core::Generator generator;
    core::WrittenText text;
};

core::Result<Writing> writingFor(const Arguments &arguments, std::stop_token stop) {
    const core::Error noModel =
        errorOf(Words::tr("it is a capture, which has no model"),
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
    const auto begun = core::Computable::of(model, opened->state.input);
    if (!begun)
        return begun.error();
    auto generator = core::Generator::create(*begun, std::move(options));
    if (!generator)
        return generator.error();
    core::WrittenText text(model, *generator->input().batch);
    return Writing{*std::move(generator), std::move(text)};
}

} // namespace

int runGenerate(const Arguments &arguments, std::stop_token stop) {
    core::Result<Writing> writing = writingFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!writing)
        return fail(writing.error());
    bool isBegun = false; // text was written; its line is ended even after an error
    const auto put = [&](const std::string &text) {
        isBegun = isBegun || !text.empty();
        return writeStandardOutput(arguments.json ? text : withoutControls(text));
    };
    for (;;) {
        const auto token = writing->generator.next(stop);
        if (!token) {
            if (!arguments.json)
                (void)put(writing->text.rest());
            if (!arguments.json && isBegun)
                (void)put("\n");
            return core::isCancelled(token.error()) ? kInterrupted : fail(token.error());
        }
        if (!*token)
            break;
        const core::GeneratedToken &made = **token;
        const std::string text = arguments.json ? jsonLine(made)
                                 : made.isEnd   ? std::string()
                                                : writing->text.add(made.id);
        if (const core::Outcome written = put(text); !written)
            return fail(written.error());
    }
    if (arguments.json)
        return 0;
    const core::Outcome written = put(writing->text.rest() + '\n');
    return written ? 0 : fail(written.error());
}

} // namespace headlight::app
