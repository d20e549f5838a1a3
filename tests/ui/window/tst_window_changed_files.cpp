// Files that change while a window shows or trains them: the window reports it, never mixes numbers
// of two files, and keeps the user's changes.
#include "core/formats/files/file_stamp.h"
#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/support/shown_texts.h"
#include "tests/support/training.h"
#include "tests/ui/window/answers.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/training_controller.h"

using test::notANumberIn;
using test::paintedTexts;
using test::shownTexts;

namespace {

/// A copy of one of the tests' small models.
struct Folder {
    QTemporaryDir files;
    explicit Folder(const QString &name = "llama") {
        test::copyFolder(HEADLIGHT_TEST_DATA "/folders/" + name, files.path());
        test::age(tensors());
    }
    QString path() const { return files.path(); }
    QString tensors() const { return files.filePath("model.safetensors"); }
    QByteArray content() const { return test::readAll(tensors()); }
    void write(const QByteArray &bytes) const { test::writeAll(tensors(), bytes); }
    /// Returns the content with a changed number in the last tensor.
    QByteArray otherContent() const {
        QByteArray bytes = content();
        bytes[bytes.size() - 1] = bytes[bytes.size() - 1] == 0x3D ? 0x3E : 0x3D;
        return bytes;
    }
};

struct ChangedWindow : WindowFixture {
    explicit ChangedWindow(const QString &source, const QString &view = "output")
        : WindowFixture(source, view) {}

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
        QVERIFY(document()
                    .apply(ui::edits::setText(document().state(), document().textId(), words))
                    .ok());
    }
    ui::TextGeneration &writer() {
        window.showView("output");
        return static_cast<ui::OutputView *>(view())->writer();
    }
    /// Checks that the mark of an outdated figure is visible, but does not cover the picture.
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

/// A small GPT-2 with the words of a task, and a session that trains it. Headlight does not write
/// such sessions, but they can be written by hand.
struct TrainedFolder {
    QTemporaryDir files;

    TrainedFolder() {
        const core::TaskPointer task = core::findTask("previous-token");
        const auto words = static_cast<core::Index>(task->info().words.size());
        QDir(files.path()).mkpath("model");
        put("model/config.json", QJsonObject{{"model_type", "gpt2"},
                                             {"n_embd", int(kWidth)},
                                             {"n_head", 1},
                                             {"n_layer", 1},
                                             {"n_positions", 16},
                                             {"vocab_size", int(words)},
                                             {"activation_function", "gelu_new"}});
        QJsonArray list;
        for (const std::string &word : task->info().words)
            list << QString::fromStdString(word);
        put("model/vocabulary.json", QJsonDocument(list).toJson());
        const auto bytes =
            core::safetensorsBytes({{"wte.weight", drawn({words, kWidth})},
                                    {"wpe.weight", drawn({16, kWidth})},
                                    {"h.0.ln_1.weight", drawn({kWidth})},
                                    {"h.0.ln_1.bias", drawn({kWidth})},
                                    {"h.0.attn.c_attn.weight", drawn({kWidth, 3 * kWidth})},
                                    {"h.0.attn.c_attn.bias", drawn({3 * kWidth})},
                                    {"h.0.attn.c_proj.weight", drawn({kWidth, kWidth})},
                                    {"h.0.attn.c_proj.bias", drawn({kWidth})},
                                    {"h.0.ln_2.weight", drawn({kWidth})},
                                    {"h.0.ln_2.bias", drawn({kWidth})},
                                    {"h.0.mlp.c_fc.weight", drawn({kWidth, 4 * kWidth})},
                                    {"h.0.mlp.c_fc.bias", drawn({4 * kWidth})},
                                    {"h.0.mlp.c_proj.weight", drawn({4 * kWidth, kWidth})},
                                    {"h.0.mlp.c_proj.bias", drawn({kWidth})},
                                    {"ln_f.weight", drawn({kWidth})},
                                    {"ln_f.bias", drawn({kWidth})}},
                                   {});
        put("model/model.safetensors", QByteArray::fromStdString(test::valueOf(bytes)));
        test::age(tensors());
        core::Recipe recipe = task->info().recipe;
        recipe.batch = 4;
        recipe.steps = 100'000;
        recipe.architecture.width = kWidth;
        ui::Document trained;
        trained.open(test::trainingSession(recipe));
        const std::string made = trained.snapshot("training").bytes();
        QJsonObject session = QJsonDocument::fromJson(QByteArray::fromStdString(made)).object();
        session.remove("model");
        session["pretrained"] = QJsonObject{{"folder", "model"}};
        put("run.headlight", session);
    }

    QString session() const { return files.filePath("run.headlight"); }
    QString tensors() const { return files.filePath("model/model.safetensors"); }

  private:
    static constexpr core::Index kWidth = 8;

    static core::Tensor drawn(const core::Shape &shape) {
        static core::Random random(7);
        std::vector<float> numbers(static_cast<std::size_t>(shape.count()));
        for (float &number : numbers)
            number = 0.1F * static_cast<float>(random.normal());
        return {shape, std::move(numbers)};
    }
    void put(const QString &name, const QJsonObject &object) const {
        put(name, QJsonDocument(object).toJson());
    }
    void put(const QString &name, const QByteArray &bytes) const {
        test::writeAll(files.filePath(name), bytes);
    }
};

struct TrainedWindow : ChangedWindow {
    explicit TrainedWindow(const TrainedFolder &folder)
        : ChangedWindow(folder.session(), "training") {}

    ui::TrainingController &controller() const {
        return window.findChild<ui::TrainingView *>()->controller();
    }
    core::Index step() { return document().state().training->step; }
};

} // namespace

class WindowChangedFilesTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void aModelThatIsCutShortIsToldWithoutAnyPass() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const core::TracePointer trace = fixture.document().trace();
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(fixture.problem().contains(folder.tensors()));
        QVERIFY(fixture.document().changedFile());
        QCOMPARE(fixture.document().trace(), trace); // the last trace is still shown
        (void)fixture.view()->figure();
        QVERIFY(fixture.view()->accessibleDescription().startsWith("Out of date"));
        fixture.view()->setFocus();
        QVERIFY(fixture.view()->hasFocus());
        fixture.checkMarkIsSmall();
        // The message is hidden until the file changes again.
        QTest::mouseClick(fixture.offer("Keep the last picture"), Qt::LeftButton);
        QVERIFY(!fixture.bar()->isVisible());
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
    }

    void writingEndsAndSaysWhy() {
        const Folder folder;
        ChangedWindow fixture(folder.path());
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        QVERIFY(fixture.writer().start(5, {}).ok());
        HEADLIGHT_UNTIL(!fixture.writer().isWriting());
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        fixture.settle();
        // Generates again, with the button.
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
        test::select(fixture.document(),
                     {.stage = core::Stage::Query, .query = 0, .dimension = 0, .opened = true});
        fixture.settle();
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        for (const char *view :
             {"close-up", "heads", "whole", "output", "geometry", "similarity", "words"}) {
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
        // The new file is watched, too.
        QVERIFY(QFile::resize(folder.tensors(), 2000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
    }

    void reloadKeepsThePictureThatAFolderWasOpenedWith() {
        const Folder folder("clip");
        ChangedWindow fixture(folder.path(), {});
        const QString path = folder.files.filePath("red.png");
        QImage red(20, 12, QImage::Format_RGB888);
        red.fill(QColor(255, 0, 0));
        QVERIFY(red.save(path));
        fixture.window.openPicture(path); // opens the model of pictures
        fixture.settle();
        QVERIFY(fixture.document().session().pretrained->tower == core::Tower::Pictures);
        QVERIFY(!fixture.document().isModified());
        const core::Tensor pixels = fixture.document().trace()->stage(core::Stage::Embeddings);
        folder.write(folder.otherContent());
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.document().changedFile());
        QVERIFY(fixture.document().session().pretrained->tower == core::Tower::Pictures);
        const core::Tensor again = fixture.document().trace()->stage(core::Stage::Embeddings);
        QVERIFY(std::ranges::equal(again.values(), pixels.values()));
        QVERIFY(!fixture.document().isModified());
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

    void aFileThatIsPutBackIsAsItWas_data() {
        test::addRows("when", QStringList{"told", "after a pass has met with it",
                                          "while the session is saved"});
    }
    void aFileThatIsPutBackIsAsItWas() {
        QFETCH(QString, when);
        const Folder folder;
        ChangedWindow fixture(folder.path());
        const QString away = folder.files.filePath("away");
        QVERIFY(QFile::rename(folder.tensors(), away));
        if (when.startsWith("after"))
            fixture.apply("3 5 7");
        HEADLIGHT_UNTIL(fixture.document().changedFile());
        if (when == "told")
            HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(QFile::rename(away, folder.tensors()));
        if (when.startsWith("while"))
            QVERIFY(fixture.window.saveIn(folder.files.filePath("mine.headlight")));
        HEADLIGHT_UNTIL(!fixture.document().changedFile());
        HEADLIGHT_UNTIL(!fixture.bar()->isVisible());
        fixture.apply("3 5 9");
        fixture.settle();
        QCOMPARE(fixture.text(), QString("3 5 9"));
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
        QVERIFY(!fixture.bar()->isVisible()); // no message, because this window wrote the file
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
            const test::Answer answer("revertQuestion", "Cancel");
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

    /// A file is not reported if only its time changes.
    void aSessionThatIsOnlyTouchedIsNotTold() {
        const QTemporaryDir files;
        const QString path = files.filePath("mine.headlight");
        ChangedWindow fixture("cat");
        QVERIFY(fixture.window.saveIn(path));
        test::age(path);
        const QByteArray whole = test::readAll(path);
        test::writeAll(path, whole);
        // The first change that is reported is a later one.
        HEADLIGHT_UNTIL(!fixture.saysChanged("mine.headlight"));
        test::writeAll(path, whole + ' ');
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
        test::writeAll(path, QByteArray::fromStdString(*bytes));
        test::age(path);
        WindowFixture fixture(path);
        test::writeAll(path, test::readAll(path));
        auto *bar = fixture.find<QFrame>("messageBar");
        HEADLIGHT_UNTIL(bar->isVisible() &&
                        fixture.problem().contains("capture.safetensors” changed on disk"));
        QVERIFY(!fixture.document().changedFile()); // a small capture is in memory
        const core::TracePointer before = fixture.document().trace();
        fixture.click("problemOffer");
        QVERIFY(fixture.document().trace() != before);
        QVERIFY2(!bar->isVisible(), qPrintable(fixture.find<QLabel>("problem")->text()));
    }

    /// The capture is sparse and larger than 128 MB, so only the viewed layer is read.
    void aLargeCaptureThatIsCutKeepsItsPicture() {
        const QTemporaryDir files;
        const QString path = files.filePath("large.safetensors");
        test::writeHoles(path, 3, 16, 1024);
        const qint64 whole = QFileInfo(path).size();
        ChangedWindow fixture(path);
        fixture.window.showView("heads");
        fixture.settle();
        const core::TracePointer trace = fixture.document().trace();
        QVERIFY(QFile::resize(path, 1'000'000));
        HEADLIGHT_UNTIL(fixture.saysChanged("large.safetensors"));
        QVERIFY(fixture.document().changedFile());
        QCOMPARE(fixture.document().trace(), trace); // the last picture is still shown
        (void)fixture.view()->figure();
        QVERIFY(fixture.view()->accessibleDescription().startsWith("Out of date"));
        // Another layer cannot be read, and none of its numbers is invented.
        fixture.select({.head = 3, .layer = 1});
        HEADLIGHT_UNTIL(!fixture.document().isPreparing());
        QCOMPARE(fixture.document().selection().layer, core::Index(0));
        (void)fixture.window.grab();
        fixture.checkNoNan();
        QVERIFY(fixture.bar()->isVisible());
        // The size is as before, but the time shows that it is another file.
        QVERIFY(QFile::resize(path, whole));
        HEADLIGHT_UNTIL(fixture.saysChanged("large.safetensors"));
        QTest::mouseClick(fixture.offer("Reload"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.document().changedFile());
        QVERIFY(fixture.document().trace() != trace);
        fixture.select({.head = 3, .layer = 1});
        HEADLIGHT_UNTIL(!fixture.document().isPreparing());
        QCOMPARE(fixture.document().selection().layer, core::Index(1));
    }

    /// The file is read when training begins.
    void aFileThatIsCutBeforeRefusesTraining() {
        const TrainedFolder folder;
        TrainedWindow fixture(folder);
        QCOMPARE(fixture.controller().unavailableReason(), QString());
        QSignalSpy failed(&fixture.controller(), &ui::TrainingController::failed);
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        QVERIFY(fixture.controller().start().ok());
        HEADLIGHT_UNTIL(!fixture.controller().isRunning());
        QCOMPARE(failed.count(), 1);
        QVERIFY(core::isChangedFile(failed[0][0].value<core::Error>()));
        QCOMPARE(fixture.step(), core::Index(0));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        QVERIFY(fixture.document().changedFile());
    }

    void aFileThatIsCutMeanwhileIsToldAndTrainingGoesOn() {
        const TrainedFolder folder;
        TrainedWindow fixture(folder);
        QSignalSpy failed(&fixture.controller(), &ui::TrainingController::failed);
        QVERIFY(fixture.controller().start().ok());
        HEADLIGHT_UNTIL(fixture.step() > 0);
        QVERIFY(QFile::resize(folder.tensors(), 1000));
        HEADLIGHT_UNTIL(fixture.saysChanged("model.safetensors"));
        const core::Index before = fixture.step();
        HEADLIGHT_UNTIL(fixture.step() > before);
        fixture.controller().pause();
        QVERIFY(test::idle(fixture.controller()));
        fixture.settle();
        QCOMPARE(failed.count(), 0);
        (void)fixture.window.grab();
        fixture.checkNoNan();
    }
};

HEADLIGHT_WIDGET_TEST(WindowChangedFilesTest)
#include "tst_window_changed_files.moc"
