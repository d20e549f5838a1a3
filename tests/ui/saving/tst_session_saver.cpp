// Saving is atomic, asks before overwriting external changes, and never loses the document on a
// disk error.
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/text/file_path.h"
#include "ui/window/saving/session_saver.h"

#include <cerrno>
#include <dirent.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using test::readAll;
using test::sessionFile;
using test::textIn;
using test::writeAll;

namespace {

/// A document with a file, which is temporary if no path is given.
struct Kept {
    QTemporaryDir folder;
    QString path;
    ui::Document document;
    ui::SessionSaver keeper{document, [] { return QString("whole"); }};

    explicit Kept(const QString &of = {}) : path(of.isEmpty() ? sessionFile(folder.path()) : of) {
        document.open(test::opened(path));
    }
    void type(const QString &text) { QVERIFY(test::typeText(document, text).ok()); }
};

/// A temporary file system of a few hundred kilobytes.
class TinyDisk {
  public:
    explicit TinyDisk(const QString &folder) : m_folder(folder.toUtf8()) {
        m_mounted = ::mount("none", m_folder.constData(), "tmpfs", 0, "size=256k,mode=0777") == 0;
    }
    TinyDisk(const TinyDisk &) = delete;
    TinyDisk &operator=(const TinyDisk &) = delete;
    ~TinyDisk() {
        if (m_mounted)
            ::umount2(m_folder.constData(), MNT_DETACH);
    }
    bool isMounted() const { return m_mounted; }

  private:
    QByteArray m_folder;
    bool m_mounted = false;
};

} // namespace

class KeeperTest : public QObject {
    Q_OBJECT

  private slots:
    void whatIsSavedIsRead() {
        Kept kept;
        QCOMPARE(kept.keeper.path(), kept.path);
        kept.type("a bank by the river");
        QVERIFY(test::setScale(kept.document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(kept.document.isModified());
        QVERIFY(kept.keeper.save(kept.path).ok());
        QVERIFY(!kept.document.isModified());
        const ui::OpenedSource again = test::opened(kept.path);
        QCOMPARE(textIn(kept.path), QString("a bank by the river"));
        QVERIFY(again.state.model.config.scale.kind == core::Scale::Kind::Off);
        // The base is unchanged, and Reset restores it.
        QCOMPARE(QString::fromStdString((*again.session.input.batch)[0].text),
                 QString("The cat sat on the mat"));
        Kept second(kept.path);
        QVERIFY(!second.document.isModified());
        QVERIFY(second.document.isEdited());
    }

    /// A reader's lesson opens at the step where they left it, but a lesson that its author saves
    /// opens at its first step.
    void aWrittenLessonBeginsAtItsFirstStep() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("lesson.headlight");
        const QByteArray bytes = ui::lessonFile("bank");
        writeAll(path, bytes);
        Kept kept(path);
        QVERIFY(kept.document.goToStep(3).ok());
        test::select(kept.document,
                     {.stage = core::Stage::AttentionWeights, .query = test::some(0)});
        QVERIFY(kept.keeper.save(path).ok());
        QCOMPARE(test::opened(path).state.lessonStep, core::Index(3));
        bool isWriting = true;
        kept.keeper.setLessonEditor([&isWriting] { return isWriting; });
        QVERIFY(kept.keeper.save(path).ok());
        QCOMPARE(readAll(path), bytes); // nothing of the author's own view is left
        QCOMPARE(kept.document.state().lessonStep, core::Index(3));
        // The editor was closed before saving, but the lesson has changed.
        isWriting = false;
        QVERIFY(kept.document
                    .apply(ui::edits::editStep(
                        kept.document.state(), kept.document.session(), "Step",
                        [](core::LessonStep &step) { step.title = "Another title"; }))
                    .ok());
        QVERIFY(test::setScale(kept.document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(kept.keeper.save(path).ok());
        const ui::OpenedSource again = test::opened(path);
        QCOMPARE(again.session.lesson->steps[3].title, std::string("Another title"));
        QCOMPARE(again.state.lessonStep, core::Index(0));
        QVERIFY(again.state.model.config.scale.kind == core::Scale::Kind::Off); // nothing is lost
        Kept reader(path);
        ui::Document builtIn;
        builtIn.open(test::opened("bank"));
        QVERIFY(reader.document.selection() == builtIn.selection());
    }

    /// A lesson that sets its own text at a later step is saved with the text of its first step.
    void aWrittenLessonIsSavedWithoutWhatALaterStepSets() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("lesson.headlight");
        writeAll(path, ui::lessonFile("bank"));
        Kept kept(path);
        const core::Index last = std::ssize(kept.document.session().lesson->steps) - 1;
        QVERIFY(kept.document.goToStep(last).ok());
        QCOMPARE(kept.document.state().input.batch->count(), core::Index(1));
        kept.keeper.setLessonEditor([] { return true; });
        QVERIFY(kept.keeper.save(path).ok());
        QCOMPARE(readAll(path), ui::lessonFile("bank"));
    }

    /// A name that is not UTF-8 is opened and saved with its original bytes.
    void anyBytesAreAName() {
        const QTemporaryDir folder;
        const std::string bytes = folder.path().toStdString() + "/caf\xE9 \xFF\xC3.headlight";
        QCOMPARE(std::rename(qPrintable(sessionFile(folder.path())), bytes.c_str()), 0);
        const QString path = ui::pathOf(bytes);
        QCOMPARE(ui::bytesOf(path), bytes);
        Kept kept(path);
        QCOMPARE(kept.keeper.path(), path);
        kept.type("a bank by the river");
        QVERIFY(!kept.keeper.hasChangedOnDisk());
        QVERIFY(kept.keeper.save(path).ok());
        QCOMPARE(textIn(path), QString("a bank by the river"));
        DIR *listing = ::opendir(qPrintable(folder.path()));
        QVERIFY(listing);
        std::vector<std::string> names;
        while (const dirent *entry = ::readdir(listing))
            if (entry->d_name[0] != '.')
                names.emplace_back(entry->d_name);
        ::closedir(listing);
        QCOMPARE(names, std::vector<std::string>{"caf\xE9 \xFF\xC3.headlight"});
        // The recovery file stores such a name in JSON.
        const QJsonDocument origin(QJsonObject{{"source", path}});
        QCOMPARE(QJsonDocument::fromJson(origin.toJson())["source"].toString(), path);
        for (const std::string text :
             {"plain", "Füße 水 👩‍👩‍👧", "", "\x80", "\xF0\x9F\x91\xA9\xFF"})
            QCOMPARE(ui::bytesOf(ui::pathOf(text)), text);
    }

    /// Opening a pipe without a writer or reader would block forever.
    void aPipeIsNotWaitedFor() {
        Kept kept;
        kept.type("a bank by the river");
        QVERIFY(QFile::remove(kept.path));
        QCOMPARE(::mkfifo(qPrintable(kept.path), 0600), 0);
        QVERIFY(kept.keeper.hasChangedOnDisk());
        const core::Outcome saved = kept.keeper.save(kept.path);
        QVERIFY(!saved.ok());
        QVERIFY(QString::fromStdString(saved.error().text()).contains("pipe"));
        QVERIFY(kept.document.isModified());
        QVERIFY(!ui::identityOnDisk(kept.path));
        ui::SourceRequest request;
        request.source = kept.path;
        const core::Result<ui::OpenedSource> opened = ui::openSource(request);
        QVERIFY(!opened.ok());
        QVERIFY(QString::fromStdString(opened.error().text()).contains("pipe (FIFO)"));
        QCOMPARE(::unlink(qPrintable(kept.path)), 0);
    }

    void twoWindowsOnOneFileSeeEachOther() {
        Kept one, two(one.path);
        one.type("what the first one wrote");
        QVERIFY(!one.keeper.hasChangedOnDisk());
        QVERIFY(one.keeper.save(one.path).ok());
        QVERIFY(!one.keeper.hasChangedOnDisk());
        QVERIFY(two.keeper.hasChangedOnDisk());
        QFile::remove(one.path);
        QVERIFY(!two.keeper.hasChangedOnDisk()); // the file is missing, so nothing is overwritten
    }

    void aFileThatWasOnlyTouchedHasNotChanged() {
        Kept kept;
        writeAll(kept.path, readAll(kept.path));
        QVERIFY(!kept.keeper.hasChangedOnDisk());
        QByteArray bytes = readAll(kept.path);
        bytes[bytes.indexOf("cat")] = 'b'; // same length as before
        writeAll(kept.path, bytes);
        QVERIFY(kept.keeper.hasChangedOnDisk());
    }

    void aFolderThatRefuses_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("/proc") << "/proc/own.headlight";
        QTest::newRow("not there") << "/nowhere/at/all/own.headlight";
        QTest::newRow("a folder") << "/tmp";
        QTest::newRow("a full device") << "/dev/full";
    }

    void aFolderThatRefuses() {
        QFETCH(QString, path);
        Kept kept;
        const QByteArray before = readAll(kept.path);
        kept.type("not lost");
        const core::Outcome saved = kept.keeper.save(path);
        QVERIFY(!saved.ok());
        QVERIFY(!saved.error().what.empty());
        QVERIFY(QString::fromStdString(saved.error().where).contains(path));
        QVERIFY(!saved.error().remedy.empty());
        QVERIFY(kept.document.isModified());
        QCOMPARE(kept.document.source(), kept.path);
        QCOMPARE(kept.keeper.path(), kept.path);
        QCOMPARE(readAll(kept.path), before);
        QVERIFY(kept.keeper.save(kept.path).ok());
        QCOMPARE(textIn(kept.path), QString("not lost"));
    }

    void aFullDiskLosesNeitherTheFileNorTheWork() {
        const QTemporaryDir folder;
        const TinyDisk disk(folder.path());
        if (!disk.isMounted())
            QSKIP(test::said("a disk cannot be mounted here: %1", strerror(errno)));
        const QString path = sessionFile(folder.path());
        const QByteArray before = readAll(path);
        Kept kept(path);
        const QString text = QString("many words ").repeated(50).trimmed();
        kept.type(text);
        QFile filler(folder.filePath("filler"));
        QVERIFY(filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (filler.write(QByteArray(512, 'x')) > 0) {
        }
        const core::Outcome saved = kept.keeper.save(path);
        QVERIFY(!saved.ok());
        QVERIFY(QString::fromStdString(saved.error().where).contains(path));
        QVERIFY(!saved.error().remedy.empty());
        QCOMPARE(readAll(path), before);
        QVERIFY(kept.document.isModified());
        QVERIFY(!kept.keeper.hasChangedOnDisk());
        const QStringList left = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(left, (QStringList{"filler", "own.headlight"})); // no partial file remains
        QVERIFY(filler.remove());
        QVERIFY(kept.keeper.save(path).ok());
        QCOMPARE(textIn(path), text);
        QVERIFY(!kept.document.isModified());
    }

    void aReadOnlyFileStaysAsItIs() {
        if (::geteuid() == 0)
            QSKIP("root may write everything");
        Kept kept;
        const QByteArray before = readAll(kept.path);
        kept.type("not here");
        QVERIFY(QFile::setPermissions(kept.path, QFile::ReadOwner));
        QVERIFY(!kept.keeper.save(kept.path).ok());
        QCOMPARE(readAll(kept.path), before);
        QVERIFY(kept.document.isModified());
    }

    void unsavedWorkIsKeptUntilItIsSaved() {
        qputenv("HEADLIGHT_AUTOSAVE_MS", "20");
        Kept kept;
        kept.type("kept for a crash");
        HEADLIGHT_UNTIL(QFile::exists(kept.keeper.autosave().path()));
        const QString copy = kept.keeper.autosave().path();
        HEADLIGHT_UNTIL_EQUAL(textIn(copy), QString("kept for a crash"));
        QVERIFY(ui::abandonedWork().empty()); // not offered while this process is running
        kept.type("and this");
        HEADLIGHT_UNTIL_EQUAL(textIn(copy), QString("and this"));
        QVERIFY(kept.keeper.save(kept.path).ok());
        QVERIFY(!QFile::exists(copy));
        QVERIFY(QDir(ui::recoveryFolder()).isEmpty());
        kept.type("more");
        HEADLIGHT_UNTIL(QFile::exists(kept.keeper.autosave().path()));
        while (kept.document.isModified())
            kept.document.undoStack().undo(); // back to the saved state
        QVERIFY(kept.keeper.autosave().path().isEmpty());
        qunsetenv("HEADLIGHT_AUTOSAVE_MS");
    }
};

HEADLIGHT_GUILESS_TEST(KeeperTest)
#include "tst_session_saver.moc"
