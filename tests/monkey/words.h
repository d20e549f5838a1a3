// Texts for fields, the clipboard, drag and drop, and the log.
#pragma once

#include "tests/monkey/dice.h"

#include <QStringList>

namespace headlight::test {

/// Returns a short text, because it is typed letter by letter. With `nan`, it may contain the word
/// "nan", which NaN checks must ignore.
QString someWords(Dice &dice, bool nan);
/// Returns numbers, tables, sentences in any script, invalid text, or a very long text.
QString someBlock(Dice &dice, bool nan);

/// Appends to the log line of the current action.
void say(const QString &words);

} // namespace headlight::test
