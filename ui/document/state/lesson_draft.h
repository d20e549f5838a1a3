// A lesson as a person has changed it: a value of the document's state, so that it is undone, saved
// and recovered with everything else.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::ui {

struct LessonDraft {
    std::string title; ///< the document's
    core::Lesson lesson;
};
/// Null: the lesson is as it was read.
using LessonDraftPointer = std::shared_ptr<const LessonDraft>;

/// What an undo step keeps of it, but for what steps share.
std::size_t bytesOf(const LessonDraftPointer &draft);

} // namespace headlight::ui
