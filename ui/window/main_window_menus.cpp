// The menus: every action of the window with its key, and the tool bar's buttons for the most used.
#include "ui/panels/inspector.h"
#include "ui/panels/lesson_panel.h"
#include "ui/panels/stepper.h"
#include "ui/views/view_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/source_bar.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QTabWidget>
#include <QToolButton>

namespace headlight::ui {

void MainWindow::makeMenus() {
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeMechanismMenus();
}

void MainWindow::makeFileMenu() {
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open session…"), QKeySequence::Open, this, &MainWindow::openFile);
    file->addSeparator();
    QAction *quit = file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    quit->setMenuRole(QAction::QuitRole);
}

void MainWindow::makeEditMenu() {
    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    QAction *undo = m_document.undoStack().createUndoAction(this, tr("&Undo"));
    QAction *redo = m_document.undoStack().createRedoAction(this, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    undo->setIconText(QStringLiteral("↶"));
    redo->setIconText(QStringLiteral("↷"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    edit->addAction(tr("Edit &text"), QKeySequence(Qt::CTRL | Qt::Key_L), m_sourceBar,
                    &SourceBar::focusText);
    edit->addMenu(tr("&Inspector"))->addActions(m_inspector->inspectActions());

    auto *space = new QWidget;
    space->setFixedWidth(8);
    m_sourceBar->addWidget(space);
    for (QAction *action : {undo, redo}) {
        // Buttons of their own: the action's text follows the undo list and would not fit a tool
        // bar.
        auto *button = new QToolButton;
        button->setText(action->iconText());
        button->setAccessibleName(action == undo ? tr("Undo") : tr("Redo"));
        button->setEnabled(action->isEnabled());
        connect(button, &QToolButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, button, [button, action] {
            button->setEnabled(action->isEnabled());
            button->setToolTip(action->text().remove('&'));
        });
        m_sourceBar->addWidget(button);
    }
    QMenu *figure = menuBar()->addMenu(tr("Fi&gure"));
    QAction *save = figure->addAction(tr("&Save figure…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                                      &MainWindow::saveCurrentFigure);
    figure->addAction(tr("&Copy figure"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                      &MainWindow::copyCurrentFigure);
    auto *button = new QToolButton;
    button->setObjectName("saveFigure");
    button->setText(tr("Save"));
    button->setToolTip(tr("Save what you see as PNG, SVG or PDF (Ctrl+E)"));
    button->setAccessibleName(tr("Save figure"));
    connect(button, &QToolButton::clicked, save, &QAction::trigger);
    m_sourceBar->addWidget(button);
}

void MainWindow::makeViewMenu() {
    QMenu *view = menuBar()->addMenu(tr("&View"));
    for (int index = 0; index < m_tabs->count(); ++index)
        view->addAction(m_tabs->tabText(index), QKeySequence(Qt::ALT | (Qt::Key_1 + index)), this,
                        [this, index] { m_tabs->setCurrentIndex(index); });
    view->addSeparator();
    view->addActions(static_cast<ViewBar *>(m_tabs->cornerWidget())->zoomActions());
    view->addSeparator();
    view->addAction(m_lessonDock->toggleViewAction());
    view->addAction(m_inspectorDock->toggleViewAction());
    m_inspectorDock->toggleViewAction()->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_I));
    QAction *fullScreen =
        view->addAction(tr("&Full screen"), QKeySequence(Qt::Key_F11), this, [this](bool on) {
            setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
        });
    fullScreen->setCheckable(true);
    view->addSeparator();
    view->addAction(tr("&Larger text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Plus), this,
                    [this] { changeTextScale(1.25); });
    view->addAction(tr("&Smaller text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Minus), this,
                    [this] { changeTextScale(0.8); });
    view->addAction(tr("&Normal text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_0), this,
                    [this] { changeTextScale(0); });
    QMenu *themes = view->addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    const std::pair<Theme, QString> choices[] = {{Theme::System, tr("As the &system")},
                                                 {Theme::Light, tr("&Light")},
                                                 {Theme::Dark, tr("&Dark")}};
    for (const auto &[theme, name] : choices) {
        QAction *action = themes->addAction(name);
        action->setCheckable(true);
        m_themes->addAction(action);
        connect(action, &QAction::triggered, this, [this, theme = theme] { setTheme(theme); });
    }
    connect(themes, &QMenu::aboutToShow, this,
            [this] { m_themes->actions().at(static_cast<int>(m_theme))->setChecked(true); });
}

void MainWindow::makeMechanismMenus() {
    QMenu *model = menuBar()->addMenu(tr("&Model"));
    for (QAction *action : m_sourceBar->maskActions()) {
        // The menu says "Mask: causal" where the tool bar, beside its label, says "Causal".
        action->setIconText(action->text());
        action->setText(tr("Mask: %1").arg(action->text().toLower()));
        model->addAction(action);
    }
    model->addSeparator();
    m_sourceBar->mechanismActions()[0]->setIconText(m_sourceBar->mechanismActions()[0]->text());
    m_sourceBar->mechanismActions()[0]->setText(tr("Scale the scores by 1/√d"));
    m_sourceBar->mechanismActions()[1]->setIconText(m_sourceBar->mechanismActions()[1]->text());
    m_sourceBar->mechanismActions()[1]->setText(tr("Add sinusoidal positions"));
    model->addActions(m_sourceBar->mechanismActions());
    model->addSeparator();
    QAction *previous = model->addAction(tr("Previous head"), this, [this] { moveHead(-1); });
    previous->setShortcuts(
        {QKeySequence(Qt::Key_BracketLeft), QKeySequence(Qt::CTRL | Qt::Key_Up)});
    QAction *next = model->addAction(tr("Next head"), this, [this] { moveHead(1); });
    next->setShortcuts({QKeySequence(Qt::Key_BracketRight), QKeySequence(Qt::CTRL | Qt::Key_Down)});

    QMenu *step = menuBar()->addMenu(tr("&Step"));
    step->addActions(m_stepper->stepActions());
    step->addSeparator();
    for (QAction *action : m_lesson->lessonActions()) {
        step->addAction(action);
    }

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    QAction *about = help->addAction(tr("&About Headlight"), this, &MainWindow::about);
    about->setMenuRole(QAction::AboutRole);
}

void MainWindow::about() {
    QMessageBox::about(
        this, tr("About Headlight"),
        tr("<h3>Headlight %1</h3><p>See, step through, edit and photograph the attention mechanism "
           "of "
           "transformers.</p><p>Every number on the screen comes from the computation itself.</p>")
            .arg(QApplication::applicationVersion()));
}

} // namespace headlight::ui
