// The window never overwrites its inputs: tries every kind of save on every kind of input, under
// another name of the file.
#include "core/formats/pretrained/pretrained_folder.h"
#include "core/formats/safetensors/writer.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/files_read.h"
#include "ui/panels/inspector.h"
#include "ui/window/save_figure_dialog.h"
#include "ui/window/worksheet/worksheet_dialog.h"

#include <QPrinter>

using test::readAll;

namespace {

/// A way to save: writes to the path and returns the problem that is shown, or an empty text if it
/// was saved.
struct Save {
    const char *name;
    const char *suffix;
    std::function<QString(WindowFixture &, const QString &)> run;
};

QString worksheetProblem(WindowFixture &fixture,
                         const std::function<core::Outcome(ui::WorksheetDialog &)> &save) {
    const ui::Document &document = fixture.document();
    ui::WorksheetDialog dialog(document.snapshot({}).session, document.state(),
                               ui::filesReadBy(document), &fixture.window);
    dialog.show();
    const auto *problem = dialog.findChild<QLabel *>("worksheetProblem");
    // A capture has no tasks, so the dialog shows that problem instead.
    (void)test::until([&] { return dialog.isReady() || problem->isVisible(); });
    const core::Outcome saved = save(dialog);
    if (!saved)
        return QString::fromStdString(saved.error().text());
    return problem->isVisible() ? problem->text() : QString();
}

void printTo(QPrinter &printer, const QString &path) {
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName(path);
}

const QList<Save> &allSaves() {
    static const QList<Save> saves{
        {"session", "headlight",
         [](WindowFixture &fixture, const QString &path) {
             return fixture.window.saveIn(path) ? QString()
                                                : fixture.find<QLabel>("problem")->text() +
                                                      fixture.find<QLabel>("problemMore")->text();
         }},
        {"figure", "png",
         [](WindowFixture &fixture, const QString &path) {
             ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
             auto *format = dialog.findChild<QComboBox *>("figureFormat");
             format->setCurrentIndex(format->findData("png"));
             dialog.saveTo(path);
             return dialog.savedPath() == path ? QString()
                                               : dialog.findChild<QLabel *>("problem")->text();
         }},
        {"matrix", "csv",
         [](WindowFixture &fixture, const QString &path) {
             const core::Outcome saved = fixture.find<ui::Inspector>("inspector")->saveMatrix(path);
             return saved ? QString() : QString::fromStdString(saved.error().text());
         }},
        {"worksheet", "pdf",
         [](WindowFixture &fixture, const QString &path) {
             return worksheetProblem(fixture, [&](ui::WorksheetDialog &dialog) -> core::Outcome {
                 dialog.saveTo(path);
                 return core::Done{};
             });
         }},
        {"figure printed to a file", "pdf",
         [](WindowFixture &fixture, const QString &path) {
             QPrinter printer(QPrinter::HighResolution);
             printTo(printer, path);
             const core::Outcome printed = fixture.window.print(printer);
             return printed ? QString() : QString::fromStdString(printed.error().text());
         }},
        {"worksheet printed to a file", "pdf",
         [](WindowFixture &fixture, const QString &path) {
             return worksheetProblem(fixture, [&](ui::WorksheetDialog &dialog) -> core::Outcome {
                 QPrinter printer(QPrinter::HighResolution);
                 printTo(printer, path);
                 return dialog.print(printer);
             });
         }},
    };
    return saves;
}

/// A kind of input: opens it in the window and returns the file that must be kept.
struct ReadInput {
    const char *name;
    std::function<QString(WindowFixture &, const QDir &)> open;
};

/// Saves a picture that contains its session.
QString madeFigure(WindowFixture &fixture, const QDir &folder) {
    const QString path = folder.filePath("own.png");
    ui::SaveFigureDialog dialog(*fixture.view(), &fixture.window);
    auto *format = dialog.findChild<QComboBox *>("figureFormat");
    format->setCurrentIndex(format->findData("png"));
    dialog.saveTo(path);
    return dialog.savedPath();
}

void untilEdited(WindowFixture &fixture) {
    const QUndoStack &stack = fixture.document().undoStack();
    if (!test::until([&] { return stack.count() == 1; }))
        qFatal("not imported");
    fixture.settle();
}

QString redPicture(const QDir &folder) {
    const QString path = folder.filePath("red.png");
    QImage red(20, 12, QImage::Format_RGB888);
    red.fill(QColor(255, 0, 0));
    if (!red.save(path))
        qFatal("no picture");
    return path;
}

const QList<ReadInput> &allInputs() {
    static const QList<ReadInput> inputs{
        {"own source",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = madeFigure(fixture, folder);
             fixture.open(path);
             return path;
         }},
        {"file of the model's folder",
         [](WindowFixture &fixture, const QDir &folder) {
             if (!folder.mkpath("model"))
                 qFatal("not a folder");
             test::copyFolder(HEADLIGHT_TEST_DATA "/folders/llama", folder.filePath("model"));
             fixture.open(folder.filePath("model"));
             return folder.filePath("model/config.json");
         }},
        {"capture",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = folder.filePath("capture.safetensors");
             const auto bytes = core::safetensorsBytes(
                 {{"attentions.0",
                   {core::Shape{1, 2, 2}, std::vector<float>{0.5F, 0.5F, 0.25F, 0.75F}}}},
                 {{"tokens", R"(["The"," cat"])"}});
             if (!bytes)
                 qFatal("no capture");
             test::writeAll(path, QByteArray::fromStdString(*bytes));
             fixture.open(path);
             return path;
         }},
        {"pinned side A",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = test::sessionFile(folder.path());
             fixture.open(path);
             fixture.document().comparison().pin();
             fixture.open("bank");
             return path;
         }},
        {"imported word vectors",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = folder.filePath("vectors.txt");
             test::writeAll(path, "bank 4 5\nmoney 6 -7.5\n");
             fixture.window.importVectors(path);
             untilEdited(fixture);
             return path;
         }},
        {"opened picture",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = redPicture(folder);
             fixture.open(HEADLIGHT_TEST_DATA "/folders/vit");
             fixture.window.openPicture(path);
             untilEdited(fixture);
             return path;
         }},
        {"picture that opened the other model of a folder",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = redPicture(folder);
             fixture.open(HEADLIGHT_TEST_DATA "/folders/clip");
             fixture.window.openPicture(path);
             if (!test::until([&] {
                     return fixture.document().session().pretrained->tower == core::Tower::Pictures;
                 }))
                 qFatal("not opened");
             fixture.settle();
             return path;
         }},
        {"opened audio",
         [](WindowFixture &fixture, const QDir &folder) {
             const QString path = folder.filePath("tone.wav");
             test::writeAll(path, readAll(HEADLIGHT_TEST_DATA "/../fuzz/seeds/wav/mono16.wav"));
             fixture.open(HEADLIGHT_TEST_DATA "/folders/whisper");
             fixture.window.openSound(path);
             untilEdited(fixture);
             return path;
         }},
    };
    return inputs;
}

} // namespace

class WindowInputsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void noSaveLosesAnInput_data() {
        test::addColumns<int, int>({"input", "save"});
        for (int input = 0; input < allInputs().size(); ++input)
            for (int save = 0; save < allSaves().size(); ++save)
                QTest::addRow("%s: %s", allInputs()[input].name, allSaves()[save].name)
                    << input << save;
    }
    void noSaveLosesAnInput() {
        QFETCH(int, input);
        QFETCH(int, save);
        const QTemporaryDir folder;
        WindowFixture fixture("bank", "close-up");
        const QString path = allInputs()[input].open(fixture, QDir(folder.path()));
        const QByteArray before = readAll(path);
        QVERIFY(!before.isEmpty());
        const QString link = folder.filePath("link." + QString(allSaves()[save].suffix));
        QVERIFY(QFile::link(path, link));
        const QString problem = allSaves()[save].run(fixture, link);
        QCOMPARE(readAll(path), before);
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(test::says(problem, "would be overwritten"));
        QVERIFY(test::says(problem, link));
        QVERIFY(test::says(problem, path));
    }

    /// Every kind of save succeeds on a new file next to the inputs, so the refusals above have the
    /// right reason.
    void anotherFileIsWritten_data() {
        QTest::addColumn<int>("save");
        for (int save = 0; save < allSaves().size(); ++save)
            QTest::newRow(allSaves()[save].name) << save;
    }
    void anotherFileIsWritten() {
        QFETCH(int, save);
        const QTemporaryDir folder;
        WindowFixture fixture("bank", "close-up");
        const QString path = folder.filePath("other." + QString(allSaves()[save].suffix));
        test::writeAll(path, "an earlier one");
        const QString problem = allSaves()[save].run(fixture, path);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QVERIFY(readAll(path) != "an earlier one");
    }
};

HEADLIGHT_WIDGET_TEST(WindowInputsTest)
#include "tst_window_inputs.moc"
