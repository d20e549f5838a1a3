// Writes a session to a file: the original document, byte for byte, with the user's state in its
// member "now". Parameters that are written in full must be readable.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// Returns `session.json` with `now` replaced, or removed if `now` is empty. Keeps unknown fields,
/// even inside "now". Reading the text results in an equal session; equal sessions result in equal
/// bytes.
std::string writeSession(const Session &session, const SavedState &now);

/// Returns a new session document. The model must have embeddings and at least one layer. If it is
/// trained, the document also contains its run, and its matrices are base64, because their values
/// have many digits. `weights`: F32, or F16, to which the parameters of a trained model are
/// rounded. Training then does not continue exactly.
std::string writeNewSession(const SessionHeader &header, const Model &model, const Input &input,
                            Index minimumLength, const SelectionPatch &view,
                            Index sourceMinimumLength = 0, const TrainingRun *training = nullptr,
                            NumberType weights = NumberType::F32);

/// Returns `session.json` with another title and lesson. Unchanged values, and steps from the
/// document, keep their text and their unknown fields. The lesson must pass checkSizes().
std::string withLesson(const Session &session, const std::string &title, const Lesson &lesson);
/// Returns the document without the user's training text, so that a figure that embeds it does not
/// disclose the text.
std::string withoutOwnText(const std::string &document);

/// Returns a new document that only contains the path of a capture.
std::string newCaptureSession(const Session &session);

/// Returns the document for saving in `folder`, with the capture's path relative to it.
std::string withCaptureFrom(const Session &session, const std::string &folder);

} // namespace headlight::core
