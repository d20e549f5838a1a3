// The first two minutes: the start page, and three things to try.
#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"
#include "ui/window/start/first_hints.h"
#include "ui/window/start/start_page.h"

#include <QMenuBar>

namespace headlight::ui {

void MainWindow::offerStart() {
    if (StartPage::isWanted())
        showStartPage();
}

void MainWindow::offerHints() {
    if (!m_document.isCapture()) // of which nothing can be dragged
        m_hints->offer();
}

void MainWindow::showStartPage() {
    if (!m_startPage) {
        m_startPage = new StartPage(this);
        connect(m_startPage, &StartPage::sourceChosen, this, [this](const QString &source) {
            if (source == m_document.source() && !m_document.isEdited())
                return closeStartPage(); // it is what lies beneath
            SourceRequest request;
            request.source = source;
            openSource(request);
        });
        connect(m_startPage, &StartPage::mapWanted, this, &MainWindow::showLessonMap);
        connect(m_startPage, &StartPage::newWanted, this, &MainWindow::newSession);
        connect(m_startPage, &StartPage::openWanted, this, &MainWindow::openFile);
        connect(m_startPage, &StartPage::dismissed, this, &MainWindow::closeStartPage);
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
    showSaved(); // the title of what is open
    currentView()->setFocus();
}

/// Beneath the menus, over everything else.
void MainWindow::layOutStartPage() {
    if (m_startPage)
        m_startPage->setGeometry(rect().adjusted(0, menuBar()->geometry().bottom() + 1, 0, 0));
}

void MainWindow::resizeEvent(QResizeEvent *event) {
    QMainWindow::resizeEvent(event);
    layOutStartPage();
}

} // namespace headlight::ui
