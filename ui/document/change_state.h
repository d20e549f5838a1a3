// The undo command for a state change. Stores the difference of the states, not two states.
#pragma once

#include "ui/document/state/change.h"
#include "ui/document/state_delta.h"

#include <QUndoCommand>

#include <memory>

namespace headlight::ui {

class Document;

class ChangeState : public QUndoCommand {
  public:
    /// Consecutive commands with the same `mergeId` are merged. −1 disables merging.
    ChangeState(Document &document, Change change, StateDelta delta, int mergeId = -1);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand *next) override;

    /// The states before and after the command.
    const StateMark &before() const { return m_before; }
    const StateMark &after() const { return m_after; }
    std::size_t bytes() const { return sizeof(ChangeState) + m_delta.bytes(); }

  private:
    Document &m_document;
    EditText m_words;
    std::unique_ptr<const Change> m_first; // set until the first redo()
    StateDelta m_delta;
    int m_mergeId;
    StateMark m_before, m_after;
    // The selection before the command, which undo() restores. Set only if the command changed the
    // selection because its token no longer exists.
    std::optional<core::Selection> m_selectionBefore;
};

} // namespace headlight::ui
