// The dock beside the views: the lesson's text, step by step.
#pragma once

#include "ui/document/document.h"

#include <QWidget>

class QAction;
class QMenu;
class QPushButton;
class QTimer;

namespace headlight::ui {

class ElidedButton;
class FittedText;

class LessonPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LessonPanel(Document &document, QWidget *parent = nullptr);

    /// Back, next, reset, and the menu of all steps; the window puts them into its menu.
    QList<QAction *> lessonActions() const { return {m_back, m_next, m_stepsAction, m_reset}; }

    /// What the dock has instead of a title bar: it is dragged by it, and closed.
    /// `extra`: stands in it too; may be null.
    QWidget *makeTitleBar(QWidget *extra = nullptr);

  signals:
    void editorRequested(const QString &page); ///< empty: whichever is shown
    /// The next lesson's id: this one is at its end.
    void lessonRequested(const QString &id);
    /// The glossary's entry of the term that the mouse is over or the focus is at; empty: none.
    void termHovered(const QString &id);
    /// What a term of the text means: its id in the glossary.
    void termRequested(const QString &id);
    /// The training that the step offers.
    void runRequested();
    /// A step could not be gone to, or the edits not be taken back.
    void failed(const headlight::core::Error &error);

  protected:
    void changeEvent(QEvent *event) override;

  private:
    void documentChanged(const ChangeEvent &event);
    void showStep();
    void showSteps();
    void act(const QString &what);
    void goTo(core::Index step);
    void goOn();
    QString lessonAfter() const;
    QString nextWords() const;
    void tell(const core::Outcome &outcome);

    Document &m_document;
    ElidedButton *m_where; // which step this is; its menu goes to any other
    QMenu *m_steps;
    FittedText *m_text;
    QString m_usualTip;
    QAction *m_back, *m_next, *m_stepsAction, *m_reset;
    QPushButton *m_nextButton;
    QTimer *m_lag; // until what is typed in the lesson editor is shown
};

} // namespace headlight::ui
