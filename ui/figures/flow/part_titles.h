// Titles of the model's parts, each with its own diagram.
#pragma once

#include "ui/figures/flow/flow_parts.h"

#include <QString>

namespace headlight::ui {

/// Returns "self-attention", "feed-forward" or "next token".
QString titleOf(const core::Trace &trace, const FlowPart &part);

} // namespace headlight::ui
