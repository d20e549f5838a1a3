// MainWindow: the editor dock, and the mode for painting the mask in the picture.
#include "ui/panels/editor/editor.h"
#include "ui/panels/filmstrip.h"
#include "ui/panels/formula_bar.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/mechanism_actions.h"
#include "ui/text/capture_text.h"
#include "ui/views/figure_view.h"
#include "ui/window/edge_panels.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QTabWidget>

namespace headlight::ui {

namespace {

/// Returns the page for an exercise: the numbers, unless its solution changes a mask. Empty if the
/// step has no exercise.
QString pageOf(const core::LessonStep *step) {
    if (!step || !step->exercise)
        return {};
    const core::StatePatch &solution = step->exercise->solution;
    return solution.masks || solution.encoderMasks || solution.crossMasks
               ? QStringLiteral("mask")
               : QStringLiteral("numbers");
}

} // namespace

void MainWindow::makeEditor() {
    m_editorDock->setObjectName("editorDock");
    m_editorDock->setWidget(m_editor);
    m_editorDock->setTitleBarWidget(m_editor->makeTitleBar());
    m_edgePanels->add(*m_editorDock);
    connect(m_editorDock, &QDockWidget::visibilityChanged, m_editor, &Editor::setInSight);
    m_showEditor = new QAction(tr("Editor"), this);
    m_showEditor->setCheckable(true);
    m_showEditor->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    connect(m_editorDock, &QDockWidget::visibilityChanged, m_showEditor, &QAction::setChecked);
    connect(m_showEditor, &QAction::triggered, this, [this](bool on) {
        if (on)
            showEditor();
        else
            m_editorDock->hide();
    });
    connect(m_editor, &Editor::failed, this, &MainWindow::showProblem);
    connect(m_editor, &Editor::statusMessage, this, [this](const QString &words) {
        clearProblem();
        m_message->setText(words);
    });
    connect(m_lesson, &LessonPanel::failed, this, &MainWindow::showProblem);
    connect(m_lesson, &LessonPanel::lessonRequested, this, [this](const QString &id) {
        SourceRequest request;
        request.source = id;
        openSource(request);
    });
    connect(m_lesson, &LessonPanel::runRequested, this, &MainWindow::beginRunOfStep);
    connect(m_lesson, &LessonPanel::termRequested, this, &MainWindow::showGlossary);
    connect(m_lesson, &LessonPanel::termHovered, this, &MainWindow::hoverTerm);
    connect(m_filmstrip, &Filmstrip::termHovered, this, &MainWindow::hoverTerm);
    connect(&m_formula->field(), &FormulaField::termHovered, this, &MainWindow::hoverTerm);
    connect(m_lesson, &LessonPanel::editorRequested, this, [this](const QString &page) {
        showEditor();
        m_editor->showPage(page.isEmpty() ? pageOf(m_document.lessonStep()) : page);
    });
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::clearProblem);
    connect(m_maskEditing, &QAction::toggled, this, &MainWindow::editMask);
    for (int index = 0; index < m_tabs->count(); ++index) {
        auto *view = static_cast<FigureView *>(m_tabs->widget(index));
        connect(view, &FigureView::maskEditingLeft, m_maskEditing,
                [this] { m_maskEditing->setChecked(false); });
        connect(view, &FigureView::failed, this, &MainWindow::showProblem);
        connect(view, &FigureView::parameterRequested, this,
                [this](const core::ParameterId &id, core::Index row, core::Index column) {
                    showEditor();
                    m_editor->showNumber(id, row, column);
                });
        connect(view, &FigureView::scoreEditRequested, this, [this] {
            showEditor();
            m_editor->editSelectedScore();
        });
    }
}

/// Connects the actions of the mechanism's settings.
void MainWindow::makeMechanism() {
    connect(m_mechanism, &MechanismActions::failed, this, &MainWindow::showProblem);
    connect(m_mechanism, &MechanismActions::succeeded, this, &MainWindow::clearProblem);
    connect(m_mechanism, &MechanismActions::editorRequested, this, [this] {
        showEditor();
        m_editor->showHeads();
    });
}

void MainWindow::showEditor() {
    m_editorDock->show();
    m_editorDock->raise();
}

/// Disables editing for a capture, which has no model to change.
void MainWindow::showWhatCanBeEdited() {
    const bool isCapture = m_document.isCapture();
    if (isCapture)
        m_maskEditing->setChecked(false);
    for (QAction *action : std::as_const(m_edits)) {
        action->setEnabled(!isCapture);
        action->setToolTip(isCapture ? readOnlyReason() : action->data().toString());
    }
}

void MainWindow::editMask(bool on) {
    for (int index = 0; index < m_tabs->count(); ++index)
        static_cast<FigureView *>(m_tabs->widget(index))->setMaskEditing(on);
    m_message->setText(on ? tr("Drag over cells to hide or show them, or press Enter on the "
                               "selected one; Esc when done")
                          : QString());
    if (!on)
        return;
    m_editor->showMask(); // does not open a closed editor, which would cover cells
    if (!currentView()->info().hasMask)
        showView(idOf(infoOf(core::View::CloseUp)));
    currentView()->setFocus();
}

} // namespace headlight::ui
