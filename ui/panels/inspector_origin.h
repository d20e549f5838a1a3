// The inspector's arithmetic of one number of a vector: lines, terms, and what to know about it.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// The first section: how the number came to be, line by line.
InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const core::CellExplanation &cell);

/// The terms of a sum of products as bars; empty where there is none that is worth a bar.
InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const core::CellExplanation &cell, const FigureStyle &style);

/// What each head adds to a number of the output.
InspectorSection headsSection(const core::CellExplanation &cell);

} // namespace headlight::ui
