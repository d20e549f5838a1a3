// Windows and files: new window, open, recent, dropped.
#include "ui/document/lesson_catalogue.h"
#include "ui/window/main_window.h"
#include "ui/window/recent_files.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>

namespace headlight::ui {

namespace {

/// The one file that is dragged; empty where it is none, or several.
QString draggedFile(const QMimeData *data) {
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

void MainWindow::makeFileMenu() {
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New session…"), QKeySequence::New, this, &MainWindow::newSession);
    file->addAction(tr("New &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), this,
                    &MainWindow::newWindow);
    file->addSeparator();
    QMenu *lessons = file->addMenu(tr("&Lesson"));
    for (const QString &id : lessonIds())
        if (const core::Result<core::Session> lesson = readLesson(id))
            lessons->addAction(QString::fromStdString(lesson->title).replace('&', "&&"), this,
                               [this, id] {
                                   SourceRequest request;
                                   request.source = id;
                                   openSource(request);
                               });
    file->addAction(tr("&Open session…"), QKeySequence::Open, this, &MainWindow::openFile);
    m_recent = file->addMenu(tr("Open &recent"));
    connect(file, &QMenu::aboutToShow, this, &MainWindow::showRecentFiles);
    showRecentFiles();
    file->addSeparator();
    addKeepingActions(*file);
    file->addSeparator();
    file->addAction(tr("&Print figure…"), QKeySequence::Print, this,
                    &MainWindow::printCurrentFigure);
    file->addSeparator();
    file->addAction(tr("&Close window"), QKeySequence::Close, this, &QWidget::close);
    QAction *quit =
        file->addAction(tr("&Quit"), QKeySequence::Quit, qApp, &QApplication::closeAllWindows);
    quit->setMenuRole(QAction::QuitRole);
}

void MainWindow::showRecentFiles() {
    m_recent->clear();
    const QStringList files = recentFiles();
    for (qsizetype i = 0; i < files.size(); ++i) {
        const QString name = QFileInfo(files[i]).fileName().replace('&', "&&");
        QAction *action = m_recent->addAction(QString("&%1  %2").arg(i + 1).arg(name), this,
                                              [this, path = files[i]] { openRecent(path); });
        action->setToolTip(files[i]);
    }
    m_recent->setToolTipsVisible(true);
    m_recent->setEnabled(!files.isEmpty());
    if (files.isEmpty())
        return;
    m_recent->addSeparator();
    m_recent->addAction(tr("&Forget these"), this, [this] {
        clearRecentFiles();
        showRecentFiles();
    });
}

void MainWindow::newWindow() {
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setTheme(m_theme);
    // The same source, as it was opened: the file may be gone meanwhile, or there is none yet.
    const core::Session &session = m_document.session();
    OpenedSource same{session,
                      m_document.source(),
                      {session.model, session.input, 0, {}},
                      session.view.applied({}),
                      {},
                      m_document.seed()};
    SourceRequest request;
    request.source = m_document.source();
    request.seed = m_document.seed();
    core::Result<OpenedSource> opened = request.source.isEmpty() ? same : ui::openSource(request);
    window->open(opened ? *opened : same);
    window->move(pos() + QPoint(32, 32));
    window->show();
}

void MainWindow::openFile() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open session"), settings.value("sessions/folder").toString(),
        tr("Sessions and figures that carry one (*.headlight *.png *.svg *.pdf);;All files (*)"));
    if (path.isEmpty())
        return;
    SourceRequest request;
    request.source = path;
    if (openSource(request))
        settings.setValue("sessions/folder", QFileInfo(path).absolutePath());
}

void MainWindow::openRecent(const QString &path) {
    SourceRequest request;
    request.source = path;
    if (!openSource(request) && !QFileInfo::exists(path))
        removeRecentFile(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    if (!draggedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    const QString path = draggedFile(event->mimeData());
    if (path.isEmpty())
        return;
    event->acceptProposedAction();
    SourceRequest request;
    request.source = path;
    openSource(request);
}

} // namespace headlight::ui
