// Edits of single tokens. Own embeddings, token types, mask cells and score overrides move with
// their tokens and are removed with them. This applies to each attention axis that the sequence
// provides, and to cells for all sequences if the batch has only one. The typed text is cleared,
// because the tokens are now the input.
#pragma once

#include "ui/document/state/change.h"

#include <QString>

namespace headlight::ui::edits {

/// Identifies a token. The batch stays padded to at least the session's `minimumLength`.
struct SequenceId {
    core::Index minimumLength = 0;
    core::Index sequence = 0;
    core::Index token = 0; ///< index among the tokens that are not padding
    InputSide side = InputSide::Own;
};

/// Inserts before the token, or at the end. If the sequence has its own embeddings, the new token
/// gets its word's vector. Errors of all functions: no such sequence or token; a word without
/// visible characters; a sequence of padding only.
core::Result<Change> insertToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word);
/// Error: it is the only token.
core::Result<Change> deleteToken(const DocumentState &state, const SequenceId &place);
/// Moves the token to index `to`.
core::Result<Change> moveToken(const DocumentState &state, const SequenceId &place, core::Index to);
/// Replaces the token's word. If the sequence has its own embeddings, the row becomes the word's
/// vector.
core::Result<Change> changeToken(const DocumentState &state, const SequenceId &place,
                                 const QString &word);

} // namespace headlight::ui::edits
