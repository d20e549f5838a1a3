// The pages that the build installs: the manual page and the shell completions, made from the
// table of options.
#pragma once

#include "app/options.h"

namespace headlight::app {

/// Returns the page for `headlight --print NAME` (man, bash, zsh or fish), or an empty string.
/// --help does not list this switch: it is for the build.
QString printedPage(const QString &name);

QString manualPage();
QString bashCompletion();
QString zshCompletion();
QString fishCompletion();

/// The command's name on the command line. The window has none.
QString wordOf(Command command);

/// Returns the command's options in the order of the table.
QList<Option> optionsOf(Command command);

/// What a shell offers for a word.
struct OfferedWords {
    QStringList words;      ///< built-in lessons, models or tasks; values of an option
    QStringList extensions; ///< of the files offered; empty: all files
    bool takesFiles = true;
};

/// For a word that is neither an option nor its value.
OfferedWords positionalWordsOf(Command command);

/// For the value of an option that has one.
OfferedWords wordsForValueOf(const Option &option);

} // namespace headlight::app
