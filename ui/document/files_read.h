// The files that what is open was read from, and is read from still: nothing is written over them.
#pragma once

#include "core/result.h"

#include <QString>

#include <string>
#include <vector>

namespace headlight::ui {

class Document;
struct OpenedSource;

/// The source's file or folder, and the folder of its model, as paths (core::notAnInput()). A
/// lesson has none.
std::vector<std::string> filesReadBy(const OpenedSource &opened);
/// The same for the document and side A, and the document's imported files.
std::vector<std::string> filesReadBy(const Document &document);

/// What is written: something made of the document, or the document itself, which may replace the
/// session's file that it was opened from.
enum class Saves { Something, TheDocument };

/// Whether a file can be written there without losing what the document, or side A, was read from.
/// Errors: as core::notAnInput().
core::Outcome mayWrite(const Document &document, const QString &path,
                       Saves saves = Saves::Something);

} // namespace headlight::ui
