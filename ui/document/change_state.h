// The undo step for a change of the document's state.
#pragma once

#include "ui/document/document_state.h"

#include <QUndoCommand>

namespace headlight::ui {

class Document;

class ChangeState : public QUndoCommand {
  public:
    /// `words` say what the step did, for the undo list. Commands of one `mergeId` that follow each
    /// other are one step; −1: never.
    ChangeState(Document &document, DocumentState after, const QString &words, int mergeId = -1);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand *next) override;

  private:
    Document &m_document;
    DocumentState m_before;
    DocumentState m_after;
    int m_mergeId;
};

} // namespace headlight::ui
