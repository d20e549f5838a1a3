#include "ui/document/change_state.h"

#include "ui/document/document.h"

namespace headlight::ui {

ChangeState::ChangeState(Document &document, Change change, StateDelta delta, int mergeId)
    : QUndoCommand(change.words.text()),
      m_document(document),
      m_first(std::make_unique<DocumentState>(std::move(change.state))),
      m_delta(std::move(delta)),
      m_words(std::move(change.words)),
      m_mergeId(mergeId),
      m_before(document.m_mark) {
    // Going to another lesson step is no edit, unless the step overrides the user's edits.
    const DocumentState &now = document.state();
    const bool onlyAStep = m_first->lessonStep != now.lessonStep && m_first->edits == now.edits &&
                           m_first->lesson == now.lesson;
    m_after = {onlyAStep ? m_before.edit : ++document.m_newestMark.edit,
               ++document.m_newestMark.state};
}

void ChangeState::undo() {
    m_document.setState(m_delta.before(m_document.state()), m_before, m_delta.parts());
    if (m_selectionBefore)
        m_document.select(*m_selectionBefore);
}

void ChangeState::redo() {
    const core::Selection before = m_document.selection();
    m_document.setState(m_first ? *std::exchange(m_first, {}) : m_delta.after(m_document.state()),
                        m_after, m_delta.parts());
    m_selectionBefore.reset();
    if (m_document.selection() != before)
        m_selectionBefore = before;
}

bool ChangeState::mergeWith(const QUndoCommand *next) {
    const auto *later = static_cast<const ChangeState *>(next);
    m_delta = m_delta.then(later->m_delta);
    m_after = later->m_after;
    if (!m_selectionBefore)
        m_selectionBefore = later->m_selectionBefore;
    m_words.what = later->m_words.what;
    m_words.after = later->m_words.after;
    setText(m_words.text());
    if (m_delta.empty()) { // the gesture has returned to its start
        setObsolete(true);
        m_document.setMark(m_before);
    }
    return true;
}

} // namespace headlight::ui
