// Starts new lessons.
#pragma once

#include "ui/document/document.h"
#include "ui/document/edits/lesson_edits.h"

namespace headlight::ui {

/// Creates a document whose base is the current model and input. Its lesson has one step that
/// shows the current view. For a model in a folder, the base is the folder's model and the step
/// sets the edits. Errors: a capture has no model.
core::Result<OpenedSource> newLesson(const Document &document, const edits::WindowState &seen);

/// Returns a copy of the document that belongs to no file. A copy of a built-in lesson can be
/// edited.
OpenedSource copyOf(const Document &document, const QString &view);

/// True if newLesson() would lose no unsaved work. It keeps numbers and texts but drops lesson
/// edits. For a lesson from a file it is unknown whether everything was saved, so this returns
/// false.
bool newLessonTakesAll(const Document &document);

} // namespace headlight::ui
