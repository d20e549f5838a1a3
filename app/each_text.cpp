#include "app/each_text.h"

#include "app/commands.h"
#include "app/figure_command_line.h"
#include "app/interrupt.h"
#include "app/words.h"
#include "core/formats/text_list.h"
#include "ui/command_line/output_pattern.h"
#include "ui/text/file_path.h"

namespace headlight::app {

namespace {

QString outputOf(const Arguments &arguments, std::size_t number) {
    return ui::pathOfText(arguments.output, number,
                          arguments.command == Command::Figure ? ui::LaterPatterns::InName
                                                               : ui::LaterPatterns::None);
}

/// Returns the arguments of one text.
Arguments argumentsOf(const Arguments &arguments, const core::ListedText &listed,
                      std::size_t number) {
    Arguments one = arguments;
    one.output = outputOf(arguments, number);
    one.request.text = listed.text;
    one.request.pair = listed.pair;
    one.request.targetText = listed.targetText;
    if (listed.token && one.command == Command::Ablate)
        one.token = listed.token;
    if (one.command != Command::Figure)
        return one;
    // The figure stores the words that reproduce it, with this text instead of --texts.
    one.words = withOwnText(arguments.words, listed);
    one.recipe = recipeOf(one.words, one.format);
    return one;
}

} // namespace

int runForEachText(const Arguments &arguments, const std::stop_token &stop,
                   int (*command)(const Arguments &, std::stop_token)) {
    const std::string file = ui::bytesOf(arguments.texts);
    const core::Result<std::vector<core::ListedText>> texts = core::readTextListFile(file, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!texts)
        return fail(texts.error());
    Arguments only = arguments;
    for (std::size_t i = 0; i < texts->size(); ++i) {
        only.output = outputOf(arguments, i);
        if (core::Outcome allowed = mayWrite(only); !allowed)
            return fail(allowed.error());
    }
    // Leave out options that select a position, because the position may exist only in the texts of
    // the file.
    ui::SourceRequest plain;
    plain.source = arguments.request.source;
    plain.expression = arguments.request.expression;
    plain.tower = arguments.request.tower;
    plain.seed = arguments.request.seed;
    const core::Result<ui::OpenedSource> opened = ui::openSource(plain, stop);
    if (stop.stop_requested())
        return kInterrupted;
    if (!opened)
        return fail(opened.error());
    const auto content = std::make_shared<const core::Session>(opened->session);
    for (std::size_t i = 0; i < texts->size(); ++i) {
        Arguments one = argumentsOf(arguments, (*texts)[i], i);
        one.request.source = opened->source;
        one.request.course = opened->course;
        one.request.content = content;
        const QString line = QString::number((*texts)[i].line);
        setPlaceOfErrors(Words::tr("%1, line %2").arg(arguments.texts, line).toStdString());
        const int code = command(one, stop);
        setPlaceOfErrors({});
        if (code != 0)
            return code;
    }
    return 0;
}

} // namespace headlight::app
