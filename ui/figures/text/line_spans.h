// A line of mathematics that core hands over, in colours and in the person's language.
#pragma once

#include "core/explain/line.h"
#include "ui/figures/base/style.h"
#include "ui/figures/text/text.h"

#include <functional>

namespace headlight::ui {

/// What the rows and columns are called, and what stands around a note: "      %1", "   (%1)".
struct LineNames {
    std::function<QString(core::Index)> row, column;
    QString note;
};

Spans spansOf(const core::Line &line, const LineNames &names, const FigureStyle &style);

/// What a note says.
QString wordsOf(core::Note note, const std::vector<std::string> &arguments);

} // namespace headlight::ui
