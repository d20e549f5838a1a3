// An edited lesson. It is part of the document's state, so it is undone, saved and recovered with
// everything else.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::ui {

struct LessonDraft {
    std::string title; ///< the document's title
    core::Lesson lesson;
};
/// Null if the lesson is unchanged.
using LessonDraftPointer = std::shared_ptr<const LessonDraft>;

/// Returns the memory of a draft that an undo step does not share with others.
std::size_t bytesOf(const LessonDraftPointer &draft);

} // namespace headlight::ui
