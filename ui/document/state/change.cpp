#include "ui/document/state/change.h"

namespace headlight::ui {

QString EditText::text() const {
    if (before.isEmpty() && after.isEmpty())
        return what;
    return QStringLiteral("%1: %2 → %3").arg(what, before, after);
}

Change Change::named(EditText words) const {
    Change other = *this;
    other.m_edit.words = std::move(words);
    return other;
}

core::Result<Change> checked(Edit edit, const core::Session &session) {
    if (edit.state.model.isCaptured())
        return Change(std::move(edit), std::nullopt);
    if (const core::Computable *known =
            core::findChecked(session, edit.state.model, edit.state.input))
        return Change(std::move(edit), *known);
    return checked(std::move(edit));
}

core::Result<Change> checked(Edit edit) {
    if (edit.state.model.isCaptured())
        return Change(std::move(edit), std::nullopt);
    core::Result<core::Computable> computable =
        core::Computable::of(edit.state.model, edit.state.input);
    if (!computable) {
        core::Error error = computable.error();
        // `where` names a field of the session file, which the user did not type.
        if (error.where.starts_with("interventions"))
            error.where.clear();
        return error;
    }
    return Change(std::move(edit), *std::move(computable));
}

core::Result<Change> checked(core::Result<Edit> edit) {
    if (!edit)
        return edit.error();
    return checked(*std::move(edit));
}

} // namespace headlight::ui
