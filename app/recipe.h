// The words of a command line apart from each other: what of them makes the same figure again.
#pragma once

#include <QStringList>

namespace headlight::app {

/// `words` without the options that say where the figure is written, and in which format.
QStringList withoutOutput(const QStringList &words);

/// The words as a shell would take them, written to a file whose name is always the same: so a
/// figure does not depend on where it is written.
QString recipeOf(const QStringList &words, const QString &format);

/// Those that a figure carries, with `typed` laid over them: an option that is typed counts instead
/// of the carried one. The source is the carried one; that of a figure which carries itself is
/// called by its new format.
QStringList laidOver(const QStringList &carried, const QStringList &typed, const QString &format);

/// The words with another source.
QStringList withSource(const QStringList &words, const QString &source);

} // namespace headlight::app
