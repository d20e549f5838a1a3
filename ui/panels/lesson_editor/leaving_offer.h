// Offers the author to use the view that was looked at, when a step is left that shows another.
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

    /// Remembers the view of the step after the window has shown it.
    void enterStep();
    /// The user looks at another tab, cell or stage.
    void noteSeen();
    void documentChanged(const ChangeEvent &event);

  signals:
    void accepted(headlight::core::Index step, const headlight::ui::edits::WindowState &seen);

  private:
    void offer(core::Index step, const edits::WindowState &seen);

    Document &m_document;
    SeenNow m_seen;
    core::Index m_step = -1;                               // the step of both views below
    std::optional<edits::WindowState> m_entered, m_looked; // views at its beginning, and now
    core::SelectionPatch m_shown{};                        // the step's own view at its beginning
    core::Index m_offered = -1;                            // the step of the offer
    edits::WindowState m_offeredView{};
    QLabel *m_words;
};

} // namespace headlight::ui
