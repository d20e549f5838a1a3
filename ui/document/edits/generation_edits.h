// Edits that add tokens chosen by the model, or by the user from its predictions.
#pragma once

#include "ui/document/edits/text_edits.h"

namespace headlight::ui::edits {

/// Appends the token `id`, marked as generated. `soFar` is the text generated earlier in the same
/// run, for the undo list. Error: the sequence has its own embeddings.
core::Result<Change> writeToken(const DocumentState &state, const TextId &place, core::Index id,
                                const QString &soFar);

/// Replaces a token with `id`. For a language model the later tokens are dropped, because they
/// followed another token. An index after the last token appends. Errors: the sequence has its own
/// embeddings; no such index.
core::Result<Change> chooseToken(const DocumentState &state, const TextId &place, core::Index token,
                                 core::Index id);

} // namespace headlight::ui::edits
