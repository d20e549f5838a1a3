// Tokens that a model has chosen, or a person among those that it holds for probable.
#pragma once

#include "ui/document/edits/text_edits.h"

namespace headlight::ui::edits {

/// The word `id` behind the text, marked as written. `soFar`: what was written before it in one go,
/// for the undo list. Errors: the sequence has vectors of its own.
core::Result<Change> writeToken(const DocumentState &state, const TextId &place, core::Index id,
                                const QString &soFar);

/// The word `id` at a token's place. Of a language model all that stood behind it goes, since it
/// followed from another word; a place behind the last token makes the text longer. Errors: the
/// sequence has vectors of its own; there is no such place.
core::Result<Change> chooseToken(const DocumentState &state, const TextId &place, core::Index token,
                                 core::Index id);

} // namespace headlight::ui::edits
