// Lists the files that the open sources were read from. Saving must not overwrite them.
#pragma once

#include "core/result.h"

#include <QString>

#include <string>
#include <vector>

namespace headlight::ui {

class Document;
struct OpenedSource;

/// Returns the paths of the source, of its model folder or capture, and of the imported files.
/// Empty for a built-in lesson without imported files.
std::vector<std::string> filesReadBy(const OpenedSource &opened);
/// Returns the files of the document and of side A, and the files imported into the document.
std::vector<std::string> filesReadBy(const Document &document);

/// The kind of output file. Saving the document may replace the session file it was opened from.
enum class Saves { Something, TheDocument };

/// Checks that writing to `path` does not overwrite an input of the document or of side A. Errors:
/// as core::notAnInput().
core::Outcome mayWrite(const Document &document, const QString &path,
                       Saves saves = Saves::Something);

} // namespace headlight::ui
