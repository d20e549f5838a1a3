// MainWindow: files that another program changes while they are open. The picture is marked, and
// the user can reload without losing edits.
#include "core/formats/capture/capture.h"
#include "core/formats/files/file_stamp.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/transformer/model/number_sources.h"
#include "ui/compute/file_watch.h"
#include "ui/text/file_path.h"
#include "ui/views/figure_view.h"
#include "ui/window/main_window.h"
#include "ui/window/message_bar.h"
#include "ui/window/saving/session_saver.h"

#include <QLabel>

#include <algorithm>

namespace headlight::ui {

namespace {

/// Returns the files from which values are read while the session is open.
FileWatch::Files readOnDemand(const core::Session &session) {
    if (!session.capture)
        return core::numberSources(session.model.parameters);
    return session.capture->trace && session.capture->trace->source()
               ? session.capture->content->sources
               : FileWatch::Files();
}

} // namespace

void MainWindow::makeFileWatch() {
    m_watch = new FileWatch(this);
    connect(m_watch, &FileWatch::found, this, &MainWindow::fileFound);
}

void MainWindow::watchFiles() {
    const core::Session &session = m_document.sessionAsRead();
    FileWatch::Files files = session.capture && session.capture->content
                                 ? session.capture->content->sources
                                 : readOnDemand(session);
    if (core::NumberSourcePointer own = m_saver->source())
        files.push_back(std::move(own));
    m_watch->watch(std::move(files));
}

void MainWindow::lookAtFiles() {
    m_watch->look();
}

bool MainWindow::isOfShownFile(const core::Error &error) const {
    return core::isChangedFile(error) &&
           std::ranges::any_of(readOnDemand(m_document.sessionAsRead()),
                               [&error](const auto &file) { return file->path() == error.where; });
}

void MainWindow::fileFound(const std::optional<core::Error> &change) {
    if (!change) { // the file has its old content again
        m_document.setChangedFile({});
        if (m_problem->isOfChangedFile())
            m_problem->dismiss();
        return;
    }
    const bool isShown = isOfShownFile(*change);
    if (isShown)
        // otherwise all values of the file are in memory, and the picture stays up to date
        m_document.setChangedFile(change);
    tellOfChangedFile(*change, isShown);
}

void MainWindow::tellOfChangedFile(const core::Error &change, bool isShown) {
    const core::NumberSourcePointer own = m_saver->source();
    const bool isOwn = own && own->path() == change.where;
    const auto offerReload = [&] {
        m_problem->offer(tr("Reload"), [this, isOwn] { isOwn ? reloadSession() : reload(); });
    };
    m_problem->showChangedFile(change);
    const bool wouldLose = isOwn && m_document.isModified();
    if (!wouldLose)
        offerReload();
    m_problem->offer(isShown ? tr("Keep the last picture") : tr("Keep what is open"), [] {});
    if (wouldLose) // offer Reload second, so that Return or a hasty click does not choose it
        offerReload();
}

/// Reloads the session's own file after another program has written it.
void MainWindow::reloadSession() {
    if (m_document.isModified())
        return revert(); // asks the user first
    readAgain();
}

SourceRequest MainWindow::requestOfSame() const {
    SourceRequest request;
    request.source = m_document.source();
    request.seed = m_document.seed();
    // Other kinds of source load their course themselves.
    if (kindOfSource(request.source) == SourceKind::Session)
        request.course = m_document.course();
    if (const auto &folder = m_document.sessionAsRead().pretrained;
        folder && kindOfSource(request.source) == SourceKind::ModelFolder) {
        request.expression = folder->expression;
        if (folder->tower == core::Tower::Pictures)
            request.tower = folder->tower;
    }
    return request;
}

void MainWindow::readAgain() {
    m_reader.read(requestOfSame(), [this](core::Result<OpenedSource> opened) {
        if (opened)
            return open(*std::move(opened));
        m_problem->showProblem(opened.error());
        m_problem->offer(tr("Try again"), [this] { readAgain(); });
    });
}

/// Reloads the file of the model or capture and applies the user's changes again.
void MainWindow::reload() {
    const bool isModified = m_document.isModified();
    // A folder may have been opened with a text or a picture.
    const bool isOpenedWithInput =
        kindOfSource(m_document.source()) == SourceKind::ModelFolder && m_document.isEdited();
    if (m_document.isCapture() || !(isModified || isOpenedWithInput))
        return readAgain();
    SourceRequest request = requestOfSame();
    request.document = m_document.snapshot(currentView()->viewName()).bytes();
    const Origin origin = m_saver->origin();
    m_reader.read(request, [this, origin, isModified](core::Result<OpenedSource> opened) {
        if (!opened)
            return offerReloadWithout(opened.error());
        open(*std::move(opened));
        if (isModified)
            m_saver->setRecovered(origin);
        m_message->setText(tr("Reloaded with your changes"));
    });
}

/// Offers to reload without the edits, after they did not fit the new model or reading failed.
void MainWindow::offerReloadWithout(const core::Error &why) {
    m_problem->showProblem(why);
    m_problem->offer(tr("Try again"), [this] { reload(); });
    m_problem->offer(tr("Reload without my changes"), [this] {
        if (mayLeave())
            readAgain();
    });
}

} // namespace headlight::ui
