// The window and its file: new, saved, reverted, unsaved, changed externally.
#include "tests/ui/window/answers.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/saving/recovery_folder.h"

using test::Answer;
using test::readAll;
using test::sessionFile;
using test::textIn;

namespace {

/// A window with a file, which is temporary if no path is given.
struct FileWindow : WindowFixture {
    QTemporaryDir folder;
    QString path;

    explicit FileWindow(const QString &of = {})
        : WindowFixture("bank", "close-up"), path(of.isEmpty() ? sessionFile(folder.path()) : of) {
        window.open(test::opened(path));
        settle();
    }
    void type(const QString &text) { typeText(text); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
        window.activateWindow(); // keys go to the active window
        QVERIFY(test::active(window));
        QTest::keyClick(&window, key, modifiers);
    }
    bool saysAProblem() const { return find<QLabel>("problem")->isVisible(); }
};

} // namespace

class WindowKeepingTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        QSettings().clear();
        QDir(ui::recoveryFolder()).removeRecursively();
    }

    void theTitleSaysTheFileAndWhatIsUnsaved() {
        FileWindow fixture;
        QVERIFY(fixture.window.windowTitle().startsWith("own.headlight[*]"));
        QVERIFY(!fixture.window.isWindowModified());
        fixture.type("other words");
        QVERIFY(fixture.window.isWindowModified());
        fixture.press(Qt::Key_Z);
        QVERIFY(!fixture.window.isWindowModified());
        fixture.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.window.isWindowModified());
        fixture.press(Qt::Key_S);
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(textIn(fixture.path), QString("other words"));
        fixture.press(Qt::Key_Z);
        QVERIFY(fixture.window.isWindowModified());
        fixture.press(Qt::Key_S);
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(textIn(fixture.path), QString("The cat sat on the mat"));
    }

    void closingAsks_data() {
        test::addColumns<QString, bool, QString>({"button", "closed", "text"});
        QTest::newRow("save") << "Save" << true << "other words";
        QTest::newRow("discard") << "Discard" << true << "The cat sat on the mat";
        QTest::newRow("cancel") << "Cancel" << false << "The cat sat on the mat";
    }

    void closingAsks() {
        QFETCH(QString, button);
        QFETCH(bool, closed);
        QFETCH(QString, text);
        FileWindow fixture;
        fixture.type("other words");
        const Answer answer("unsavedChanges", button);
        QCOMPARE(fixture.window.close(), closed);
        QCOMPARE(answer.times(), 1);
        QCOMPARE(fixture.window.isVisible(), !closed);
        QCOMPARE(textIn(fixture.path), text);
    }

    void readingALessonAsksNothing() {
        WindowFixture fixture("bank", "close-up");
        const Answer answer("unsavedChanges", "Cancel");
        fixture.goToStep(2);
        QTest::keyClick(fixture.view(), Qt::Key_Down);
        fixture.openSource("cat");
        QCOMPARE(fixture.document().source(), QString("cat"));
        QVERIFY(fixture.window.close());
        QCOMPARE(answer.times(), 0);
    }

    void openingSomethingElseAsks() {
        WindowFixture fixture("bank", "close-up");
        QVERIFY(test::typeText(fixture.document(), "my own words").ok());
        ui::SourceRequest request;
        request.source = "cat";
        {
            const Answer answer("unsavedChanges", "Cancel");
            fixture.window.openSource(request);
            QCOMPARE(answer.times(), 0); // the window first reads the file
            fixture.settle();
            QCOMPARE(answer.times(), 1);
            QCOMPARE(fixture.document().source(), QString("bank"));
        }
        const Answer answer("unsavedChanges", "Discard");
        fixture.window.openSource(request);
        fixture.settle();
        QCOMPARE(fixture.document().source(), QString("cat"));
    }

    void aLessonIsSavedUnderAName() {
        const QTemporaryDir folder;
        WindowFixture fixture("bank", "close-up");
        QVERIFY(test::setMasks(fixture.document(), {core::CausalMask{}}).ok());
        const QString path = folder.filePath("mine");
        QTimer::singleShot(0, [&path] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            QCOMPARE(dialog->objectName(), QString("saveSession"));
            dialog->findChild<QLineEdit *>("fileNameEdit")->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(fixture.document().source(), path + ".headlight");
        QVERIFY(fixture.window.windowTitle().startsWith("mine.headlight[*]"));
        QCOMPARE(ui::recentFiles(), QStringList{path + ".headlight"});
        QVERIFY(!fixture.document().isModified());
        const ui::OpenedSource saved = test::opened(path + ".headlight");
        QVERIFY(saved.session.lesson);
        QCOMPARE(saved.state.input.masks.size(), std::size_t(1));
    }

    void aFolderThatRefusesIsSaidAndNothingIsLost() {
        FileWindow fixture;
        fixture.type("not lost");
        QVERIFY(!fixture.window.saveIn("/proc/own.headlight"));
        QVERIFY(fixture.saysAProblem());
        const QString more = fixture.find<QLabel>("problemMore")->text();
        QVERIFY(more.contains("/proc/own.headlight") && more.contains("What to do"));
        QVERIFY(fixture.window.isWindowModified());
        QCOMPARE(fixture.document().source(), fixture.path);
        fixture.press(Qt::Key_S);
        QVERIFY(!fixture.saysAProblem());
        QCOMPARE(textIn(fixture.path), QString("not lost"));
    }

    void aFileChangedMeanwhileIsAskedAbout_data() {
        test::addColumns<QString, QString>({"button", "text"});
        QTest::newRow("overwrite") << QString("Overwrite") << QString("the second's words");
        QTest::newRow("cancel") << QString("Cancel") << QString("the first's words");
    }

    void aFileChangedMeanwhileIsAskedAbout() {
        QFETCH(QString, button);
        QFETCH(QString, text);
        FileWindow first, second(first.path);
        first.type("the first's words");
        first.press(Qt::Key_S);
        second.type("the second's words");
        const Answer answer("changedOnDisk", button);
        second.press(Qt::Key_S);
        QCOMPARE(answer.times(), 1);
        QCOMPARE(textIn(first.path), text);
        QCOMPARE(second.window.isWindowModified(), button == "Cancel");
    }

    void openingAFileThatIsOpenElsewhereGoesThere() {
        FileWindow first;
        WindowFixture second("bank", "close-up");
        second.openSource(first.folder.path() + "/./own.headlight");
        QCOMPARE(second.window.document().source(), QString("bank"));
        HEADLIGHT_UNTIL(first.window.isActiveWindow());
    }

    void revertingGoesBackToTheFile() {
        FileWindow fixture;
        QAction *revert = fixture.action("Revert…");
        QVERIFY(!revert->isEnabled());
        fixture.type("other words");
        const Answer answer("revertQuestion", "Revert");
        revert->trigger();
        QCOMPARE(answer.times(), 1);
        fixture.settle();
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(fixture.document().state().input.batch->length(), 6);
    }

    void theHistoryGoesWhereItIsClicked() {
        WindowFixture fixture("bank", "close-up");
        auto *dock = fixture.find<QDockWidget>("historyDock");
        QVERIFY(!dock->isVisible());
        QTest::keyClick(&fixture.window, Qt::Key_H, Qt::ControlModifier);
        QVERIFY(dock->isVisible());
        auto *list = fixture.find<QUndoView>("history");
        QVERIFY(!list->accessibleName().isEmpty());
        QCOMPARE(list->model()->rowCount(), 1);
        QCOMPARE(list->model()->index(0, 0).data().toString(), QString("Opened state"));
        ui::Document &document = fixture.document();
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        QTest::keyClick(fixture.view(), Qt::Key_D);
        fixture.settle();
        QCOMPARE(list->model()->rowCount(), 3);
        QCOMPARE(list->model()->index(2, 0).data().toString(), QString("Scores not scaled"));
        const auto isMarked = [&](int row) {
            return !list->model()->index(row, 0).data(Qt::DecorationRole).value<QIcon>().isNull();
        };
        QVERIFY(isMarked(0) && !isMarked(1));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(1, 0)).center());
        QCOMPARE(document.undoStack().index(), 1);
        QVERIFY(document.state().model.config.scale.kind != core::Scale::Kind::Off);
        QCOMPARE(fixture.button("Redo")->toolTip().contains("Scores not scaled"), true);
    }
};

HEADLIGHT_WIDGET_TEST(WindowKeepingTest)
#include "tst_window_saving.moc"
