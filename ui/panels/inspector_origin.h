// Inspector arithmetic of one number of a vector: lines, terms and remarks.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// Returns the first section: how the number was computed, line by line. `derivations`:
/// derivationsOf() the selection.
InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const std::vector<core::Derivation> &derivations);

/// Returns the terms of a sum of products as bars. Empty if bars would add no information.
InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const std::vector<core::Derivation> &derivations,
                              const FigureStyle &style);

/// Returns the contribution of each head to a number of the output.
InspectorSection headsSection(const core::Derivation &cell);

} // namespace headlight::ui
