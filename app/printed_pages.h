// The pages that the build installs: the manual page and the shell completions, generated from the
// table of options.
#pragma once

#include "app/options.h"

namespace headlight::app {

/// Returns the page for `headlight --print NAME` (man, bash, zsh or fish), or an empty string.
/// --help does not list this option, because only the build uses it.
QString printedPage(const QString &name);

QString manualPage();
QString bashCompletion();
QString zshCompletion();
QString fishCompletion();

/// Returns the command's name; empty for the window.
QString commandWord(Command command);

/// Returns the command's options, in table order.
QList<Option> optionsOf(Command command);

/// The completions that a shell offers for a word.
struct OfferedWords {
    QStringList words;      ///< built-in lessons, models or tasks; values of an option
    QStringList extensions; ///< extensions of the files to offer; empty: all files
    bool takesFiles = true;
};

/// Returns the completions of a word that is neither an option nor an option's value.
OfferedWords positionalTextOf(Command command);

/// Returns the completions of an option's value.
OfferedWords wordsForValueOf(const Option &option);

} // namespace headlight::app
