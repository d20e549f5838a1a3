// Titles of the model's parts, each with its own diagram.
#pragma once

#include "ui/figures/parts/model_parts.h"

#include <QString>

namespace headlight::ui {

/// Returns "self-attention", "feed-forward" or "next token".
QString titleOf(const core::Model &model, const ModelPart &part);

} // namespace headlight::ui
