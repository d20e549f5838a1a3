// A text with a lesson's marks, as HTML: its numbers are the trace's, its terms lead to the
// glossary.
#pragma once

#include <QString>

#include <string>

class QPalette;

namespace headlight::core {
class Trace;
}

namespace headlight::ui {

/// Numbers are tinted: they are live. Where the text speaks of the editor, its name opens it, a
/// link "editor:page". `trace` may be null.
QString markedHtml(const std::string &text, const core::Trace *trace, const QPalette &palette);

} // namespace headlight::ui
