// What the parts of a model are called that are drawn as one diagram each.
#pragma once

#include "ui/figures/flow/flow_parts.h"

#include <QString>

namespace headlight::ui {

/// "self-attention", "feed-forward", "next token".
QString titleOf(const core::Trace &trace, const FlowPart &part);

} // namespace headlight::ui
