// A lesson's text as lines of painted text.
#pragma once

#include "ui/figures/text/text.h"

#include <string>

namespace headlight::ui {

/// Breaks `html` from core::stepTextToHtml() into lines of at most `width` px. A longer word gets a
/// separate line. Emphasized text is bold, and struck-out text is omitted.
QList<Spans> markedLines(const std::string &html, const QFont &font, double width,
                         const QColor &colour);

} // namespace headlight::ui
