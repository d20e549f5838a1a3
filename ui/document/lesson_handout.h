// Creates the teacher's handout of a lesson.
#pragma once

#include "core/formats/session/data/session.h"
#include "core/worksheet/handout.h"
#include "ui/document/lesson_catalogue.h"

#include <functional>
#include <stop_token>

namespace headlight::ui {

/// Computes each step, so that right answers and numbers match the lesson. `known` contains the
/// titles of lessons that this one may build on. Any other lesson is shown by its id. Calls `done`
/// after each step. Errors: a session without a lesson; as core::forward(); "cancelled" once `stop`
/// is requested.
core::Result<core::Handout> handoutOf(const core::Session &session, const QList<LessonInfo> &known,
                                      std::stop_token stop = {},
                                      const std::function<void(int, int)> &done = {});

} // namespace headlight::ui
