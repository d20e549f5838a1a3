// Dock next to the views with the lesson's text, step by step.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QAction;
class QShortcut;
class QMenu;
class QPushButton;
class QTimer;

namespace headlight::ui {

class ElidedButton;
class FittedText;
class LessonScore;

class LessonPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LessonPanel(Document &document, QWidget *parent = nullptr);

    /// Back, next, reset, and the menu of all steps. The window adds these actions to its menu.
    QList<QAction *> lessonActions() const { return {m_back, m_next, m_stepsAction, m_reset}; }

    /// Returns the widget with the text.
    QWidget &text() const;

    /// Creates the dock's title bar, for dragging and closing the dock. `extra`: also placed there;
    /// may be null.
    QWidget *makeTitleBar(QWidget *extra = nullptr);

  signals:
    void editorRequested(const QString &page); ///< empty: the text names no page
    /// The user continues after the last step with the lesson `id`.
    void lessonRequested(const QString &id);
    /// The glossary id of the term under the mouse or with the focus. Empty if there is none.
    void termHovered(const QString &id);
    /// A term of the text was clicked: its glossary id.
    void termRequested(const QString &id);
    /// The user starts the training that the step offers.
    void runRequested();
    /// Going to a step or resetting the edits failed.
    void failed(const headlight::core::Error &error);

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showStep();
    void showSteps();
    void act(const QString &what);
    void moveSlider(const QString &mark, double share, bool begins);
    void goTo(core::Index step);
    void goOn();
    QString lessonAfter() const;
    QString nextWords() const;
    void tell(const core::Outcome &outcome);

    Document &m_document;
    LessonScore *m_score;
    ElidedButton *m_where; // names the current step; its menu lists all steps
    QMenu *m_steps;
    FittedText *m_text;
    QString m_usualTip;
    int m_gesture = 0; // undo gesture of the moved slider
    QAction *m_back, *m_next, *m_stepsAction, *m_reset;
    // These shortcuts take the keys of m_back and m_next if there is no such step. Otherwise the
    // keys would move the selected cell of a view.
    QShortcut *m_backAtStart = nullptr, *m_nextAtEnd = nullptr;
    QPushButton *m_nextButton;
    QTimer *m_lag; // delays the preview of text that is typed in the lesson editor
};

} // namespace headlight::ui
