// Files that change while a window shows them: the window reports it, never mixes numbers of two
// files, and keeps the user's changes.
#include "core/formats/safetensors/writer.h"
#include "tests/support/shown_texts.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/text_generation.h"
#include "ui/panels/editor/number_table.h"
#include "ui/panels/inspector.h"
#include "ui/views/output_view.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTimer>
#include <QtEndian>

#include <filesystem>

using namespace headlight;
using test::notANumberIn;
using test::paintedTexts;
using test::shownTexts;
using test::WindowFixture;

namespace {

void age(const QString &path) {
    // Sets the time back, so that later writes get another time even on coarse clocks.
    const std::filesystem::path file = path.toStdString();
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) -
                                               std::chrono::seconds(2));
}

/// A copy of the tests' small model.
struct Folder {
    QTemporaryDir files;
    Folder() {
        const QDir whole(HEADLIGHT_TEST_DATA "/folders/llama");
        for (const QString &each : whole.entryList(QDir::Files)) {
            if (!QFile::copy(whole.filePath(each), files.filePath(each)))
                qFatal("cannot copy %s", qPrintable(each));
            QFile::setPermissions(files.filePath(each), QFile::ReadOwner | QFile::WriteOwner);
        }
        age(tensors());
    }
    QString path() const { return files.path(); }
    QString tensors() const { return files.filePath("model.safetensors"); }
    QByteArray content() const {
        QFile file(tensors());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QByteArray &bytes) const {
        QFile file(tensors());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    /// Returns the content with another number in the last tensor.
    QByteArray otherContent() const {
        QByteArray bytes = content();
        bytes[bytes.size() - 1] = bytes[bytes.size() - 1] == 0x3D ? 0x3E : 0x3D;
        return bytes;
    }
};

struct ChangedWindow : WindowFixture {
    explicit ChangedWindow(const QString &source) : WindowFixture(source, "output") {}

    ui::Document &document() { return window.document(); }
    QFrame *bar() const { return find<QFrame>("messageBar"); }
    bool saysChanged(const QString &file) const {
        return bar()->isVisible() &&
               find<QLabel>("problem")->text() == QString("“%1” changed on disk").arg(file);
    }
    QPushButton *offer(const QString &words) const {
        for (QPushButton *each : bar()->findChildren<QPushButton *>())
            if (each->isVisible() && each->text() == words && each->accessibleName() == words)
                return each;
        qFatal("no button %s", qPrintable(words));
    }
    QString text() { return QString::fromStdString((*document().state().input.batch)[0].text); }
    void apply(const QString &words) {
        const core::Outcome typed =
            document().apply(ui::edits::setText(document().state(), document().textId(), words));
        QVERIFY(typed.ok());
    }
    ui::TextGeneration &writer() {
        window.showView("output");
        return static_cast<ui::OutputView *>(view())->writer();
    }
    /// Checks that the mark is visible and does not cover the last picture.
    void checkMarkIsSmall() {
        const QImage image = view()->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QRgb mark = view()->figureStyle().selection.rgb();
        qint64 marked = 0;
        for (int y = 0; y < image.height(); ++y) {
            const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
            marked += std::count(line, line + image.width(), mark);
        }
        QVERIFY(marked > 500);
        QVERIFY(marked < qint64(image.width()) * image.height() / 10);
    }
    void checkNoNan() {
        for (const QStringList &texts : {shownTexts(window), paintedTexts(window)})
            QVERIFY2(notANumberIn(texts).isEmpty(), qPrintable(notANumberIn(texts)));
    }
};

/// A capture of three layers with 16 heads of 1024 tokens. All its numbers are 0 and take no space
/// on the disk.
void writeHoles(const QString &path) {
    constexpr qint64 kLayer = qint64(16) * 1024 * 1024 * 4;
    QStringList tensors;
    for (qint64 layer = 0; layer < 3; ++layer)
        tensors << QStringLiteral(R"("attentions.%1":{"dtype":"F32","shape":[16,1024,1024],)"
                                  R"("data_offsets":[%2,%3]})")
                       .arg(layer)
                       .arg(layer * kLayer)
                       .arg((layer + 1) * kLayer);
    const QByteArray header = '{' + tensors.join(',').toUtf8() + '}';
    QByteArray length(8, '\0');
    qToLittleEndian(static_cast<quint64>(header.size()), length.data());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(length + header) < 0 ||
        !file.resize(length.size() + header.size() + 3 * kLayer))
        qFatal("cannot write %s", qPrintable(path));
    file.close();
    age(path);
}

/// Answers the next question of that name with the button.
void answerNext(const QString &box, const QString &button) {
    QTimer::singleShot(0, qApp, [=] {
        auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
        if (!question || question->objectName() != box)
            qFatal("no question %s", qPrintable(box));
        for (QAbstractButton *each : question->buttons())
            if (each->text().remove('&') == button)
                return each->click();
        qFatal("no answer %s", qPrintable(button));
    });
}

} // namespace

class WindowChangedFilesTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { QSettings().clear(); }

    void aModelThatIsCutShortIsToldWithoutAnyPass() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const core::TracePointer trace = fixture.document().trace();
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(fixture.find<QLabel>("problemMore")->text().contains(folder.tensors()));
        QVERIFY(fixture.document().changedFile());
        QCOMPARE(fixture.document().trace(), trace); // still the last picture
        (void)fixture.view()->figure();
        QVERIFY(fixture.view()->accessibleDescription().startsWith("Out of date"));
        fixture.view()->setFocus();
        QVERIFY(fixture.view()->hasFocus());
        fixture.checkMarkIsSmall();
        // Hidden until the file changes again.
        QTest::mouseClick(fixture.offer("Keep the last picture"), Qt::LeftButton);
        QVERIFY(!fixture.bar()->isVisible());
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
    }

    void textAndPictureAreOfOnePass() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const QString before = fixture.text();
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        fixture.apply(before + " 9");
        HEADLIGHT_UNTIL(fixture.text() == before);
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        fixture.settle();
        QVERIFY(fixture.document().state().input.batch ==
                fixture.document().trace()->input().batch);
        QVERIFY(fixture.find<QLabel>("message")->text().contains("undone"));
        QVERIFY(fixture.document().undoStack().canRedo()); // the edit can be redone
    }

    void writingEndsAndSaysWhy() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        QVERIFY(fixture.writer().start(5, {}).ok());
        HEADLIGHT_UNTIL(!fixture.writer().isWriting());
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        fixture.settle();
        // Once more, with the button.
        QTest::mouseClick(fixture.find<QToolButton>("writeOn"), Qt::LeftButton);
        HEADLIGHT_UNTIL(!fixture.writer().isWriting());
        QVERIFY(!fixture.find<QToolButton>("writeOn")->text().contains("Stop"));
        fixture.settle();
        QVERIFY(fixture.document().state().input.batch ==
                fixture.document().trace()->input().batch);
    }

    void noNumberIsNan() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        for (QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            if (dock->objectName() == "editorDock" || dock->objectName() == "inspectorDock")
                dock->show();
        core::Selection selection = fixture.document().selection();
        selection.stage = core::Stage::Query;
        selection.query = selection.dimension = 0;
        selection.opened = true;
        fixture.document().select(selection);
        fixture.settle();
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        for (const char *view : {"heads", "flow", "output", "geometry", "similarity", "words"}) {
            fixture.window.showView(view);
            (void)fixture.window.grab();
            fixture.settle();
            fixture.checkNoNan();
        }
    }

    void reloadOpensTheNewFileWithWhatThePersonDid() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        fixture.apply("3 5 7");
        fixture.settle();
        const core::Tensor before = fixture.document().trace()->stage(core::Stage::Logits);
        folder.write(folder.otherContent());
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.document().changedFile());
        QCOMPARE(fixture.text(), QString("3 5 7"));
        QVERIFY(fixture.document().isModified());
        const core::Tensor now = fixture.document().trace()->stage(core::Stage::Logits);
        QVERIFY(!std::ranges::equal(now.values(), before.values()));
        QCOMPARE(QFileInfo(fixture.document().source()).canonicalFilePath(),
                 QFileInfo(folder.path()).canonicalFilePath());
        // The new file is watched like the old one.
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
    }

    void aFileThatCannotBeReadAgainLosesNothing() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        fixture.apply("3 5 7");
        fixture.settle();
        const QByteArray whole = folder.content();
        QVERIFY(QFile::resize(folder.tensors(), 20));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        HEADLIGHT_UNTIL(!fixture.window.isReading());
        QCOMPARE(fixture.text(), QString("3 5 7"));
        QVERIFY(fixture.bar()->isVisible());
        folder.write(whole);
        QTest::mouseClick(fixture.offer("Try again"), Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.text(), QString("3 5 7"));
        QVERIFY(!fixture.document().changedFile());
    }

    void aModelThatIsReplacedOrDeletedIsTold_data() {
        QTest::addColumn<bool>("replaced");
        QTest::newRow("replaced") << true;
        QTest::newRow("deleted") << false;
    }
    void aModelThatIsReplacedOrDeletedIsTold() {
        QFETCH(bool, replaced);
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const QString before = fixture.text();
        if (replaced) {
            const QString other = folder.files.filePath("other");
            QVERIFY(QFile::copy(folder.tensors(), other));
            std::filesystem::rename(other.toStdString(), folder.tensors().toStdString());
        } else {
            QVERIFY(QFile::remove(folder.tensors()));
        }
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(fixture.find<QLabel>("problemMore")
                    ->text()
                    .contains(replaced ? "replaced" : "deleted or moved"));
        fixture.apply(before + " 9");
        HEADLIGHT_UNTIL(fixture.text() == before);
    }

    void aFileThatIsPutBackIsAsItWas() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const QString away = folder.files.filePath("away");
        QVERIFY(QFile::rename(folder.tensors(), away));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(QFile::rename(away, folder.tensors()));
        HEADLIGHT_UNTIL(!fixture.bar()->isVisible());
        QVERIFY(!fixture.document().changedFile());
        fixture.apply("3 5 7");
        fixture.settle();
        QCOMPARE(fixture.text(), QString("3 5 7"));
    }

    /// The file is restored before anything reads it again.
    void aFileThatIsPutBackAtOnceIsAsItWas_data() {
        QTest::addColumn<bool>("aPassFindsIt");
        QTest::newRow("after a pass has met with it") << true;
        QTest::newRow("while the session is saved") << false;
    }
    void aFileThatIsPutBackAtOnceIsAsItWas() {
        QFETCH(bool, aPassFindsIt);
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const QString away = folder.files.filePath("away");
        QVERIFY(QFile::rename(folder.tensors(), away));
        if (aPassFindsIt)
            fixture.apply("3 5 7");
        HEADLIGHT_UNTIL(fixture.document().changedFile());
        QVERIFY(QFile::rename(away, folder.tensors()));
        if (!aPassFindsIt)
            QVERIFY(fixture.window.saveIn(folder.files.filePath("mine.headlight")));
        HEADLIGHT_UNTIL(!fixture.document().changedFile());
        QVERIFY(!fixture.bar()->isVisible());
    }

    void aSessionThatSomebodyElseWritesCanBeReloaded_data() {
        QTest::addColumn<bool>("modified");
        QTest::newRow("saved version") << false;
        QTest::newRow("with unsaved changes") << true;
    }
    void aSessionThatSomebodyElseWritesCanBeReloaded() {
        QFETCH(bool, modified);
        const QTemporaryDir files;
        const QString path = files.filePath("mine.headlight");
        ChangedWindow fixture("cat");
        QVERIFY(fixture.window.saveIn(path));
        QVERIFY(!fixture.bar()->isVisible()); // this window made the change
        ChangedWindow other(path);
        other.apply("somebody else wrote this");
        other.settle();
        if (modified) {
            fixture.apply("and this is mine");
            fixture.settle();
        }
        QVERIFY(other.window.saveIn(path));
        HEADLIGHT_UNTIL(fixture.saysChanged("mine.headlight"));
        QVERIFY(!other.bar()->isVisible());
        QVERIFY(!fixture.document().changedFile()); // everything is in memory
        const QList<QPushButton *> buttons = fixture.bar()->findChildren<QPushButton *>();
        QCOMPARE(buttons[0]->text(), modified ? QString("Keep what is open") : QString("Reload"));
        if (modified) {
            answerNext("revertQuestion", "Cancel");
            QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
            QCOMPARE(fixture.text(), QString("and this is mine"));
            QVERIFY(fixture.document().isModified());
            return;
        }
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.text(), QString("somebody else wrote this"));
        QVERIFY(!fixture.bar()->isVisible());
    }

    /// A file with a new time but the same content is not reported.
    void aSessionThatIsOnlyTouchedIsNotTold() {
        const QTemporaryDir files;
        const QString path = files.filePath("mine.headlight"), next = files.filePath("b.headlight");
        ChangedWindow fixture("cat");
        QVERIFY(fixture.window.saveIn(path));
        age(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray whole = file.readAll();
        QVERIFY(file.resize(0) && file.seek(0) && file.write(whole) == whole.size());
        file.close();
        // Waits for a later change that is reported.
        HEADLIGHT_UNTIL(!fixture.saysChanged("mine.headlight"));
        QVERIFY(file.open(QIODevice::Append) && file.write(" ") == 1);
        file.close();
        HEADLIGHT_UNTIL(fixture.saysChanged("mine.headlight"));
    }

    void aCaptureThatIsWrittenAgainCanBeReloaded() {
        const QTemporaryDir files;
        const QString path = files.filePath("capture.safetensors");
        const auto bytes = core::safetensorsBytes(
            {{"attentions.0",
              {core::Shape{1, 3, 3},
               {0.5F, 0.25F, 0.25F, 0.25F, 0.5F, 0.25F, 0.25F, 0.25F, 0.5F}}}},
            {{"tokens", R"(["The"," cat"," sat"])"}});
        QVERIFY(bytes.ok());
        QFile made(path);
        QVERIFY(made.open(QIODevice::WriteOnly) &&
                made.write(bytes->data(), static_cast<qint64>(bytes->size())) > 0);
        made.close();
        age(path);
        WindowFixture fixture(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray whole = file.readAll();
        QVERIFY(file.seek(0) && file.write(whole) == whole.size());
        file.close();
        auto *bar = fixture.find<QFrame>("messageBar");
        HEADLIGHT_UNTIL(bar->isVisible() && fixture.find<QLabel>("problem")->text().contains(
                                                "capture.safetensors” changed on disk"));
        QVERIFY(!fixture.window.document().changedFile()); // its numbers are in memory
        const core::TracePointer before = fixture.window.document().trace();
        QTest::mouseClick(fixture.find<QPushButton>("problemOffer"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.window.document().trace() != before);
        QVERIFY2(!bar->isVisible(), qPrintable(fixture.find<QLabel>("problem")->text()));
    }

    /// More than 128 MB, all of it holes: only the layer that is looked at is read.
    void aLargeCaptureThatIsCutKeepsItsPicture() {
        const QTemporaryDir files;
        const QString path = files.filePath("large.safetensors");
        writeHoles(path);
        const qint64 whole = QFileInfo(path).size();
        ChangedWindow fixture(path);
        fixture.window.showView("heads");
        fixture.settle();
        const core::TracePointer trace = fixture.document().trace();
        QVERIFY(QFile::resize(path, 1'000'000));
        HEADLIGHT_UNTIL(fixture.saysChanged("large.safetensors"));
        QVERIFY(fixture.document().changedFile());
        QCOMPARE(fixture.document().trace(), trace); // the last picture
        (void)fixture.view()->figure();
        QVERIFY(fixture.view()->accessibleDescription().startsWith("Out of date"));
        // Another layer cannot be read: no number of it is made up.
        core::Selection selection = fixture.document().selection();
        selection.layer = 1;
        selection.head = 3;
        fixture.document().select(selection);
        HEADLIGHT_UNTIL(!fixture.document().isPreparing());
        QCOMPARE(fixture.document().selection().layer, core::Index(0));
        (void)fixture.window.grab();
        fixture.checkNoNan();
        QVERIFY(fixture.bar()->isVisible());
        // As long as before, but another file by its time.
        QVERIFY(QFile::resize(path, whole));
        HEADLIGHT_UNTIL(fixture.saysChanged("large.safetensors"));
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.document().changedFile());
        QVERIFY(fixture.document().trace() != trace);
        fixture.document().select(selection);
        HEADLIGHT_UNTIL(!fixture.document().isPreparing());
        QCOMPARE(fixture.document().selection().layer, core::Index(1));
    }
};

HEADLIGHT_WIDGET_TEST(WindowChangedFilesTest)
#include "tst_window_changed_files.moc"
