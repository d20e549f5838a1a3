#include "ui/document/change_state.h"

#include "ui/document/document.h"

namespace headlight::ui {

ChangeState::ChangeState(Document &document, Change change, int mergeId)
    : QUndoCommand(change.words.text()),
      m_document(document),
      m_before(document.state()),
      m_after(std::move(change.state)),
      m_words(std::move(change.words)),
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
    m_words.what = later->m_words.what;
    m_words.after = later->m_words.after;
    setText(m_words.text());
    setObsolete(m_before == m_after);
    return true;
}

} // namespace headlight::ui
