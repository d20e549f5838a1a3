// Another text for a sequence.
#pragma once

#include "ui/document/change.h"

namespace headlight::ui::edits {

/// Which text. The batch stays padded to at least `minimumLength`, as its session says.
struct TextPlace {
    core::Index minimumLength = 0;
    core::Index sequence = 0;
    Side side = Side::Own;
};

/// Read as the model reads its texts. The other sequences keep their tokens, and embeddings of
/// their own. Errors: it has no word, or too many; there is no second sequence.
core::Result<Change> setText(const DocumentState &state, const TextPlace &place,
                             const QString &text);

} // namespace headlight::ui::edits
