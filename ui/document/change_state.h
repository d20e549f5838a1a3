// The undo step for a change of the document's state.
#pragma once

#include "ui/document/change.h"

#include <QUndoCommand>

namespace headlight::ui {

class Document;

class ChangeState : public QUndoCommand {
  public:
    /// Commands of one `mergeId` that follow each other are one step; −1: never.
    ChangeState(Document &document, Change change, int mergeId = -1);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand *next) override;

  private:
    Document &m_document;
    DocumentState m_before;
    DocumentState m_after;
    EditWords m_words;
    int m_mergeId;
};

} // namespace headlight::ui
