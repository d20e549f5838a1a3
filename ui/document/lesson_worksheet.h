// Creates the worksheet of a session.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/worksheet/worksheet.h"
#include "ui/document/state/document_state.h"

#include <functional>
#include <stop_token>

namespace headlight::ui {

/// For a lesson, covers each step without user edits. For any other session, covers the stages of
/// the selected attention module in the state `now`. Calls `done` after each step. The worksheet
/// may be empty. Errors: a capture; as core::forward(); "cancelled" once `stop` is requested.
core::Result<core::Worksheet> worksheetOf(const core::Session &session, const DocumentState &now,
                                          std::stop_token stop = {},
                                          const std::function<void(int, int)> &done = {});

/// Returns an error if the worksheet has no tasks.
core::Outcome asksForSomething(const core::Worksheet &sheet);

} // namespace headlight::ui
