// Breaks text into lines.
#pragma once

#include <QFont>
#include <QStringList>

namespace headlight::ui {

/// Returns the lines of a text at this width, px, without spaces at their ends. Breaks between
/// words, and inside a word only if it is wider than a line.
QStringList brokenLines(const QString &text, const QFont &font, double width);

} // namespace headlight::ui
