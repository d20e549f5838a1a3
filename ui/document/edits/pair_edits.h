// Edits of the token pairs of two compared texts. They do not change the model's computation.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// True if the user has set or removed token pairs of these two texts.
bool hasOwnPairs(const DocumentState &state, const core::AlignedText &text);

/// The functions below take the two texts with their current pairs. Errors: no such token.

/// Makes the two tokens partners. Separates the pairs that share one of them or cross the new one.
core::Result<Change> pairTokens(const DocumentState &state, const core::AlignedText &text,
                                const core::AlignedPair &pair);
/// Separates a token of the current text from its partner.
core::Result<Change> separateToken(const DocumentState &state, const core::AlignedText &text,
                                   core::Index now);
/// Removes the user's pairs of the two texts, so that they are aligned by their words again.
core::Result<Change> alignAgain(const DocumentState &state, const core::AlignedText &text);

} // namespace headlight::ui::edits
