// MainWindow: new, save, revert, unsaved changes, and crash recovery.
#include "ui/text/file_path.h"
#include "ui/text/one_line.h"
#include "ui/window/main_window.h"
#include "ui/window/saving/new_session_dialog.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/saving/recovery_bar.h"
#include "ui/window/saving/session_saver.h"
#include "ui/window/saving/suggested_name.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

namespace headlight::ui {

void MainWindow::makeSaving() {
    makeFileWatch();
    connect(m_recovery, &RecoveryBar::recoverRequested, this, &MainWindow::recover);
    connect(m_recovery, &RecoveryBar::offered, this, &MainWindow::layOutStartPage);
    connect(&m_saver->autosave(), &Autosave::failed, this, &MainWindow::showProblem);
#ifndef QT_NO_SESSIONMANAGER
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &MainWindow::keepWork);
    connect(qGuiApp, &QGuiApplication::saveStateRequest, this, &MainWindow::keepWork);
#endif
}

void MainWindow::keepWork() {
    if (m_document.isModified())
        (void)m_saver->autosave().keep(); // if this fails, closing asks the user
}

void MainWindow::keepWorkOfAll() {
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *window = qobject_cast<MainWindow *>(widget))
            window->keepWork();
}

void MainWindow::addKeepingActions(QMenu &file) {
    file.addAction(tr("&Save session"), QKeySequence::Save, this, [this] { save(); });
    file.addAction(tr("Save session &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                   [this] { saveAs(); });
    m_revert = file.addAction(tr("Re&vert…"), this, &MainWindow::revert);
    m_revert->setToolTip(tr("Reopen the saved version"));
}

void MainWindow::showSaved() {
    const bool modified = m_document.isModified();
    const QString source = m_document.source();
    QString name = oneLine(m_document.session().title);
    QString title = name.isEmpty() ? QFileInfo(source).fileName() : name;
    if (title.isEmpty())
        title = tr("New session");
    title.replace("[*]", "[*][*]"); // a title may contain Qt's placeholder for the modified mark
    if (kindOfSource(source) == SourceKind::Session && !name.isEmpty())
        setWindowTitle(tr("%1[*] – %2 – Headlight")
                           .arg(QFileInfo(source).fileName().replace("[*]", "[*][*]"), title));
    else
        setWindowTitle(tr("%1[*] – Headlight").arg(title));
    setWindowModified(modified);
    m_revert->setEnabled(modified && !source.isEmpty());
}

void MainWindow::newSession() {
    NewSessionDialog dialog(this);
    if (dialog.exec() != QDialog::Accepted || !mayLeave())
        return;
    open(dialog.session());
    if (m_document.source().isEmpty())
        m_document.setUnsaved(); // a new session has no source, unlike the built-in example
}

bool MainWindow::save() {
    const QString path = m_saver->path();
    if (path.isEmpty())
        return saveAs();
    if (!m_saver->hasChangedOnDisk())
        return saveIn(path);
    QMessageBox box(
        QMessageBox::Warning, tr("The file has changed"),
        tr("“%1” was changed by another window or program.").arg(QFileInfo(path).fileName()),
        QMessageBox::Cancel, this);
    box.setObjectName("changedOnDisk");
    box.setInformativeText(tr("Overwriting it discards those changes."));
    const QPushButton *overwrite = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    const QPushButton *other = box.addButton(tr("Save as…"), QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() == overwrite)
        return saveIn(path);
    return box.clickedButton() == other && saveAs();
}

bool MainWindow::saveAs() {
    QSettings settings;
    const QString path = m_saver->path();
    const QString folder = path.isEmpty() ? settings.value("sessions/folder").toString()
                                          : QFileInfo(path).absolutePath();
    QString name = path.isEmpty() ? QFileInfo(m_document.source()).completeBaseName()
                                  : QFileInfo(path).fileName();
    if (name.isEmpty() && m_document.session().lesson)
        name = suggestedName(oneLine(m_document.session().title));
    if (name.isEmpty())
        name = tr("session");
    QFileDialog dialog(this, tr("Save session"), folder,
                       tr("Headlight sessions (*.headlight);;All files (*)"));
    dialog.setObjectName("saveSession");
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix("headlight");
    dialog.selectFile(name);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return false;
    const QString chosen = dialog.selectedFiles().constFirst();
    if (!saveIn(chosen))
        return false;
    settings.setValue("sessions/folder", QFileInfo(chosen).absolutePath());
    return true;
}

bool MainWindow::saveIn(const QString &path) {
    if (const core::Outcome saved = m_saver->save(path); !saved) {
        showProblem(saved.error());
        return false;
    }
    clearProblem();
    watchFiles(); // a new path, or new content
    addRecentFile(path);
    m_message->setText(tr("Saved %1").arg(path));
    return true;
}

void MainWindow::revert() {
    QMessageBox box(QMessageBox::Warning, tr("Revert"),
                    tr("Go back to the saved version? Your changes and the history will be lost."),
                    QMessageBox::Cancel, this);
    box.setObjectName("revertQuestion");
    const QPushButton *go = box.addButton(tr("Revert"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    if (box.clickedButton() != go)
        return;
    readAgain();
}

bool MainWindow::mayLeave() {
    if (!m_document.isModified())
        return true;
    const QString path = m_document.source();
    QString name = oneLine(m_document.session().title);
    if (name.isEmpty() || !m_saver->path().isEmpty())
        name = QFileInfo(path).fileName();
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"),
                    tr("Save the changes to “%1”?").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, dialogParent());
    box.setObjectName("unsavedChanges");
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("Unsaved changes will be lost."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

MainWindow *MainWindow::otherWindowWith(const QString &path) const {
    const QString whole = canonicalPath(path); // empty if the file does not exist
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *window = qobject_cast<MainWindow *>(widget);
        if (window && window != this && window->isVisible() && !whole.isEmpty() &&
            canonicalPath(window->m_document.source()) == whole)
            return window;
    }
    return nullptr;
}

void MainWindow::offerRecovery() {
    m_recovery->offer(abandonedWork());
}

void MainWindow::recover(const RecoverableSession &work) {
    SourceRequest request;
    request.source = work.path;
    m_reader.read(request, [this, work](core::Result<OpenedSource> opened) {
        if (!opened)
            return showProblem(opened.error());
        opened->source = work.origin.source;
        showRecovered(work, *std::move(opened));
    });
}

void MainWindow::showRecovered(const RecoverableSession &work, OpenedSource opened) {
    MainWindow *window = this;
    if (m_document.isModified()) {
        window = new MainWindow;
        window->setAttribute(Qt::WA_DeleteOnClose);
        window->setTheme(m_theme);
        window->move(pos() + QPoint(32, 32));
        window->show();
    }
    window->open(std::move(opened));
    window->m_saver->setRecovered(work.origin);
    if (window->m_saver->autosave().writeNow()) // keep the old copy until there is a new one
        remove(work);
}

} // namespace headlight::ui
