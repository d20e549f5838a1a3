// The program: a command, or the window.
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/window_application.h"

#include <cstdio>

namespace {

using namespace headlight::app;

int run(const Arguments &arguments) {
    if (arguments.command == Command::Lessons)
        return runLessons();
    if (arguments.command == Command::Check)
        return runCheck(arguments);
    if (arguments.command == Command::Info)
        return runInfo(arguments);
    const Interrupt interrupt;
    const int code = arguments.command == Command::Figure ? runFigure(arguments, interrupt.token())
                                                          : runTrace(arguments, interrupt.token());
    return interrupt.requested() ? kInterrupted : code;
}

} // namespace

int main(int argc, char **argv) {
    const ParsedArguments parsed = parseArguments(argc, argv);
    if (const auto *error = std::get_if<UsageError>(&parsed)) {
        std::fprintf(stderr, "headlight: %s\n", qPrintable(error->text));
        return 2;
    }
    if (const auto *print = std::get_if<PrintAndEnd>(&parsed))
        return writeOutput("-", print->text.toStdString());
    const Arguments &arguments = std::get<Arguments>(parsed);
    return arguments.command == Command::Window ? runWindow(arguments, argc, argv) : run(arguments);
}
