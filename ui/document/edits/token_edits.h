// Edits of the tokens themselves. Rows of own embeddings, token types, mask cells said for the
// sequence (or for all, where the batch has only one) and scores set by hand go along with their
// tokens, and away with a deleted one; of an attention the axes that the sequence makes. The typed
// text becomes empty: the tokens are what is read.
#pragma once

#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

/// Where the tokens are. The batch stays padded to at least `minimumLength`, as its session says.
struct SequenceId {
    core::Index minimumLength = 0;
    core::Index sequence = 0;
    core::Index token = 0; ///< of the tokens that are not padding
    InputSide side = InputSide::Own;
};

/// Before the token there, or after the last. In a sequence with embeddings of its own the new one
/// brings its word's vector. Errors of all: no such sequence or token; a word that is not to be
/// seen; a sequence of padding alone.
core::Result<Change> insertToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word);
/// Error: it is the last one.
core::Result<Change> deleteToken(const DocumentState &state, const SequenceId &place);
/// So that it is the token `to`.
core::Result<Change> moveToken(const DocumentState &state, const SequenceId &place, core::Index to);
/// Another word; with embeddings of its own, its row becomes the word's vector.
core::Result<Change> changeToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word);

} // namespace headlight::ui::edits
