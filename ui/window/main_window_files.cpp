// MainWindow: new windows, opening files, recent files, drag and drop.
#include "core/formats/figure/figure_session.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "ui/document/edits/media_edits.h"
#include "ui/document/edits/word_edits.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/document/picture_file.h"
#include "ui/text/core_message.h"
#include "ui/text/file_path.h"
#include "ui/widgets/plain_text.h"
#include "ui/window/import_vectors.h"
#include "ui/window/main_window.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/start/learned_models_menu.h"
#include "ui/window/start/start_page.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>

namespace headlight::ui {

namespace {

/// Returns the path of the single dragged file; empty for none or several.
QString draggedFile(const QMimeData *data) {
    const QList<QUrl> urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    // Like QUrl::toLocalFile(), which fails for names that are not UTF-8.
    const QByteArray path = urls.first().path(QUrl::FullyEncoded).toLatin1();
    return pathOf(QByteArray::fromPercentEncoding(path).toStdString());
}

} // namespace

void MainWindow::makeFileMenu() {
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New session…"), QKeySequence::New, this, &MainWindow::newSession);
    file->addAction(tr("New &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), this,
                    &MainWindow::newWindow);
    file->addAction(tr("&Start page"), this,
                    [this] {
                        StartPage::setWanted(true);
                        showStartPage();
                    })
        ->setToolTip(tr("One question that a small model answers, and other ways to begin"));
    addLessonActions(*file);
    file->addSeparator();
    QMenu *lessons = file->addMenu(tr("&Lesson"));
    lessons->addAction(tr("&Map of the lessons…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L),
                       this, &MainWindow::showLessonMap);
    lessons->addSeparator();
    for (const LessonInfo &lesson : lessonInfos())
        lessons->addAction(withAmpersands(lesson.title), this, [this, id = lesson.id] {
            SourceRequest request;
            request.source = id;
            openSource(request);
        });
    auto *learned = new LearnedModelsMenu(this);
    file->addMenu(learned);
    connect(learned, &LearnedModelsMenu::chosen, this, [this](const QString &id) {
        SourceRequest request;
        request.source = id;
        openSource(request);
    });
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openFile);
    file->addAction(tr("Open model &folder…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                    &MainWindow::openFolder)
        ->setToolTip(
            tr("A pretrained model in Hugging Face format, or a course: a folder of lessons"));
    m_recent = file->addMenu(tr("Open &recent"));
    connect(file, &QMenu::aboutToShow, this, &MainWindow::showRecentFiles);
    showRecentFiles();
    QAction *vectors =
        file->addAction(tr("Import word &vectors…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I),
                        this, &MainWindow::chooseVectors);
    vectors->setToolTip(tr("Load vectors for the words from a word2vec or GloVe text file"));
    m_edits << vectors;
    m_openPicture = file->addAction(tr("Open pict&ure…"), this, &MainWindow::choosePicture);
    m_openPicture->setObjectName("openPicture");
    m_openPicture->setToolTip(
        tr("Replace the picture of a model that reads pictures, such as ViT"));
    m_openSound = file->addAction(tr("Open au&dio…"), this, &MainWindow::chooseSound);
    m_openSound->setObjectName("openSound");
    m_openSound->setToolTip(tr("Replace the audio of a model that reads audio, such as Whisper"));
    connect(file, &QMenu::aboutToShow, this, [this] {
        m_openPicture->setEnabled(readsPictures());
        m_openSound->setEnabled(readsSounds());
    });
    file->setToolTipsVisible(true);
    file->addSeparator();
    addKeepingActions(*file);
    file->addSeparator();
    file->addAction(tr("&Print figure…"), QKeySequence::Print, this,
                    &MainWindow::printCurrentFigure);
    file->addAction(tr("Print wor&ksheet…"), this, &MainWindow::printWorksheet)
        ->setToolTip(
            tr("Small matrices with blanks to fill in by hand, and the lesson's questions"));
    m_printHandout =
        file->addAction(tr("Print &handout for the teacher…"), this, &MainWindow::printHandout);
    m_printHandout->setObjectName("printHandout");
    m_printHandout->setToolTip(
        tr("A page about the lesson: aim, duration, what to press, questions with answers"));
    connect(file, &QMenu::aboutToShow, this,
            [this] { m_printHandout->setEnabled(m_document.session().lesson.has_value()); });
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
        const QString name = withAmpersands(QFileInfo(files[i]).fileName());
        QAction *action = m_recent->addAction(QString("&%1  %2").arg(i + 1).arg(name), this,
                                              [this, path = files[i]] { openRecent(path); });
        action->setToolTip(files[i]);
    }
    m_recent->setToolTipsVisible(true);
    m_recent->setEnabled(!files.isEmpty());
    if (files.isEmpty())
        return;
    m_recent->addSeparator();
    m_recent->addAction(tr("&Clear this list"), this, [this] {
        clearRecentFiles();
        showRecentFiles();
    });
}

void MainWindow::newWindow() {
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setTheme(m_theme);
    // Copies the source as opened, because its file may have been deleted or may not exist yet.
    const core::Session &session = m_document.session();
    OpenedSource same;
    same.session = session;
    same.source = m_document.source();
    same.state = {session.model, session.input, 0, {}};
    same.selection = session.view.applied({});
    same.seed = m_document.seed();
    same.course = m_document.course();
    if (!m_document.isCapture()) // cannot fail, because the reader has checked the session
        same = *withComputable(std::move(same));
    SourceRequest request = requestOfSame();
    request.course = m_document.course();
    const auto show = [window, same,
                       at = pos() + QPoint(32, 32)](const core::Result<OpenedSource> &opened) {
        window->open(opened ? *opened : same);
        window->move(at);
        window->show();
    };
    if (request.source.isEmpty())
        show(same);
    else
        window->m_reader.read(request, show);
}

void MainWindow::openFile() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), settings.value("sessions/folder").toString(),
        tr("Sessions, courses, models, captures, and figures with a session (*.headlight "
           "*.headlight-course *.gguf *.safetensors *.safetensors.index.json *.npz *.png *.svg "
           "*.pdf);;All files (*)"));
    if (path.isEmpty())
        return;
    SourceRequest request;
    request.source = path;
    settings.setValue("sessions/folder", QFileInfo(path).absolutePath());
    openSource(request);
}

void MainWindow::openFolder() {
    QSettings settings;
    const QString path = QFileDialog::getExistingDirectory(
        this, tr("Open a folder with a pretrained model, or with lessons"),
        settings.value("models/folder").toString());
    if (path.isEmpty())
        return;
    SourceRequest request;
    request.source = path;
    settings.setValue("models/folder", QFileInfo(path).absolutePath());
    openSource(request);
}

void MainWindow::chooseVectors() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Import word vectors"), settings.value("vectors/folder").toString(),
        tr("Word vectors, word2vec or GloVe text (*.txt *.vec);;All files (*)"));
    if (path.isEmpty())
        return;
    settings.setValue("vectors/folder", QFileInfo(path).absolutePath());
    importVectors(path);
}

void MainWindow::importVectors(const QString &path) {
    const core::EmbeddingsPointer &embeddings = m_document.state().model.embeddings;
    if (!embeddings)
        return showProblem({messageOf(tr("this model has no words")), "", ""});
    clearProblem();
    auto *import = new ImportVectors(path, edits::wordsOf(m_document.session(), m_document.state()),
                                     embeddings->given().ignoreCase, this);
    connect(import, &ImportVectors::failed, this, &MainWindow::showProblem);
    connect(import, &ImportVectors::ended, import, &QObject::deleteLater);
    connect(import, &ImportVectors::read, this, [this, path](const core::WordVectors &vectors) {
        core::Result<Change> change =
            edits::setWordVectors(m_document.state(), vectors, QFileInfo(path).fileName());
        if (!change)
            return showProblem(change.error());
        const QString words = change->words().text();
        if (const core::Outcome outcome = m_document.apply(*std::move(change)); !outcome)
            return showProblem(outcome.error());
        m_document.addImportedFile(path);
        const QString missing = edits::missingText(vectors);
        m_message->setText(missing.isEmpty() ? words : tr("%1; %2").arg(words, missing));
    });
}

bool MainWindow::readsPictures() const {
    const auto &folder = m_document.session().pretrained;
    return folder && (folder->picture || folder->tower);
}

void MainWindow::choosePicture() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open picture"), settings.value("pictures/folder").toString(),
        tr("Pictures (%1);;All files (*)").arg(pictureFilePatterns()));
    if (path.isEmpty())
        return;
    settings.setValue("pictures/folder", QFileInfo(path).absolutePath());
    openPicture(path);
}

template <typename Read, typename Edit>
void MainWindow::replaceInput(const QString &path, Read read, Edit edit) {
    clearProblem();
    const auto model = m_document.session().pretrained;
    m_inputFile = path;
    m_inputReader.start([read, session = m_document.session()](const std::stop_token &stop)
                            -> core::Result<core::BatchPointer> { return read(session, stop); },
                        [this, path, model, edit](const core::Result<core::BatchPointer> &batch) {
                            showBusy();
                            if (m_document.session().pretrained != model)
                                return; // another model was opened meanwhile
                            m_message->clear();
                            if (!batch)
                                return showProblem(batch.error());
                            core::Result<Change> change = edit(m_document.state(), *batch, path);
                            if (!change)
                                return showProblem(change.error());
                            const QString words = change->words().text();
                            if (const core::Outcome outcome = m_document.apply(*std::move(change));
                                !outcome)
                                return showProblem(outcome.error());
                            m_document.addImportedFile(path);
                            m_message->setText(words);
                        });
    m_busyDelay->start();
}

void MainWindow::openPicture(const QString &path) {
    const auto &model = m_document.session().pretrained;
    if (model && model->tower == core::Tower::Texts) { // the folder's other model reads pictures
        SourceRequest request;
        request.source = pathOf(model->path);
        request.picture = path;
        // Open it in this window, even if another window shows the folder as well.
        m_reader.read(request, [this](core::Result<OpenedSource> opened) {
            if (!opened)
                showProblem(opened.error());
            else if (mayLeave())
                open(*std::move(opened));
        });
        return;
    }
    replaceInput(
        path,
        [path](const core::Session &session,
               const std::stop_token &stop) -> core::Result<core::BatchPointer> {
            const core::Result<core::Picture> picture = readPicture(path, stop);
            if (!picture)
                return picture.error();
            return edits::patchesOf(session, *picture, stop);
        },
        edits::setPicture);
}

bool MainWindow::readsSounds() const {
    const auto &folder = m_document.session().pretrained;
    return folder && folder->sound;
}

void MainWindow::chooseSound() {
    QSettings settings;
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open audio"), settings.value("sounds/folder").toString(),
        tr("Audio (%1);;All files (*)").arg(QStringLiteral("*.wav")));
    if (path.isEmpty())
        return;
    settings.setValue("sounds/folder", QFileInfo(path).absolutePath());
    openSound(path);
}

void MainWindow::openSound(const QString &path) {
    replaceInput(
        path,
        [path](const core::Session &session,
               const std::stop_token &stop) -> core::Result<core::BatchPointer> {
            const core::Result<core::Sound> sound = core::readWavFile(bytesOf(path), stop);
            if (!sound)
                return sound.error();
            return edits::framesOf(session, *sound, stop);
        },
        edits::setSound);
}

/// Opens a figure that contains a session as a source, and other files as pictures.
void MainWindow::openDropped(const QString &path) {
    m_inputFile = path;
    m_inputReader.start(
        [path](const std::stop_token &stop) {
            return core::readFigureFile(bytesOf(path), stop).ok();
        },
        [this, path](bool hasSession) {
            showBusy();
            if (!hasSession)
                return openPicture(path);
            SourceRequest request;
            request.source = path;
            openSource(request);
        });
    m_busyDelay->start();
}

void MainWindow::openRecent(const QString &path) {
    openSource(requestOfRecent(path));
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
    if (readsPictures() && isPictureFile(path))
        return openDropped(path);
    if (readsSounds() && path.endsWith(QLatin1String(".wav"), Qt::CaseInsensitive))
        return openSound(path);
    SourceRequest request;
    request.source = path;
    openSource(request);
}

} // namespace headlight::ui
