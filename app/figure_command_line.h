// The words of a command line apart from each other: what of them makes the same figure again.
#pragma once

#include <QStringList>

namespace headlight::app {

/// `words` without the options that say where the figure is written, and in which format. Of an
/// option that is given twice the last one counts, and only it stays. A size is as it is typed,
/// "84x60mm".
QStringList withoutOutput(const QStringList &words);

/// The words with files named without the folders that they lie in: those are nobody else's.
QStringList withoutFolders(const QStringList &words);

/// The words as a shell would take them, without folders, written to a file whose name is always
/// the same: so a figure does not depend on where it is written.
QString recipeOf(const QStringList &words, const QString &format);

/// The recipe of a figure with typed words laid over it.
struct MergedOptions {
    QStringList words;
    QStringList leftOut; ///< what no recipe may say: options, and unknown words in quotes
};

/// What is typed wins over what is carried. Of the carried words only those are taken that say how
/// to look (Option::inRecipe), that open no file, and that do not ask for a huge picture: somebody
/// else may have written them. The source is the carried one; that of a figure which carries itself
/// is called by its new format.
MergedOptions laidOver(const QStringList &carried, const QStringList &typed, const QString &format);

/// A picture beyond this many pixels takes long: only a person can ask for it.
inline constexpr double kMaximumCarriedPixels = 40'000'000;

/// The words with another source.
QStringList withSource(const QStringList &words, const QString &source);

/// The words with another text behind --text.
QStringList withText(const QStringList &words, const QString &text);

/// One of the words is this option.
bool says(const QStringList &words, const char *option);

} // namespace headlight::app
