// Lessons that a person begins to write.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"

namespace headlight::ui {

/// A new document whose base is the model and the input as they stand now, and whose lesson has one
/// step that shows what is seen. Of a model that lies in a folder the base is the folder's, and the
/// step sets what was changed. Errors: a capture has no model.
core::Result<OpenedSource> newLesson(const Document &document, const edits::WindowState &seen);

/// The document where it stands, as one that belongs to no file: of a built-in lesson a copy that
/// can be edited.
OpenedSource copyOf(const Document &document, const QString &view);

/// Nothing that is not saved would be missing in newLesson(): numbers and text are taken along,
/// what somebody wrote in a lesson is not. Of a lesson's file it is not known whether it was all
/// saved.
bool newLessonTakesAll(const Document &document);

} // namespace headlight::ui
