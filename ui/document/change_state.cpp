#include "ui/document/change_state.h"

#include "ui/document/document.h"

#include <cassert>

namespace headlight::ui {

namespace {

/// Returns the change to a state that undo or redo restores. The state of a lesson step is not
/// checked again.
Change restored(DocumentState state, const core::Session &session) {
    core::Result<Change> change = checked({std::move(state), {}}, session);
    assert(change); // the state was valid when it was applied
    return *std::move(change);
}

} // namespace

ChangeState::ChangeState(Document &document, Change change, StateDelta delta, int mergeId)
    : QUndoCommand(change.words().text()),
      m_document(document),
      m_words(change.words()),
      m_first(std::make_unique<const Change>(std::move(change))),
      m_delta(std::move(delta)),
      m_mergeId(mergeId),
      m_before(document.m_mark) {}

void ChangeState::undo() {
    m_document.setState(restored(m_delta.before(m_document.state()), m_document.session()),
                        m_before, m_delta.parts());
    if (m_selectionBefore)
        m_document.select(*m_selectionBefore);
}

void ChangeState::redo() {
    const core::Selection before = m_document.selection();
    m_after =
        m_first
            ? m_document.setState(*std::exchange(m_first, nullptr), std::nullopt, m_delta.parts())
            : m_document.setState(restored(m_delta.after(m_document.state()), m_document.session()),
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
    if (m_delta.empty()) { // the gesture has returned to its starting value
        setObsolete(true);
        m_document.setMark(m_before);
    }
    return true;
}

} // namespace headlight::ui
