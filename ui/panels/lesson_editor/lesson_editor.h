// The dock in which a lesson is written, with the window as its preview: whatever is typed is shown
// in the lesson panel at once, and every number in it is the trace's.
#pragma once

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

class LessonPage;
class ProblemList;
class StepList;

class LessonEditor : public QStackedWidget {
    Q_OBJECT
  public:
    LessonEditor(Document &document, SeenNow seen, QWidget *parent = nullptr);

    /// A heading for the dock's title bar; the caller owns it.
    QWidget *makeTitleBar();
    /// Whether its dock is in sight: one behind another dock's tab counts as visible for Qt.
    void setInSight(bool inSight);
    /// The focus goes to the text of the present step.
    void takeFocus();
    /// The selected number, as a mark, where the cursor was last.
    void insertNumber();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {180, 120}; }

  protected:
    bool eventFilter(QObject *object, QEvent *event) override;

  signals:
    void failed(const headlight::core::Error &error);
    void newLessonRequested();
    void copyRequested();
    /// What the present step says of the window's panels has changed.
    void panelsChanged();

  private:
    enum class What { Nothing, BuiltIn, Own };

    QWidget *makeOffer();
    QWidget *makeFields();
    QWidget *makeWhole();
    void connectPage(StepPage *page);
    void documentChanged(const ChangeEvent &event);
    What what() const;
    void refresh();
    void showFields();
    void showNumbers();
    void showMark();
    void showTools();
    void keepInSight();
    void apply(const core::Result<Change> &change, const QString &gesture = {});
    int gestureOf(const QString &words);
    void goToProblem(core::Index step, const QString &place);
    void focusMoved(QWidget *to);

    Document &m_document;
    SeenNow m_seen;
    QLabel *m_offerWords;
    QPushButton *m_offer;
    StepList *m_steps;
    QTabWidget *m_tabs;
    std::array<StepPage *, 4> m_pages{}; // text, shows, question, exercise
    LessonPage *m_lesson;
    ProblemList *m_problems;
    QPushButton *m_insert, *m_addStep;
    QWidget *m_tools;                   // both of them
    QLabel *m_refused;                  // why the last edit was not made
    QPointer<QWidget> m_field;          // that a mark goes into
    QPointer<QWidget> m_typed;          // that has the focus and is typed into
    std::optional<QString> m_typedText; // what stood there before the next key
    Typing m_typing;
    QTimer *m_lag;     // until what is wrong with it is said
    QString m_gesture; // the words of the edits that are one undo step
    int m_gestureNumber = 0;
    bool m_inSight = false;
};

} // namespace headlight::ui
