// Edit: a new state with its name. Change: an edit that the engine is known to be able to compute.
// The functions in ui/document/edits/ return changes, and Document::apply() applies them.
#pragma once

#include "core/transformer/plan/computable.h"
#include "ui/document/state/document_state.h"

#include <QString>

namespace headlight::ui {

/// The name of an edit: "WK head 1, row 3, column 1: 0.42 → 0.90". An undo step of several merged
/// edits (a drag) shows the first `before` and the last `after`.
struct EditText {
    QString what;
    QString before, after; ///< both empty if `what` is the whole name
    QString text() const;
};

/// A new state and its name, not checked yet.
struct Edit {
    DocumentState state;
    EditText words;
};

/// A checked edit.
class Change {
  public:
    const DocumentState &state() const { return m_edit.state; }
    const EditText &words() const { return m_edit.words; }
    /// Returns the same change with another name.
    Change named(EditText words) const;
    /// The model and the input of the state. Unset for a capture, whose model computes nothing.
    const std::optional<core::Computable> &computable() const { return m_computable; }

  private:
    friend core::Result<Change> checked(Edit edit);
    friend core::Result<Change> checked(Edit edit, const core::Session &session);
    Change(Edit edit, std::optional<core::Computable> computable)
        : m_edit(std::move(edit)), m_computable(std::move(computable)) {}

    Edit m_edit;
    std::optional<core::Computable> m_computable;
};

/// Errors: the engine cannot compute the state (core::Computable::of()).
core::Result<Change> checked(Edit edit);
/// As above, for a state that the reader of `session` may have checked, such as a lesson step's.
core::Result<Change> checked(Edit edit, const core::Session &session);
/// As above, for an edit that may have failed.
core::Result<Change> checked(core::Result<Edit> edit);

} // namespace headlight::ui
