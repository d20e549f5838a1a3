// Edits that replace the text of a sequence.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Identifies a text. The batch stays padded to at least the session's `minimumLength`.
struct TextId {
    core::Index minimumLength = 0;
    core::Index sequence = 0;
    InputSide side = InputSide::Own;
};

/// Reads the text with the model's tokenizer. Other sequences keep their tokens and their own
/// embeddings. Errors: no word or too many; no second sequence.
core::Result<Change> setText(const DocumentState &state, const TextId &place, const QString &text);

/// Replaces the text with a random token sequence that occurs twice. Errors: as in
/// core/analysis/random_repeats.h.
core::Result<Change> setRandomRepeats(const DocumentState &state, const TextId &place,
                                      quint64 seed);

/// Appends a sequence. If this causes padding that no mask hides, adds the padding mask, so that
/// results of the other sequences do not change. Errors: as setText(); a model that reads two
/// sequences.
core::Result<Change> addText(const DocumentState &state, core::Index minimumLength,
                             const QString &text);

} // namespace headlight::ui::edits
