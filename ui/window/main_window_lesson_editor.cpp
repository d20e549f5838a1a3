// MainWindow: creating a lesson from the open session, and the lesson editor dock.
#include "ui/document/lesson_catalogue.h"
#include "ui/document/new_lesson.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/lesson_editor/lesson_editor.h"
#include "ui/views/geometry_view.h"
#include "ui/window/main_window.h"
#include "ui/window/saving/session_saver.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>

namespace headlight::ui {

/// Adds an empty dock for the lesson editor. The editor is created later, because it has hundreds
/// of controls and most users never open it.
void MainWindow::makeLessonEditorDock() {
    m_lessonEditorDock = new QDockWidget(tr("Lesson editor"));
    m_lessonEditorDock->setObjectName("lessonEditorDock");
    addDockWidget(Qt::RightDockWidgetArea, m_lessonEditorDock);
    m_lessonEditorDock->hide(); // hidden until the user writes a lesson
    m_saver->setLessonEditor([this] { return !m_lessonEditorDock->isHidden(); });
    m_showLessonEditor = new QAction(tr("&Lesson editor"), this);
    m_showLessonEditor->setObjectName("editLesson");
    m_showLessonEditor->setCheckable(true);
    m_showLessonEditor->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_J));
    m_showLessonEditor->setToolTip(
        tr("Write the lesson of this document: its steps, questions and exercises (Ctrl+J)"));
    connect(m_lessonEditorDock, &QDockWidget::visibilityChanged, this, [this](bool isShown) {
        if (isShown)
            makeLessonEditor();
        if (m_lessonEditor)
            m_lessonEditor->setInSight(isShown);
        m_showLessonEditor->setChecked(isShown);
    });
    connect(m_showLessonEditor, &QAction::triggered, this, [this](bool on) {
        if (on)
            showLessonEditor();
        else
            m_lessonEditorDock->hide();
    });
}

/// Creates the editor in the dock when the dock is shown for the first time.
void MainWindow::makeLessonEditor() {
    if (m_lessonEditor)
        return;
    m_lessonEditor = new LessonEditor(m_document, [this] { return seenNow(); });
    m_lessonEditorDock->setTitleBarWidget(m_lessonEditor->makeTitleBar());
    m_lessonEditorDock->setWidget(m_lessonEditor);
    connect(m_lessonEditor, &LessonEditor::failed, this, &MainWindow::showProblem);
    connect(m_lessonEditor, &LessonEditor::savedWithProblems, this, [this](int count) {
        m_message->setText(count == 1
                               ? tr("Saved. The lesson has a problem: see Lesson in the editor")
                               : tr("Saved. The lesson has %n problems: see Lesson in the editor",
                                    nullptr, count));
    });
    connect(m_lessonEditor, &LessonEditor::panelsChanged, this, &MainWindow::showPanelsOfStep);
    connect(m_lessonEditor, &LessonEditor::newLessonRequested, this,
            &MainWindow::newLessonFromSession);
    connect(m_lessonEditor, &LessonEditor::copyRequested, this, &MainWindow::editCopyOfLesson);
    giveToolTips();
    orderControls();
}

void MainWindow::addLessonActions(QMenu &file) {
    QAction *create = file.addAction(tr("New l&esson from this session"),
                                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J), this,
                                     &MainWindow::newLessonFromSession);
    create->setObjectName("newLesson");
    create->setToolTip(tr("Create a lesson that starts with the current model and text"));
    QAction *edit = file.addAction(tr("E&dit lesson"), this, &MainWindow::editLesson);
    edit->setObjectName("editThisLesson");
    edit->setToolTip(tr("Edit this document's lesson, or a copy of it if it is built in"));
}

edits::WindowState MainWindow::seenNow() const {
    edits::WindowState seen{placeOf(m_document.selection(), m_document.state()), {}};
    seen.place.view = currentView()->viewName().toStdString();
    if (seen.place.view == core::idOf(core::View::Softmax))
        seen.place.softmax = m_document.state().softmax;
    seen.look.granularity = m_filmstrip->granularity();
    const PlaneOptions &plane = m_geometry->options().plane;
    seen.look.axes = plane.axes;
    seen.look.spaces = plane.spaces;
    if (const core::LessonStep *step = m_document.lessonStep())
        seen.look.writing = step->look.writing; // no view can change the encoding
    return seen;
}

void MainWindow::newLessonFromSession() {
    core::Result<OpenedSource> lesson = newLesson(m_document, seenNow());
    if (!lesson)
        return showProblem(lesson.error());
    if (!newLessonTakesAll(m_document) && !mayLeave())
        return;
    open(*std::move(lesson));
    m_document.setUnsaved();
    showLessonEditor();
}

/// Opens the lesson in the lesson editor. Opens a copy of a built-in lesson.
void MainWindow::editLesson() {
    if (m_document.session().lesson && isBuiltIn(m_document.source()))
        return editCopyOfLesson();
    showLessonEditor();
}

void MainWindow::editCopyOfLesson() {
    open(copyOf(m_document, currentView()->viewName()));
    m_document.setUnsaved();
    showLessonEditor();
}

void MainWindow::showLessonEditor() {
    makeLessonEditor(); // create it before the dock is laid out
    m_lessonEditorDock->show();
    m_lessonEditorDock->raise();
    m_lessonEditor->takeFocus();
}

} // namespace headlight::ui
