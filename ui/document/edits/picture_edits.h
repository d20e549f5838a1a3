// Edits that replace the picture that a model reads.
#pragma once

#include "core/formats/picture/picture.h"
#include "core/formats/session/data/session.h"
#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Cuts the picture into patches as the model's folder says. `name` is the name or path of its
/// file. Errors: a model that reads texts; core::preparedPicture().
core::Result<Change> setPicture(const core::Session &session, const DocumentState &state,
                                const core::Picture &picture, const QString &name);

} // namespace headlight::ui::edits
