// Quoting for command lines.
#pragma once

#include <QString>

namespace headlight::ui {

/// Adds single quotes if a POSIX shell needs them.
QString shellWord(const QString &word);

} // namespace headlight::ui
