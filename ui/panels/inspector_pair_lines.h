// Inspector arithmetic of a token pair: from the score to the selected stage.
#pragma once

#include "ui/panels/inspector_content.h"

namespace headlight::ui {

/// `derivations`: derivationsOf() a value of a pair.
QList<InspectorLine> pairLines(const std::vector<core::Derivation> &derivations);

} // namespace headlight::ui
