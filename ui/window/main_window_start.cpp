// MainWindow: the start page, the full-screen show for a class, and three things to try.
#include "core/training/tasks/head_purpose.h"
#include "ui/document/training_controller.h"
#include "ui/document/training_session.h"
#include "ui/panels/filmstrip.h"
#include "ui/views/birth_view.h"
#include "ui/views/training_view.h"
#include "ui/window/dock_focus.h"
#include "ui/window/main_window.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/start/first_hints.h"
#include "ui/window/start/show/opening_show.h"
#include "ui/window/start/start_page.h"

#include <QMenuBar>
#include <QScreen>
#include <QVBoxLayout>

namespace headlight::ui {

void MainWindow::openBelowStart(OpenedSource opened) {
    m_isBelowStart = true;
    open(std::move(opened));
    m_isBelowStart = false;
}

void MainWindow::offerStart() {
    if (StartPage::isWanted())
        showStartPage();
}

void MainWindow::offerHints() {
    if (!m_document.isCapture()) // the hints suggest dragging, which a capture does not support
        m_hints->offer();
}

void MainWindow::showStartPage() {
    if (!m_startPage) {
        m_startPage = new StartPage(this);
        connect(m_startPage, &StartPage::sourceChosen, this, [this](const QString &source) {
            if (source == m_document.source() && !m_document.isEdited())
                return leaveStartPage(); // the source is already open below the page
            openSource(requestOfRecent(source));
        });
        connect(m_startPage, &StartPage::explanationWanted, this,
                [this](const QString &source, const QString &text) {
                    SourceRequest request;
                    request.source = source;
                    if (!text.isEmpty())
                        request.text = text.toStdString();
                    openSource(request);
                });
        connect(m_startPage, &StartPage::showWanted, this, &MainWindow::showToClass);
        connect(m_startPage, &StartPage::birthWanted, this, [this] {
            const auto first = std::string(core::watchableTasks().front().id);
            beginRun(core::findTask(first)->info().recipe);
        });
        connect(m_startPage, &StartPage::mapWanted, this, &MainWindow::showLessonMap);
        connect(m_startPage, &StartPage::newWanted, this, &MainWindow::newSession);
        connect(m_startPage, &StartPage::openWanted, this, &MainWindow::openFile);
        connect(m_startPage, &StartPage::dismissed, this, &MainWindow::leaveStartPage);
        m_startPage->setStyle(currentView()->figureStyle());
    }
    layOutStartPage();
    m_startPage->show();
    m_startPage->raise();
    m_startPage->focusFirst();
    setWindowTitle(tr("Headlight"));
}

void MainWindow::closeStartPage() {
    if (!m_startPage)
        return;
    m_startPage->hide();
    m_startPage->deleteLater();
    m_startPage = nullptr;
    static_cast<QVBoxLayout *>(centralWidget()->layout())->insertWidget(0, m_recovery);
    showSaved(); // restores the title of the open session
    currentView()->setFocus();
}

/// Closes the start page because the user wants to see the source below it.
void MainWindow::leaveStartPage() {
    closeStartPage();
    rememberStep();
}

void MainWindow::showToClass(const QString &text) {
    if (m_show)
        return;
    m_show = new OpeningShow(text, this);
    m_show->setAttribute(Qt::WA_DeleteOnClose);
    m_show->setTheme(currentView()->figureStyle().isDark);
    connect(m_show, &OpeningShow::left, this, &MainWindow::leaveShow);
    connect(m_show, &OpeningShow::trainingWanted, this,
            [this, show = m_show](const core::Recipe &recipe) {
                beginRun(recipe);
                // Keep the full screen for the class. Esc then returns to the window.
                const bool isOpen = !m_startPage && currentView() == m_birth;
                if (isOpen && show->isFullScreen())
                    present(true);
            });
    m_show->setGeometry(screen()->geometry()); // for desktops without a window manager
    m_show->showFullScreen();
    m_show->activateWindow();
    m_show->setFocus();
}

void MainWindow::leaveShow() {
    m_show = nullptr;
    activateWindow();
    if (m_startPage)
        m_startPage->focusFirst();
}

/// Opens a new run of the recipe in this window and trains it. If its task can be watched, the
/// Being born view shows it.
void MainWindow::beginRun(const core::Recipe &recipe) {
    const core::TaskPointer task = core::findTask(recipe.task);
    core::Result<OpenedSource> session =
        task
            ? makeTrainingSession(recipe, task)
            : core::Result<OpenedSource>(core::Error{{"there is no task %1", recipe.task}, "", ""});
    if (!session)
        return showProblem(session.error());
    if (!mayLeave())
        return;
    open(*std::move(session));
    // Being born trains the run and replays it. The user only watches, so there is nothing to save.
    if (core::findWatchableTask(recipe.task))
        return showView(m_birth->viewName());
    m_document.setUnsaved();
    showView(m_training->viewName());
    if (const core::Outcome begun = m_training->controller().start(); !begun)
        showProblem(begun.error());
}

/// Places the start page below the menus and the recovery bar, over everything else.
void MainWindow::layOutStartPage() {
    if (!m_startPage)
        return;
    const int menus = menuBar()->geometry().bottom() + 1;
    m_startPage->setGeometry(rect().adjusted(0, menus + roomForRecovery(menus), 0, 0));
}

/// Places the recovery bar above the start page and returns its height, or 0 if it is hidden.
int MainWindow::roomForRecovery(int top) {
    if (m_recovery->isHidden())
        return 0;
    if (m_recovery->parentWidget() != this) {
        m_recovery->setParent(this); // setParent() hides the bar
        m_recovery->QWidget::show();
    }
    const int height = m_recovery->hasHeightForWidth() ? m_recovery->heightForWidth(width())
                                                       : m_recovery->sizeHint().height();
    m_recovery->setGeometry(0, top, width(), height);
    m_recovery->raise();
    return height;
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QMainWindow::resizeEvent(event);
    m_filmstrip->setWindowHeight(height());
    if (FigureView *view = currentView())
        leaveTabsOutside(*this, *view);
    layOutStartPage();
}

} // namespace headlight::ui
