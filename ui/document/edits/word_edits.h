// Vectors from a file of word vectors instead of the words' own.
#pragma once

#include "core/formats/word_vectors.h"
#include "ui/document/state/change.h"

#include <QString>

#include <set>

namespace headlight::ui::edits {

/// The words that a file of vectors is asked for: those of the batch, of the session's own batch
/// and of every text in its lesson's steps. Padding is none.
std::set<std::string> wordsOf(const core::Session &session, const DocumentState &state);

/// The found words get the file's vectors; the missing ones keep what they have. `file` is its name
/// in the undo list. Errors: vectors of another width than the model's; not one word found.
core::Result<Change> setWordVectors(const DocumentState &state, const core::WordVectors &vectors,
                                    const QString &file);

/// "missing: zyzzyva, qwx"; empty where none is.
QString missingText(const core::WordVectors &vectors);

} // namespace headlight::ui::edits
