// The content of a document's file, as a value. Any thread may create the file from it.
#pragma once

#include "ui/document/state/document_state.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace headlight::ui {

/// Returns the selection as a step's `show`. Omits a dimension that the selected stage does not
/// have.
core::SelectionPatch placeOf(const core::Selection &selection, const DocumentState &state);

struct Snapshot {
    std::shared_ptr<const core::Session> session; ///< the session as it was read
    DocumentState state;
    core::Selection selection;
    QString view;                     ///< current tab; may be empty
    std::optional<quint64> seed;      ///< seed of the session's random numbers
    core::BirthState birth{};         ///< position in the replay of the run
    core::ModelViewState modelView{}; ///< choices in the Model view

    /// Returns the session file: the opened document with the user's changes. References to a
    /// capture or a model folder are relative to `folder`, where the file will be stored. They are
    /// absolute if `folder` is empty.
    std::string bytes(const std::string &folder = {}) const;
    /// Returns the snapshot as if the user had gone back to the lesson's first step, which is shown
    /// as its author wrote it. Keeps the user's changes as Document::goToStep() does. Without a
    /// lesson, returns the same snapshot.
    Snapshot atFirstStep() const;
    /// Returns the session for a figure. Its capture or model must be in the same folder as the
    /// figure.
    std::string carriedBytes() const;
};

} // namespace headlight::ui
