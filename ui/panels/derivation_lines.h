// Derivations line by line: the numbers that are combined, and the value.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// Returns the lines and the sentences. `derivations`: the result of derivationsOf() for a cell.
InspectorSection derivationSection(const core::Trace &trace,
                                   const std::vector<core::Derivation> &derivations);

} // namespace headlight::ui
