// A session back into a file: the document that was read, byte for byte, with what a person made of
// it as its member "now". The numbers of matrices that are written whole can be read.
#pragma once

#include "core/formats/session/data/session.h"

namespace headlight::core {

/// `session.json` with `now` in it, in place of the one it had; without a `now` where that says
/// nothing: the document as it began. Fields that this version does not know are kept, also those
/// within "now". What was read back is equal to what was written, and equal sessions give equal
/// bytes.
std::string writeSession(const Session &session, const SavedState &now);

/// A new session document of this model and input, where there is none to begin with. Needs
/// embeddings and at least one layer. Of a model that was trained the run is said as well, and all
/// matrices are base64: their numbers have many digits.
std::string writeNewSession(const std::string &title, const Model &model, const Input &input,
                            Index minimumLength, const SelectionPatch &view,
                            Index sourceMinimumLength = 0, const TrainingRun *training = nullptr);

/// `session.json` with another title and another lesson than it was read with, or with a first one.
/// Steps that were made of the document's own, and what else says the same, stay as they were
/// typed, with fields that this version does not know. The lesson must be one that a file may hold
/// (checkSizes()).
std::string withLesson(const Session &session, const std::string &title, const Lesson &lesson);
/// The document without the text that its run learns from, if it has one: whoever paints a figure
/// of it does not give the text away.
std::string withoutOwnText(const std::string &document);

/// A new document that names a capture and nothing else.
std::string newCaptureSession(const Session &session);

/// The same document where it lies in `folder`: the capture is named from there.
std::string withCaptureFrom(const Session &session, const std::string &folder);

} // namespace headlight::core
