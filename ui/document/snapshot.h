// What a document would be saved as, as a value: any thread may make the file of it.
#pragma once

#include "ui/document/state/document_state.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace headlight::ui {

/// The selection as a step's `show` says it: a number that only another stage has is left out.
core::SelectionPatch placeOf(const core::Selection &selection, const DocumentState &state);

struct Snapshot {
    std::shared_ptr<const core::Session> session; ///< as it was read
    DocumentState state;
    core::Selection selection;
    QString view;                ///< the tab that is shown; may be empty
    std::optional<quint64> seed; ///< that the session's random numbers were made with

    /// The session file: the document that was opened, with what the person made of it. A capture,
    /// or a folder with its model, is named from `folder`, where the file will lie; by its whole
    /// path where that is empty.
    std::string bytes(const std::string &folder = {}) const;
    /// The same for a figure, which says no folder: capture and model lie beside it.
    std::string carriedBytes() const;
};

} // namespace headlight::ui
