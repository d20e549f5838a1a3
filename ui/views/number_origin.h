// Origins of the numbers in the arithmetic line: their descriptions and selections.
#pragma once

#include "core/explain/line.h"
#include "ui/document/document.h"
#include "ui/figures/text/text.h"

namespace headlight::ui {

/// Describes the number with all its digits: "Queries of bank, dimension 3: 0.4123". Describes a
/// parameter by its name and position: "W_Q, row 3, column 1". The document must have a trace.
QString originText(const core::NumberOrigin &origin, const Document &document);

/// Returns the selection of that number. `origin` must not be a parameter.
core::Selection originSelection(const core::NumberOrigin &origin, core::Selection selection);

/// Returns the origins of a line's numbers without duplicates, from left to right.
std::vector<core::NumberOrigin> originsIn(const Spans &numbers);

} // namespace headlight::ui
