// Writes a session to a file: the original document, byte for byte, with the user's state as its
// member "now". Parameters that are written whole must be readable.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns `session.json` with `now` replaced, or removed if it is empty. Keeps unknown fields,
/// also inside "now". Reading the text gives an equal session; equal sessions give equal bytes.
std::string writeSession(const Session &session, const SavedState &now);

/// Returns a new session document. Needs embeddings and at least one layer. A trained model also
/// gets its run, and all its matrices are base64, because their numbers have many digits.
std::string writeNewSession(const std::string &title, const Model &model, const Input &input,
                            Index minimumLength, const SelectionPatch &view,
                            Index sourceMinimumLength = 0, const TrainingRun *training = nullptr);

/// Returns `session.json` with another title and lesson. Unchanged values and steps from the
/// document keep their text and their unknown fields. The lesson must pass checkSizes().
std::string withLesson(const Session &session, const std::string &title, const Lesson &lesson);
/// Returns the document without its training text, so that a figure of it does not disclose the
/// text.
std::string withoutOwnText(const std::string &document);

/// Returns a new document that only names a capture.
std::string newCaptureSession(const Session &session);

/// Returns the document for saving in `folder`: the path of the capture is relative to it.
std::string withCaptureFrom(const Session &session, const std::string &folder);

} // namespace headlight::core
