// Facts about a capture, shown next to the picture in place of a lesson's text.
#pragma once

#include "core/formats/session/data/session.h"

#include <QString>

namespace headlight::ui {

QString captureHtml(const core::Session &session);

} // namespace headlight::ui
