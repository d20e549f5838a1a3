// The model as it is, beside the picture: where a lesson has its text.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>

namespace headlight::ui {

/// Of a session that is neither a lesson nor a capture. `model`: with what a person changed.
QString modelHtml(const core::Session &session, const core::Model &model);

} // namespace headlight::ui
