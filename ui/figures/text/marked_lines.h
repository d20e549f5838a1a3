// A lesson's text in lines of painted text.
#pragma once

#include "ui/figures/text/text.h"

#include <string>

namespace headlight::ui {

/// `html` as core::stepTextToHtml() makes it, in lines no wider than `width` px, but for words that
/// are. What is stressed is bold; what is struck out is left out.
QList<Spans> markedLines(const std::string &html, const QFont &font, double width,
                         const QColor &colour);

} // namespace headlight::ui
