// What was chosen last for a new session, kind by kind, between one start and the next.
#pragma once

#include "ui/document/new_session.h"

namespace headlight::ui {

/// The kind that was made last; attention only at first.
NewKind rememberedKind();
/// What was chosen last for the kind, where that is known and makes sense; else what is usual.
NewSession rememberedSession(NewKind kind);
/// All but the texts.
void rememberSession(const NewSession &made);

} // namespace headlight::ui
