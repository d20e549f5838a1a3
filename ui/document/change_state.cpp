#include "ui/document/change_state.h"

#include "ui/document/document.h"

namespace headlight::ui {

ChangeState::ChangeState(Document &document, DocumentState after, const QString &words, int mergeId)
    : QUndoCommand(words),
      m_document(document),
      m_before(document.state()),
      m_after(std::move(after)),
      m_mergeId(mergeId) {}

void ChangeState::undo() {
    m_document.setState(m_before);
}

void ChangeState::redo() {
    m_document.setState(m_after);
}

bool ChangeState::mergeWith(const QUndoCommand *next) {
    const auto *later = static_cast<const ChangeState *>(next);
    m_after = later->m_after;
    setText(later->text());
    setObsolete(m_before == m_after);
    return true;
}

} // namespace headlight::ui
