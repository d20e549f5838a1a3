// The inspector's arithmetic of one number of a vector: lines, terms, and what to know about it.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// The first section: how the number came to be, line by line. `derivations`: derivationsOf() the
/// selection.
InspectorSection originSection(const core::Trace &trace, const core::Selection &selection,
                               const std::vector<core::Derivation> &derivations);

/// The terms of a sum of products as bars; empty where there is none that is worth a bar.
InspectorSection termsSection(const core::Trace &trace, const core::Selection &selection,
                              const std::vector<core::Derivation> &derivations,
                              const FigureStyle &style);

/// What each head adds to a number of the output.
InspectorSection headsSection(const core::Derivation &cell);

} // namespace headlight::ui
