// Patterns in the name of an output: %n is the number of a text, %l a layer, %h a head, and %% a
// percent sign.
#pragma once

#include <QString>

#include <functional>
#include <optional>

namespace headlight::ui {

/// Returns what replaces % and this letter; unset: they stay as they are.
using PatternWord = std::function<std::optional<QString>(QChar letter)>;

/// Replaces the patterns of a name, but not what %% precedes: "%%l" has no pattern. Keeps %% for a
/// later replacement.
QString withPatterns(const QString &name, const PatternWord &word);

/// Returns the name with a percent sign in place of each %%.
QString withPercentSigns(const QString &name);

/// True if the name has the pattern % and this letter.
bool hasPattern(const QString &name, QChar letter);

} // namespace headlight::ui
