// The table of command line options. The parser and the help text are built from it.
#pragma once

#include "ui/command_line/option.h"

#include <QString>
#include <QStringList>

#include <span>
#include <vector>

namespace headlight::app {

using ui::Command;
using ui::Option;
using ui::StoredInFigure;

struct Arguments;
using OptionRow = ui::OptionRow<Arguments>;

std::span<const OptionRow> allOptions();
/// Returns the options of train (train_options.cpp).
std::vector<OptionRow> trainOptions();

/// Returns Option::values of the command's option.
QStringList valuesOf(const char *option, Command command);

struct CommandHelp {
    const char *usage;   ///< such as "headlight figure SOURCE -o FILE"
    const char *meaning; ///< one line of help
};

CommandHelp helpOf(Command command);

/// Returns the text of --help for the command, or for the whole program (Command::Window).
QString helpText(Command command);

/// Returns the command names. The window has none.
const QStringList &commandWords();

/// Returns the window, then the commands in the order of commandWords().
QList<Command> allCommands();

} // namespace headlight::app
