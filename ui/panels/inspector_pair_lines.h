// The inspector's arithmetic of a pair of tokens: from the score to what is selected.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// `derivations`: derivationsOf() a pair's number.
QList<InspectorLine> pairLines(const std::vector<core::Derivation> &derivations);

} // namespace headlight::ui
