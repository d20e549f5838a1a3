// What the monkey writes: into fields, onto the clipboard, on what it drags, and into its log.
#pragma once

#include "tests/monkey/dice.h"

#include <QStringList>

namespace headlight::test {

/// Short: it is typed letter by letter. `nan`: also that word, which is no number of the program's
/// then.
QString someWords(Dice &dice, bool nan);
/// Numbers, tables of them, sentences of any script, what is no text at all, and much too much.
QString someBlock(Dice &dice, bool nan);

/// In the log, in the line of the present action.
void say(const QString &words);

} // namespace headlight::test
