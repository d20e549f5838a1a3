// Opens a session that shows a capture. Only the captured stages are available, because nothing is
// computed.
#pragma once

#include "ui/document/source.h"

namespace headlight::ui {

/// Errors: options that need a computation, indices that do not exist, "cancelled".
core::Result<OpenedSource> openCaptured(const SourceRequest &request, core::Session session,
                                        const QString &source, std::stop_token stop = {});

} // namespace headlight::ui
