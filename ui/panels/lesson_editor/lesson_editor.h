// Dock in which a lesson is written, with the window as its preview. The lesson panel shows the
// typed text immediately, with numbers from the trace.
#pragma once

#include "ui/document/edits/step_templates.h"
#include "ui/panels/lesson_editor/step_page.h"
#include "ui/panels/lesson_editor/typing.h"

#include <QPointer>
#include <QStackedWidget>

#include <array>

class QLabel;
class QPushButton;
class QTabWidget;
class QTimer;

namespace headlight::ui {

class InsertTools;
class LeavingOffer;
class LessonPage;
class MessageLabel;
class ProblemList;
class StepList;

class LessonEditor : public QStackedWidget {
    Q_OBJECT
  public:
    LessonEditor(Document &document, SeenNow seen, QWidget *parent = nullptr);

    /// Creates a heading for the dock's title bar. The caller owns it.
    QWidget *makeTitleBar();
    /// Set to true if the dock is the current tab. QDockWidget::isVisible() is also true for a tab
    /// that is behind another.
    void setInSight(bool inSight);
    /// The window's tab or the view's settings changed.
    void viewChanged();
    /// Moves the focus to the text of the current step.
    void takeFocus();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

  signals:
    void failed(const headlight::core::Error &error);
    void newLessonRequested();
    void copyRequested();
    /// The lesson was saved, and its check found problems.
    void savedWithProblems(int count);
    /// The current step's settings for the window's panels changed.
    void panelsChanged();

  private:
    enum class What { Nothing, BuiltIn, Own };

    QWidget *makeOffer();
    QWidget *makeFields();
    QWidget *makeWhole();
    void connectPage(StepPage *page);
    void documentChanged(const ChangeEvent &event);
    void savedChanged();
    What what() const;
    void refresh();
    void showFields();
    void showNumbers();
    void showTools();
    void placeSteps();
    void addStep(const core::Result<Change> &change);
    void showPageOf(edits::StepTemplate made);
    /// Moves the focus to the field that takes a mark, and returns this field. Null if there is
    /// none.
    QWidget *fieldForMark();
    /// Returns the field that Insert would use, without moving the focus.
    QWidget *targetOfMark() const;
    void keepInSight();
    void apply(const core::Result<Change> &change, const QString &gesture = {});
    int gestureOf(const QString &words);
    void goToProblem(core::Index step, const QString &place);
    void focusMoved(QWidget *to);

    Document &m_document;
    SeenNow m_seen;
    QLabel *m_offerText;
    QPushButton *m_offer;
    StepList *m_steps;
    QTabWidget *m_tabs;
    std::array<StepPage *, 4> m_pages{}; // text, shows, question, exercise
    LessonPage *m_lesson;
    ProblemList *m_problems;
    InsertTools *m_tools;               // inserts marks
    MessageLabel *m_refused;            // shows why the last edit was rejected
    QPointer<QWidget> m_field;          // field that receives inserted marks
    QPointer<QWidget> m_typed;          // field with the focus that the user types into
    std::optional<QString> m_typedText; // text of m_typed before the next key
    Typing m_typing;
    QTimer *m_lag;     // delay until problems are shown
    QString m_gesture; // description of the edits that form one undo step
    int m_gestureNumber = 0;
    bool m_inSight = false;
    bool m_wasModified = false;
    bool m_checksSaved = false; // the check was started by saving
    LeavingOffer *m_leaving;
};

} // namespace headlight::ui
