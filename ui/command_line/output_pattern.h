// Patterns in the path of an output: %n is the number of a text, %l a layer, %h a head, and %% a
// percent sign. The letter after %% is not a pattern: "%%l" becomes "%l".
#pragma once

#include <QString>

#include <optional>

namespace headlight::ui {

/// True if the path has the pattern % and this letter.
bool hasPattern(const QString &path, QChar letter);

/// Like hasPattern(), but ignores the folders of the path.
bool hasPatternInName(const QString &path, QChar letter);

/// Where pathOfText() leaves percent signs for a later pathOfFigure().
enum class LaterPatterns { None, InName };

/// Returns the path with %n replaced by the number of a text and %% by a percent sign, even in the
/// names of folders.
QString pathOfText(const QString &path, std::size_t number, LaterPatterns later);

/// The texts that replace %l and %h.
struct PlaceWords {
    QString layer, head;
};

/// Returns the path with %l, %h and %% replaced in the name, but not in its folders. Without words,
/// %l and %h stay as they are.
QString pathOfFigure(const QString &path, const std::optional<PlaceWords> &words);

} // namespace headlight::ui
