// Converts a line of mathematics from core to coloured, translated spans.
#pragma once

#include "core/explain/line.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <functional>

namespace headlight::ui {

/// Names of rows and columns, and a template for notes such as "(%1)". The note's text replaces %1.
struct LineNames {
    std::function<QString(core::Index)> row, column;
    QString note;
};

Spans spansOf(const core::Line &line, const LineNames &names, const FigureStyle &style);

/// Returns the translated text of a note.
QString wordsOf(core::Note note, const std::vector<std::string> &arguments);

} // namespace headlight::ui
