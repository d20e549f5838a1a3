// Edits that set word vectors from a file.
#pragma once

#include "core/formats/word_vectors.h"
#include "ui/document/state/change.h"

#include <QString>

#include <set>

namespace headlight::ui::edits {

/// Returns the words to look up in the file. These are the words of the batch, of the session's own
/// batch, and of every text in its lesson's steps. Padding is left out.
std::set<std::string> wordsOf(const core::Session &session, const DocumentState &state);

/// Sets the vectors of the words that were found; other words keep theirs. `file` is the file's
/// name in the undo list. Errors: a width that differs from the model's; no word found.
core::Result<Change> setWordVectors(const DocumentState &state, const core::WordVectors &vectors,
                                    const QString &file);

/// Returns "missing: zyzzyva, qwx". Empty if no word is missing.
QString missingText(const core::WordVectors &vectors);

} // namespace headlight::ui::edits
