// HTML of a text with a lesson's marks: numbers from the trace, and links to the glossary.
#pragma once

#include <QString>

#include <string>

class QPalette;

namespace headlight::core {
class Trace;
}

namespace headlight::ui {

/// Tints the numbers because they are live. In a text that mentions the editor, its name and the
/// names of its pages are links "editor:page". `trace` may be null. If `sliders` is true, marks of
/// sliders become sliders, which FittedText paints. Otherwise they become plain numbers.
QString markedHtml(const std::string &text, const core::Trace *trace, const QPalette &palette,
                   bool sliders = false);

/// Makes subscripts and superscripts as large as the smallest text of a presentation. By default,
/// Qt shows them at two thirds of the text size.
QString withReadableScripts(QString html);

} // namespace headlight::ui
