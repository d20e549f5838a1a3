#include "app/commands.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/formats/json/text.h"
#include "core/generation/end_token.h"
#include "core/generation/generator.h"
#include "core/generation/written_text.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

std::string jsonLine(const core::GeneratedToken &token, const core::Vocabulary &words) {
    std::vector<core::JsonMemberText> members{{"id", std::to_string(token.id)},
                                              {"text", core::jsonText(token.text)},
                                              {"probability", core::jsonNumber(token.probability)}};
    if (token.isEnd)
        members.push_back({"end", "true"});
    std::vector<std::string> alternatives;
    for (const core::TopToken &each : token.likeliest)
        alternatives.push_back(
            core::jsonObject({{"id", std::to_string(each.word)},
                              {"text", core::jsonText(words.word(each.word))},
                              {"probability", core::jsonNumber(each.probability)}}));
    if (!alternatives.empty())
        members.push_back({"alternatives", core::jsonArray(alternatives)});
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
    const auto id = model.vocabulary->idOf(word); // idOf() may return the id of the unknown token
    if (id && model.vocabulary->word(*id) == word)
        return id;
    return errorOf(Words::tr("'%1' is not in the model's vocabulary").arg(arguments.end), "--end",
                   Words::tr("use a word of its vocabulary, or none"));
}

struct GenerationJob {
    core::Generator generator;
    core::WrittenText text;
};

core::Result<GenerationJob> writingFor(const Arguments &arguments, std::stop_token stop) {
    const core::Error noModel =
        errorOf(Words::tr("it is a capture, which has no model"),
                ui::bytesOf(arguments.request.source).c_str(),
                Words::tr("use a lesson or a session with a language model"));
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
    constexpr core::Index kUsualAlternatives = 5;
    if (arguments.json)
        options.likeliest =
            static_cast<std::size_t>(arguments.alternatives.value_or(kUsualAlternatives));
    auto generator = core::Generator::create(*opened->computable, std::move(options));
    if (!generator)
        return generator.error();
    core::WrittenText text(model, *generator->input().batch);
    return GenerationJob{*std::move(generator), std::move(text)};
}

/// Writes each token as soon as it is generated. Sets `ended` if an error ends the generation after
/// some tokens were written.
core::Outcome writeTokens(const Arguments &arguments, GenerationJob &writing,
                          const core::ByteSink &sink, std::optional<core::Error> &ended,
                          const std::stop_token &stop) {
    bool isBegun = false; // true after text was written; its line must end even after an error
    const auto put = [&](const std::string &text) {
        isBegun = isBegun || !text.empty();
        return sink(arguments.json ? text : withoutControls(text));
    };
    for (;;) {
        const auto token = writing.generator.next(stop);
        if (!token) {
            if (!arguments.json)
                (void)put(writing.text.rest());
            if (!arguments.json && isBegun)
                (void)put("\n");
            if (!isBegun)
                return token.error();
            ended = token.error();
            return core::Done{};
        }
        if (!*token)
            break;
        const core::GeneratedToken &made = **token;
        const std::string text = arguments.json ? jsonLine(made, *writing.generator.vocabulary())
                                 : made.isEnd   ? std::string()
                                                : writing.text.add(made.id);
        if (core::Outcome written = put(text); !written)
            return written;
    }
    if (arguments.json)
        return core::Done{};
    return put(writing.text.rest() + '\n');
}

} // namespace

int runGenerate(const Arguments &arguments, std::stop_token stop) {
    core::Result<GenerationJob> writing = writingFor(arguments, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!writing)
        return fail(writing.error());
    std::optional<core::Error> ended;
    const int code = writeOutput(
        arguments.output.isEmpty() ? "-" : arguments.output,
        [&](const core::ByteSink &sink) {
            return writeTokens(arguments, *writing, sink, ended, stop);
        },
        stop);
    return code == 0 && ended ? fail(*ended) : code;
}

} // namespace headlight::app
