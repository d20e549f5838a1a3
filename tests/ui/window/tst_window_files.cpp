// Several windows, files that are opened, dropped and listed as recent, and printing.
#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/support/dragging.h"
#include "tests/ui/window/answers.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/figure_saving.h"

#include <QPrinter>

namespace {

QString sessionIn(const QTemporaryDir &folder, const QString &name, const QByteArray &bytes) {
    test::writeAll(folder.filePath(name), bytes);
    return folder.filePath(name);
}

void drop(ui::MainWindow &window, const QUrl &url) {
    QMimeData data;
    data.setUrls({url});
    QVERIFY(test::dragOnto(window, {50, 200}, data));
}

void drop(ui::MainWindow &window, const QString &path) {
    drop(window, QUrl::fromLocalFile(path));
}

QList<ui::MainWindow *> windows() {
    QList<ui::MainWindow *> found;
    for (QWidget *widget : QApplication::topLevelWidgets())
        if (auto *window = qobject_cast<ui::MainWindow *>(widget))
            found << window;
    return found;
}

} // namespace

class WindowFilesTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aDroppedSessionIsOpened() {
        QTemporaryDir folder;
        const QString path = sessionIn(folder, "own.headlight", ui::lessonFile("cat"));
        WindowFixture fixture("bank");
        drop(fixture.window, path);
        fixture.settle();
        QCOMPARE(fixture.document().source(), path);
        QCOMPARE(ui::recentFiles(), QStringList{path});
    }

    /// Dropped text is typed into the field. A dropped file is opened, as everywhere else in the
    /// window, although many file managers also provide its path as text.
    void theTextFieldTakesTextAndNoFiles() {
        QTemporaryDir folder;
        const QString path = sessionIn(folder, "own.headlight", ui::lessonFile("bank"));
        WindowFixture fixture("cat");
        auto *field = fixture.find<QLineEdit>("text");
        const QPoint end =
            field->mapTo(&fixture.window, QPoint(field->width() - 12, field->height() / 2));
        QMimeData text;
        text.setText(" cat");
        QVERIFY(test::dragOnto(fixture.window, end, text));
        fixture.settle();
        QCOMPARE(field->text(), QStringLiteral("The cat sat on the mat cat"));
        QCOMPARE(fixture.document().trace()->batch()[0].length, core::Index(7));

        fixture.document().undoStack().undo(); // otherwise the window would ask
        fixture.settle();
        QMimeData file;
        file.setUrls({QUrl::fromLocalFile(path)});
        file.setText(path);
        QVERIFY(test::dragOnto(fixture.window, end, file));
        fixture.settle();
        QCOMPARE(fixture.document().source(), path);
        QVERIFY(!field->text().contains("own.headlight"));
    }

    /// A file name that is not UTF-8 can be dropped, listed as recent and saved, and is found on
    /// disk again.
    void anyBytesAreDropped() {
        QTemporaryDir folder;
        const std::string bytes = folder.path().toStdString() + "/caf\xE9 100%.headlight";
        const QString plain = sessionIn(folder, "own.headlight", ui::lessonFile("cat"));
        QCOMPARE(std::rename(qPrintable(plain), bytes.c_str()), 0);
        const QString path = ui::pathOf(bytes);
        WindowFixture fixture("bank");
        drop(fixture.window,
             QUrl::fromEncoded("file://" + folder.path().toUtf8() + "/caf%E9%20100%25.headlight"));
        fixture.settle();
        QCOMPARE(fixture.document().source(), path);
        QCOMPARE(ui::recentFiles(), QStringList{path});
        fixture.typeText("one two");
        QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!fixture.document().isModified());
        const auto saved = core::readSessionFile(bytes);
        QVERIFY(saved.ok() && saved->now);
    }

    void aFigureIsASessionThatHasNoFileYet_data() {
        test::addRows("suffix", QStringList{"png", "svg", "pdf"});
    }

    void aFigureIsASessionThatHasNoFileYet() {
        QFETCH(QString, suffix);
        const QTemporaryDir folder;
        const QString path = folder.filePath("picture." + suffix);
        WindowFixture first("cat", "heads");
        QVERIFY(test::typeText(first.window.document(), "one two three").ok());
        QVERIFY(test::setMasks(first.window.document(), {core::WindowMask{1, false}}).ok());
        first.settle();
        ui::FigureCommandLine recipe;
        recipe.view = "heads";
        recipe.format = *ui::formatOf(path);
        recipe.size = {900, 700};
        QVERIFY(ui::writeFigure(*first.view(), recipe, path).ok());
        const QByteArray picture = test::readAll(path);

        WindowFixture fixture("bank");
        drop(fixture.window, path);
        fixture.settle();
        ui::Document &document = fixture.document();
        QCOMPARE(document.source(), path);
        QVERIFY(document.state().input.masks == first.window.document().state().input.masks);
        QCOMPARE((*document.state().input.batch)[0].text, std::string("one two three"));
        QVERIFY(!document.isModified()); // the figure stores all of the session
        QVERIFY(test::typeText(document, "one two").ok());
        QVERIFY(document.isModified());

        // Save asks for a name, and refuses the name of an image.
        const auto saveAs = [&fixture](const QString &name) {
            fixture.window.activateWindow(); // keys go to the active window
            QVERIFY(test::active(fixture.window));
            QTimer::singleShot(0, [name] {
                auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
                QVERIFY(dialog);
                QCOMPARE(dialog->objectName(), QString("saveSession"));
                if (!name.isEmpty())
                    dialog->findChild<QLineEdit *>("fileNameEdit")->setText(name);
                dialog->setOption(QFileDialog::DontConfirmOverwrite);
                QMetaObject::invokeMethod(dialog, name.isEmpty() ? "reject" : "accept");
            });
            QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        };
        saveAs({});
        QVERIFY(document.isModified());
        saveAs(path);
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
        QVERIFY(document.isModified());
        QCOMPARE(test::readAll(path), picture);
        saveAs(folder.filePath("mine"));
        QVERIFY(!document.isModified());
        QCOMPARE(document.source(), folder.filePath("mine.headlight"));
        QCOMPARE(test::readAll(path), picture);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
                 (QStringList{"mine.headlight", "picture." + suffix}));
    }

    void aFigureWithoutASessionIsSaid() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("bare.png");
        WindowFixture fixture("bank");
        ui::FigureCommandLine recipe;
        recipe.view = "heads";
        recipe.format = ui::Format::Png;
        recipe.size = {900, 700};
        recipe.session = false;
        QVERIFY(ui::writeFigure(*fixture.view(), recipe, path).ok());
        drop(fixture.window, path);
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("bank"));
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
        QVERIFY(ui::recentFiles().isEmpty());
    }

    void readingIsCancelled() {
        WindowFixture fixture("bank");
        ui::SourceRequest request;
        request.source = "cat";
        fixture.window.openSource(request);
        QCOMPARE(fixture.document().source(), QString("bank")); // the window does not wait
        fixture.find<QToolButton>("cancel")->click();
        QVERIFY(!fixture.window.isReading());
        QVERIFY(fixture.find<QLabel>("message")->text().contains("cat"));
        request.source = "sentence";
        QSignalSpy changed(&fixture.document(), &ui::Document::changed);
        fixture.window.openSource(request);
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("sentence"));
        const auto opened = std::count_if(changed.begin(), changed.end(), [](const auto &event) {
            return ui::is<ui::SessionChanged>(event[0].template value<ui::ChangeEvent>());
        });
        QCOMPARE(opened, 1);
    }

    void recentFilesAreInTheMenu() {
        QTemporaryDir folder;
        const QString one = sessionIn(folder, "one.headlight", ui::lessonFile("cat"));
        const QString two = sessionIn(folder, "two & more.headlight", ui::lessonFile("bank"));
        WindowFixture fixture("bank");
        for (const QString &path : {one, two, one})
            fixture.openSource(path);
        QCOMPARE(ui::recentFiles(), (QStringList{one, two}));
        ui::MainWindow other; // like another run of the program
        QList<QAction *> found;
        for (QAction *action : other.findChildren<QAction *>())
            if (action->text().contains(".headlight"))
                found << action;
        QCOMPARE(found.size(), 2);
        QVERIFY(found[1]->text().contains("two && more"));
        found[1]->trigger();
        QVERIFY(test::settled(other));
        QCOMPARE(other.document().source(), two);
        QFile::remove(one);
        found[0]->trigger(); // shows a message, removes the entry and keeps the document
        QVERIFY(test::settled(other));
        QCOMPARE(other.document().source(), two);
        QCOMPARE(ui::recentFiles(), QStringList{two});
    }

    /// A folder of CLIP has a model of texts and one of pictures.
    void aRecentFolderOpensTheModelThatItShowed() {
        const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/clip");
        WindowFixture fixture("bank");
        const auto showsPictures = [](ui::MainWindow &window) {
            const auto &model = window.document().session().pretrained;
            return model && model->tower == core::Tower::Pictures;
        };
        ui::SourceRequest request;
        request.source = folder;
        request.tower = core::Tower::Pictures;
        fixture.window.openSource(request);
        fixture.settle();
        QVERIFY(showsPictures(fixture.window));
        fixture.openSource("cat");
        fixture.action("Start page")->trigger();
        fixture.find<QPushButton>("startRecent")->click();
        fixture.settle();
        QVERIFY(showsPictures(fixture.window));
        fixture.openSource("cat");

        ui::MainWindow other; // like another run of the program
        QAction *recent = nullptr;
        for (QAction *action : other.findChildren<QAction *>())
            if (action->text().endsWith("  clip"))
                recent = action;
        QVERIFY(recent);
        recent->trigger();
        QVERIFY(test::settled(other));
        QVERIFY(showsPictures(other));
        // The list remembers how the folder was opened last.
        request.tower.reset();
        other.openSource(request);
        QVERIFY(test::settled(other));
        QVERIFY(!showsPictures(other));
        recent->trigger();
        QVERIFY(test::settled(other));
        QVERIFY(!showsPictures(other));
        QCOMPARE(ui::recentFiles(), QStringList{ui::absolutePath(folder)});
    }

    /// The list remembers only how the folder is read, not what is read with it.
    void whatIsRememberedOfARecentFolder() {
        const QString folder = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/gpt2");
        ui::SourceRequest request;
        request.source = folder;
        request.expression = "[a-zé]+|.";
        request.text = "a text";
        ui::addRecentFile(request);
        ui::addRecentFile(folder + "/../clip");
        QVERIFY(ui::requestOfRecent(folder).expression == request.expression);
        QVERIFY(!ui::requestOfRecent(folder).text);
        QCOMPARE(ui::requestOfRecent("cat").source, QString("cat"));
        ui::addRecentFile(folder);
        QVERIFY(!ui::requestOfRecent(folder).expression);
        ui::addRecentFile(request);
        for (int file = 0; file < 9; ++file) // the folder leaves the list
            ui::addRecentFile(QString("/%1.headlight").arg(file));
        QVERIFY(!ui::recentFiles().contains(folder));
        QVERIFY(!ui::requestOfRecent(folder).expression);
    }

    void aSecondWindowHasADocumentOfItsOwn() {
        WindowFixture fixture("bank");
        QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QPointer<ui::MainWindow> second;
        for (ui::MainWindow *window : windows())
            if (window != &fixture.window)
                second = window;
        QVERIFY(second);
        QVERIFY(test::settled(*second));
        QVERIFY(second->isVisible());
        QVERIFY(test::settled(second->document()));
        QVERIFY(test::typeText(second->document(), "another text").ok());
        QVERIFY(!fixture.document().isEdited());
        const test::Answer answer("unsavedChanges", "Discard");
        second->close();
        HEADLIGHT_UNTIL(!second);
        QVERIFY(fixture.window.isVisible());
        fixture.typeText("still here");
        QCOMPARE(fixture.document().trace()->batch().length(), 2);
    }

    void aFigureIsPrintedToAFile() {
        QTemporaryDir folder;
        WindowFixture fixture("bank", "close-up");
        QPrinter printer(QPrinter::HighResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(folder.filePath("figure.pdf"));
        QVERIFY(fixture.window.print(printer).ok());
        const QByteArray bytes = test::readAll(folder.filePath("figure.pdf"));
        QVERIFY(bytes.startsWith("%PDF"));
        QCOMPARE(bytes.count("/Type /Page\n"), 1);
        QVERIFY(bytes.contains("/FontName")); // text stays text instead of paths
    }

    void aPrinterThatCannotBeginIsSaid() {
        WindowFixture fixture("bank", "close-up");
        QPrinter printer;
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName("/nowhere/at/all.pdf");
        QVERIFY(!fixture.window.print(printer).ok());
    }
};

HEADLIGHT_WIDGET_TEST(WindowFilesTest)
#include "tst_window_files.moc"
