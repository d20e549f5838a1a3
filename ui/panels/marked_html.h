// HTML of a text with a lesson's marks: numbers from the trace, and links to the glossary.
#pragma once

#include <QString>

#include <string>

class QPalette;

namespace headlight::core {
class Trace;
}

namespace headlight::ui {

/// Tints the numbers because they are live. Where the text mentions the editor, its name becomes a
/// link "editor:page". `trace` may be null.
QString markedHtml(const std::string &text, const core::Trace *trace, const QPalette &palette);

} // namespace headlight::ui
