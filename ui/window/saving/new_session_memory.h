// Saved choices for new sessions, for each kind of model.
#pragma once

#include "ui/document/new_session.h"

namespace headlight::ui {

/// Returns the kind that was created last, by default attention only.
NewKind rememberedKind();
/// Returns the last choices for the kind. Missing or invalid ones have their defaults.
NewSession rememberedSession(NewKind kind);
/// Saves everything except the texts.
void rememberSession(const NewSession &made);

} // namespace headlight::ui
