// The program: a command, or the window.
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/window_application.h"

#include <QHashFunctions>

namespace {

using namespace headlight::app;

int run(const Arguments &arguments) {
    if (arguments.command == Command::Figure || arguments.command == Command::Trace) {
        const Interrupt interrupt;
        return arguments.command == Command::Figure ? runFigure(arguments, interrupt.token())
                                                    : runTrace(arguments, interrupt.token());
    }
    endOnInterrupt();
    if (arguments.command == Command::Lessons)
        return runLessons();
    return arguments.command == Command::Check ? runCheck(arguments) : runInfo(arguments);
}

} // namespace

int main(int argc, char **argv) {
    QHashSeed::setDeterministicGlobalSeed(); // the order of a PDF's objects depends on it
    takeStandardStreams();
    const ParsedArguments parsed = parseArguments(argc, argv);
    if (const auto *error = std::get_if<UsageError>(&parsed)) {
        say(error->text.toStdString());
        return 2;
    }
    if (const auto *print = std::get_if<PrintAndEnd>(&parsed))
        return writeOutput("-", print->text.toStdString());
    const Arguments &arguments = std::get<Arguments>(parsed);
    return arguments.command == Command::Window ? runWindow(arguments, argc, argv) : run(arguments);
}
