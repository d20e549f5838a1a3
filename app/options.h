// The command line's options: one table, from which both the parser and the help text are made.
#pragma once

#include <QString>
#include <QStringList>

#include <span>

namespace headlight::app {

enum class Command {
    Window,
    Lessons,
    Figure,
    Trace,
    Generate,
    Info,
    Tokenize,
    Check,
    Tasks,
    Train,
    Worksheet,
    Course
};

/// Whether a figure's recipe can say the option when the figure is painted again. The figure may
/// come from somebody else: its recipe says how to look, and never which files are read or written.
enum class StoredInFigure { Never, Look };

struct Option {
    const char *name;    ///< "output": --output
    const char *letter;  ///< "o", or nullptr
    const char *value;   ///< what its value is called in the help; nullptr: a switch
    const char *meaning; ///< one line
    StoredInFigure inRecipe;
    QList<Command> commands;
    /// Words that the value can be. Of an option with a NAME or a SWITCH these are all; another one
    /// takes them as well as what else it takes.
    QStringList values = {};
};

std::span<const Option> allOptions();
/// Those of train, which are many (train_options.cpp).
std::span<const Option> trainOptions();

/// Option::values of the command's option.
QStringList valuesOf(const char *option, Command command);

struct CommandHelp {
    const char *usage;   ///< "headlight figure SOURCE -o FILE"
    const char *meaning; ///< one line
};

CommandHelp helpOf(Command command);

/// What --help prints; `command` Window: the whole program's.
QString helpText(Command command);

/// The words for the commands; the window has none.
const QStringList &commandWords();

/// The window, then the commands in the order of commandWords().
QList<Command> allCommands();

} // namespace headlight::app
