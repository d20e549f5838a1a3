// Another text for a sequence.
#pragma once

#include "ui/document/state/change.h"

namespace headlight::ui::edits {

/// Which text. The batch stays padded to at least `minimumLength`, as its session says.
struct TextId {
    core::Index minimumLength = 0;
    core::Index sequence = 0;
    InputSide side = InputSide::Own;
};

/// Read as the model reads its texts. The other sequences keep their tokens, and embeddings of
/// their own. Errors: it has no word, or too many; there is no second sequence.
core::Result<Change> setText(const DocumentState &state, const TextId &place, const QString &text);

/// One sequence more, behind the others. Where one of them has padding then, and no mask hides it,
/// the padding mask is put on: so what the others are computed to stays as it is. Errors: as
/// setText(), and a model that reads two sequences, each with one of its own beside it.
core::Result<Change> addText(const DocumentState &state, core::Index minimumLength,
                             const QString &text);

} // namespace headlight::ui::edits
