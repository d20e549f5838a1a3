// What a session's worksheet asks for.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/worksheet/worksheet.h"
#include "ui/document/state/document_state.h"

#include <functional>
#include <stop_token>

namespace headlight::ui {

/// Of a lesson each step as it is by itself, whatever a person changed; of another session, which
/// is at `now`, the stages of the attention that it shows. `done` is told after each of so many
/// steps. It may ask for nothing. Errors: a capture; as core::forward(), "cancelled" once `stop` is
/// requested.
core::Result<core::Worksheet> worksheetOf(const core::Session &session, const DocumentState &now,
                                          std::stop_token stop = {},
                                          const std::function<void(int, int)> &done = {});

/// Why there is nothing to print, where there is not.
core::Outcome asksForSomething(const core::Worksheet &sheet);

} // namespace headlight::ui
