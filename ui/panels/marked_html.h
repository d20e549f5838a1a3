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
/// link "editor:page". `trace` may be null. `sliders`: marks of sliders become sliders, which
/// FittedText paints; otherwise plain numbers.
QString markedHtml(const std::string &text, const core::Trace *trace, const QPalette &palette,
                   bool sliders = false);

/// Makes subscripts and superscripts as large as the smallest text of a presentation. Qt shows them
/// at two thirds of their size.
QString withReadableScripts(QString html);

} // namespace headlight::ui
