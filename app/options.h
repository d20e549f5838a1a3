// The table of command line options. The parser and the help text are built from it.
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
    Verify,
    Info,
    Tokenize,
    Check,
    Tasks,
    Train,
    Worksheet,
    Course
};

/// Whether the command line stored in a figure may set the option. The figure may come from another
/// author, so it may set the appearance, but never which files are read or written.
enum class StoredInFigure { Never, Look };

struct Option {
    const char *name;    ///< "output": --output
    const char *letter;  ///< "o", or nullptr
    const char *value;   ///< placeholder in the help; nullptr: a switch
    const char *meaning; ///< one line
    StoredInFigure inRecipe;
    QList<Command> commands;
    /// Words that the value may be. The list is complete for the values NAME and SWITCH; other
    /// options also accept other values.
    QStringList values = {};
};

std::span<const Option> allOptions();
/// The options of train (train_options.cpp).
std::span<const Option> trainOptions();

/// Returns Option::values of the command's option.
QStringList valuesOf(const char *option, Command command);

struct CommandHelp {
    const char *usage;   ///< "headlight figure SOURCE -o FILE"
    const char *meaning; ///< one line
};

CommandHelp helpOf(Command command);

/// Returns the text of --help; for Command::Window, that of the whole program.
QString helpText(Command command);

/// The command names; the window has none.
const QStringList &commandWords();

/// The window, then the commands in the order of commandWords().
QList<Command> allCommands();

} // namespace headlight::app
