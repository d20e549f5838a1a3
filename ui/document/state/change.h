// One edit, before it is done: the state it leads to, and what to call it in the undo list. Edits
// are made by the functions in ui/document/edits/, and done by Document::apply().
#pragma once

#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// "WK head 1, row 3, column 1: 0.42 → 0.90". Of edits that are one undo step (a drag), the first
/// one's `before` and the last one's `after` are said.
struct EditWords {
    QString what;
    QString before, after; ///< both empty: `what` says it all
    QString text() const;
};

struct Change {
    DocumentState state;
    EditWords words;
};

} // namespace headlight::ui
