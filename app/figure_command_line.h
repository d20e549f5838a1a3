// Splits a command line into options and other words, to store the words that reproduce a figure.
#pragma once

#include "core/formats/text_list.h"

#include <QStringList>

namespace headlight::app {

/// Returns `words` without the options for the output file and format. If an option is repeated,
/// keeps only the last one, which is the one that counts. A size is written as typed, "84x60mm".
QStringList withoutOutput(const QStringList &words);

/// Removes the folders from file names, because they are private.
QStringList withoutFolders(const QStringList &words);

/// Returns a shell command without folders. The output file always has the same name, so that the
/// figure does not depend on where it is written.
QString recipeOf(const QStringList &words, const QString &format);

/// The stored command line of a figure, merged with typed words.
struct MergedOptions {
    QStringList words;
    QStringList leftOut; ///< rejected options by name, other rejected words in quotes
};

/// Merges carried and typed words. Typed words win. Another author may have written the carried
/// words, so only those are kept that set the appearance (Option::stored), open no file and request
/// no huge picture. The source is the carried one. A figure that is its own source is renamed to
/// "figure" with the extension of the new format.
MergedOptions laidOver(const QStringList &carried, const QStringList &typed, const QString &format);

/// Limit for stored sizes. Larger pictures take a long time, so only typed options can request
/// them.
inline constexpr double kMaxCarriedPixels = 40'000'000;

/// Replaces the source.
QStringList withSource(const QStringList &words, const QString &source);

/// Replaces the value of --text.
QStringList withText(const QStringList &words, const QString &text);
/// Replaces the value of an option that the words contain.
QStringList withValue(const QStringList &words, const char *option, const QString &value);

/// Replaces --texts, which has many texts, with one of them.
QStringList withOwnText(const QStringList &words, const core::ListedText &own);

/// True if the words contain the option.
bool says(const QStringList &words, const char *option);

} // namespace headlight::app
