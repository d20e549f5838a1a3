// Facts about the model, shown next to the picture in place of a lesson's text.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>

namespace headlight::ui {

/// Returns facts about a session that is neither a lesson nor a capture. `model` includes the
/// user's changes.
QString modelHtml(const core::Session &session, const core::Model &model);

} // namespace headlight::ui
