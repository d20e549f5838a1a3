// A word of a command line as a person would type it.
#pragma once

#include <QString>

namespace headlight::ui {

/// In single quotes where a POSIX shell needs them, else as it is.
QString shellWord(const QString &word);

} // namespace headlight::ui
