// The program: runs a command or opens the window.
#include "app/commands.h"
#include "app/each_text.h"
#include "app/interrupt.h"
#include "app/printed_pages.h"
#include "app/standard_input.h"
#include "app/window_application.h"
#include "core/cancelled.h"

#include <QHashFunctions>

#include <functional>
#include <string_view>

namespace {

using namespace headlight::app;
namespace core = headlight::core;

/// Runs `command` after reading the text of `--text -`, if requested.
int withText(const Arguments &arguments, const std::stop_token &stop,
             const std::function<int(const Arguments &)> &command) {
    const core::Result<Arguments> whole = withStandardInput(arguments, stop);
    if (whole)
        return command(*whole);
    return core::isCancelled(whole.error()) ? kInterrupted : fail(whole.error());
}

int run(const Arguments &arguments) {
    const auto stoppable = [&](int (*command)(const Arguments &, std::stop_token)) {
        const Interrupt interrupt;
        if (!arguments.texts.isEmpty())
            return runForEachText(arguments, interrupt.token(), command);
        return withText(arguments, interrupt.token(),
                        [&](const Arguments &whole) { return command(whole, interrupt.token()); });
    };
    if (arguments.command == Command::Figure)
        return stoppable(runFigure);
    if (arguments.command == Command::Trace)
        return stoppable(runTrace);
    if (arguments.command == Command::Generate)
        return stoppable(runGenerate);
    if (arguments.command == Command::Verify)
        return stoppable(runVerify);
    if (arguments.command == Command::Measure)
        return stoppable(runMeasure);
    if (arguments.command == Command::Measures)
        return stoppable(runMeasures);
    if (arguments.command == Command::Ablate)
        return stoppable(runAblate);
    if (arguments.command == Command::Rollout)
        return stoppable(runRollout);
    if (arguments.command == Command::Flow)
        return stoppable(runFlow);
    if (arguments.command == Command::Compare)
        return stoppable(runCompare);
    if (arguments.command == Command::Tokenize)
        return stoppable(runTokenize);
    if (arguments.command == Command::Cosine)
        return stoppable(runCosine);
    if (arguments.command == Command::Course)
        return stoppable(runCourse);
    if (arguments.command == Command::Worksheet)
        return stoppable(runWorksheet);
    if (arguments.command == Command::Handout)
        return stoppable(runHandout);
    if (arguments.command == Command::Train) {
        const Interrupt interrupt(kTimeToSave, OnTermination::Saves);
        const int code = runTrain(arguments, interrupt.token());
        return code == kInterrupted ? interrupt.code() : code;
    }
    endOnInterrupt();
    if (arguments.command == Command::Tasks)
        return runTasks(arguments);
    if (arguments.command == Command::Lessons)
        return runLessons();
    return arguments.command == Command::Check ? runCheck(arguments)
                                               : withText(arguments, {}, runInfo);
}

} // namespace

int main(int argc, char **argv) {
    QHashSeed::setDeterministicGlobalSeed(); // determines the order of objects in a PDF
    takeStandardStreams();
    // Not documented, because only the build uses it, to install the pages.
    if (argc == 3 && std::string_view(argv[1]) == "--print")
        if (const QString page = printedPage(argv[2]); !page.isEmpty())
            return writeOutput("-", page.toStdString());
    const ParsedArguments parsed = parseArguments(argc, argv);
    if (const auto *error = std::get_if<UsageError>(&parsed)) {
        say(error->text.toStdString());
        return 2;
    }
    if (const auto *print = std::get_if<PrintAndExit>(&parsed))
        return writeOutput("-", print->text.toStdString());
    const Arguments &arguments = std::get<Arguments>(parsed);
    if (arguments.command != Command::Window)
        return run(arguments);
    return withText(arguments, {}, [&](const Arguments &whole) {
        return runWindow(whole, argc, argv); // until here, Ctrl-C ends the program
    });
}
