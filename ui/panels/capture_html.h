// What a capture holds, beside the picture: where a lesson has its text.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>

namespace headlight::ui {

QString captureHtml(const core::Session &session);

} // namespace headlight::ui
