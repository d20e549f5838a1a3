// The undo step for a change of the document's state: what changed, not two states.
#pragma once

#include "ui/document/state/change.h"
#include "ui/document/state_delta.h"

#include <QUndoCommand>

#include <memory>

namespace headlight::ui {

class Document;

class ChangeState : public QUndoCommand {
  public:
    /// Commands of one `mergeId` that follow each other are one step; −1: never.
    ChangeState(Document &document, Change change, StateDelta delta, int mergeId = -1);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand *next) override;

    /// Which state the document is in before and after it.
    const StateMark &before() const { return m_before; }
    const StateMark &after() const { return m_after; }
    /// What keeping it costs.
    std::size_t bytes() const { return sizeof(ChangeState) + m_delta.bytes(); }

  private:
    Document &m_document;
    std::unique_ptr<DocumentState> m_first; // until it is done for the first time
    StateDelta m_delta;
    EditWords m_words;
    int m_mergeId;
    StateMark m_before, m_after;
    // Where doing it moved the selection (the token is not there any more): undoing puts it back.
    std::optional<core::Selection> m_selectionBefore;
};

} // namespace headlight::ui
