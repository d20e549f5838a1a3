// When the author leaves a step after looking at a different view, offers to use that view for the
// step. Makes no offer if a step is added, because the view belongs to the new step.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/lesson_editor/step_page.h"

#include <QFrame>

#include <optional>

class QLabel;

namespace headlight::ui {

class LeavingOffer : public QFrame {
    Q_OBJECT
  public:
    LeavingOffer(Document &document, SeenNow seen, QWidget *parent = nullptr);

    /// Stores the view of the step after the window has shown it.
    void enterStep();
    /// The user has gone to another tab, cell or stage.
    void noteSeen();
    void documentChanged(const ChangeEvent &event);

  signals:
    void accepted(headlight::core::Index step, const headlight::ui::edits::WindowState &seen);

  private:
    void offerLooked();
    void offer(core::Index step, const edits::WindowState &seen);

    Document &m_document;
    SeenNow m_seen;
    core::Index m_step = -1;                               // step of m_entered and m_looked
    std::optional<edits::WindowState> m_entered, m_looked; // views at the step's start, and now
    core::SelectionPatch m_shown{};                        // the step's own view at its start
    core::Index m_offered = -1;                            // step that the offer is about
    edits::WindowState m_offeredView{};
    QLabel *m_words;
};

} // namespace headlight::ui
