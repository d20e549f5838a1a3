// MainWindow: the start page, and three things to try.
#include "ui/views/figure_view.h"
#include "ui/window/dock_focus.h"
#include "ui/window/main_window.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/start/first_hints.h"
#include "ui/window/start/start_page.h"

#include <QMenuBar>
#include <QVBoxLayout>

namespace headlight::ui {

void MainWindow::offerStart() {
    if (StartPage::isWanted())
        showStartPage();
}

void MainWindow::offerHints() {
    if (!m_document.isCapture()) // nothing in a capture can be dragged
        m_hints->offer();
}

void MainWindow::showStartPage() {
    if (!m_startPage) {
        m_startPage = new StartPage(this);
        connect(m_startPage, &StartPage::sourceChosen, this, [this](const QString &source) {
            if (source == m_document.source() && !m_document.isEdited())
                return closeStartPage(); // it is already open below the page
            SourceRequest request;
            request.source = source;
            openSource(request);
        });
        connect(m_startPage, &StartPage::explanationWanted, this,
                [this](const QString &source, const QString &text) {
                    SourceRequest request;
                    request.source = source;
                    request.text = text.toStdString();
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
    static_cast<QVBoxLayout *>(centralWidget()->layout())->insertWidget(0, m_recovery);
    showSaved(); // the title of the open session
    currentView()->setFocus();
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
        m_recovery->setParent(this); // setParent() hides it
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
    if (FigureView *view = currentView())
        leaveTabsOutside(*this, *view);
    layOutStartPage();
}

} // namespace headlight::ui
