// A session that shows a capture, as a source: nothing is computed, what it holds is shown.
#pragma once

#include "ui/document/source.h"

namespace headlight::ui {

/// Errors: options that would need a computation, and indices that do not exist; "cancelled".
core::Result<OpenedSource> openCaptured(const SourceRequest &request, core::Session session,
                                        const QString &source, std::stop_token stop = {});

} // namespace headlight::ui
