// An edit that has not been applied yet: its new state and its name in the undo list. The
// functions in ui/document/edits/ create edits and Document::apply() applies them.
#pragma once

#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// The name of an edit: "WK head 1, row 3, column 1: 0.42 → 0.90". Edits that are merged into one
/// undo step (a drag) show the first one's `before` and the last one's `after`.
struct EditWords {
    QString what;
    QString before, after; ///< both empty if `what` is the whole name
    QString text() const;
};

struct Change {
    DocumentState state;
    EditWords words;
};

} // namespace headlight::ui
