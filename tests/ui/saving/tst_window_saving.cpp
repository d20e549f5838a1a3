// The window and its file: new, saved, reverted, unsaved, changed externally.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/answers.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/recent_files.h"
#include "ui/window/saving/recovery_folder.h"

#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QUndoView>

using namespace headlight;
using test::Answer;
using test::readAll;
using test::sessionFile;
using test::textIn;
using test::WindowFixture;

namespace {

struct FileWindow : WindowFixture {
    explicit FileWindow(const QString &path) : WindowFixture("bank", "flow") {
        window.open(test::openedFile(path));
        settle();
    }
    void type(const QString &text) {
        QVERIFY(test::typeText(window.document(), text).ok());
        settle();
    }
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
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow fixture(path);
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
        QCOMPARE(textIn(path), QString("other words"));
        fixture.press(Qt::Key_Z);
        QVERIFY(fixture.window.isWindowModified());
        fixture.press(Qt::Key_S);
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(textIn(path), QString("The cat sat on the mat"));
    }

    void closingAsks_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<bool>("closed");
        QTest::addColumn<QString>("text");
        QTest::newRow("save") << "Save" << true << "other words";
        QTest::newRow("discard") << "Discard" << true << "The cat sat on the mat";
        QTest::newRow("cancel") << "Cancel" << false << "The cat sat on the mat";
    }

    void closingAsks() {
        QFETCH(QString, button);
        QFETCH(bool, closed);
        QFETCH(QString, text);
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow fixture(path);
        fixture.type("other words");
        const Answer answer("unsavedChanges", button);
        QCOMPARE(fixture.window.close(), closed);
        QCOMPARE(answer.times(), 1);
        QCOMPARE(fixture.window.isVisible(), !closed);
        QCOMPARE(textIn(path), text);
    }

    void readingALessonAsksNothing() {
        WindowFixture fixture("bank", "flow");
        const Answer answer("unsavedChanges", "Cancel");
        QVERIFY(fixture.window.document().goToStep(2).ok());
        fixture.settle();
        QTest::keyClick(fixture.view(), Qt::Key_Down);
        ui::SourceRequest request;
        request.source = "cat";
        fixture.window.openSource(request);
        fixture.settle();
        QCOMPARE(fixture.window.document().source(), QString("cat"));
        QVERIFY(fixture.window.close());
        QCOMPARE(answer.times(), 0);
    }

    void openingSomethingElseAsks() {
        WindowFixture fixture("bank", "flow");
        QVERIFY(test::typeText(fixture.window.document(), "my own words").ok());
        ui::SourceRequest request;
        request.source = "cat";
        {
            const Answer answer("unsavedChanges", "Cancel");
            fixture.window.openSource(request);
            QCOMPARE(answer.times(), 0); // the question comes only after the file has been read
            fixture.settle();
            QCOMPARE(answer.times(), 1);
            QCOMPARE(fixture.window.document().source(), QString("bank"));
        }
        const Answer answer("unsavedChanges", "Discard");
        fixture.window.openSource(request);
        fixture.settle();
        QCOMPARE(fixture.window.document().source(), QString("cat"));
    }

    void aLessonIsSavedUnderAName() {
        const QTemporaryDir folder;
        WindowFixture fixture("bank", "flow");
        QVERIFY(test::setMasks(fixture.window.document(), {core::CausalMask{}}).ok());
        const QString path = folder.filePath("mine");
        QTimer::singleShot(0, [&path] {
            auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            QCOMPARE(dialog->objectName(), QString("saveSession"));
            dialog->findChild<QLineEdit *>("fileNameEdit")->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(fixture.window.document().source(), path + ".headlight");
        QVERIFY(fixture.window.windowTitle().startsWith("mine.headlight[*]"));
        QCOMPARE(ui::recentFiles(), QStringList{path + ".headlight"});
        const ui::OpenedSource saved = test::openedFile(path + ".headlight");
        QVERIFY(saved.session.lesson);
        QCOMPARE(saved.state.input.masks.size(), std::size_t(1));
    }

    void aFolderThatRefusesIsSaidAndNothingIsLost() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow fixture(path);
        fixture.type("not lost");
        QVERIFY(!fixture.window.saveIn("/proc/own.headlight"));
        QVERIFY(fixture.saysAProblem());
        const QString more = fixture.find<QLabel>("problemMore")->text();
        QVERIFY(more.contains("/proc/own.headlight") && more.contains("What to do"));
        QVERIFY(fixture.window.isWindowModified());
        QCOMPARE(fixture.window.document().source(), path);
        fixture.press(Qt::Key_S);
        QVERIFY(!fixture.saysAProblem());
        QCOMPARE(textIn(path), QString("not lost"));
    }

    void aFileChangedMeanwhileIsAskedAbout_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<QString>("text");
        QTest::newRow("overwrite") << "Overwrite"
                                   << "the second's words";
        QTest::newRow("cancel") << "Cancel"
                                << "the first's words";
    }

    void aFileChangedMeanwhileIsAskedAbout() {
        QFETCH(QString, button);
        QFETCH(QString, text);
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow first(path);
        FileWindow second(path);
        first.type("the first's words");
        first.press(Qt::Key_S);
        second.type("the second's words");
        const Answer answer("changedOnDisk", button);
        second.press(Qt::Key_S);
        QCOMPARE(answer.times(), 1);
        QCOMPARE(textIn(path), text);
        QCOMPARE(second.window.isWindowModified(), button == "Cancel");
    }

    void openingAFileThatIsOpenElsewhereGoesThere() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow first(path);
        WindowFixture second("bank", "flow");
        ui::SourceRequest request;
        request.source = folder.path() + "/./own.headlight";
        second.window.openSource(request);
        second.settle();
        QCOMPARE(second.window.document().source(), QString("bank"));
        HEADLIGHT_UNTIL(first.window.isActiveWindow());
    }

    void revertingGoesBackToTheFile() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        FileWindow fixture(path);
        QAction *revert = nullptr;
        for (QAction *action : fixture.window.findChildren<QAction *>())
            if (action->text() == "Re&vert…")
                revert = action;
        QVERIFY(revert && !revert->isEnabled());
        fixture.type("other words");
        const Answer answer("revertQuestion", "Revert");
        revert->trigger();
        QCOMPARE(answer.times(), 1);
        fixture.settle();
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(fixture.window.document().state().input.batch->length(), 6);
    }

    void aNewSessionIsMadeFromWhatIsTyped() {
        WindowFixture fixture("bank", "flow");
        QTimer::singleShot(0, [] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto *create = dialog->findChild<QPushButton *>("create");
            QVERIFY(!create->isEnabled()); // there is no text yet
            QTest::keyClicks(dialog->findChild<QLineEdit *>("newText"), "my own four words");
            QVERIFY(create->isEnabled());
            dialog->findChild<QSpinBox *>("newHeads")->setValue(3);
            QVERIFY(!create->isEnabled());
            QVERIFY(!dialog->findChild<QLabel *>("problem")->isHidden());
            QVERIFY(dialog->findChild<QLabel *>("problem")->text().contains("multiple"));
            dialog->findChild<QSpinBox *>("newWidth")->setValue(12);
            QTest::mouseClick(create, Qt::LeftButton);
        });
        QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier);
        fixture.settle();
        const core::Trace &trace = *fixture.window.document().trace();
        QCOMPARE(trace.batch().length(), 4);
        QCOMPARE(trace.model().config.heads, 3);
        QCOMPARE(trace.model().config.headSize, 4);
        QVERIFY(fixture.window.isWindowModified());
        const QTemporaryDir folder;
        const QString path = folder.filePath("new.headlight");
        QVERIFY(fixture.window.saveIn(path));
        QVERIFY(!fixture.window.isWindowModified());
        QCOMPARE(textIn(path), QString("my own four words"));
    }

    void theHistoryGoesWhereItIsClicked() {
        WindowFixture fixture("bank", "flow");
        auto *dock = fixture.find<QDockWidget>("historyDock");
        QVERIFY(!dock->isVisible());
        QTest::keyClick(&fixture.window, Qt::Key_H, Qt::ControlModifier);
        QVERIFY(dock->isVisible());
        auto *list = fixture.find<QUndoView>("history");
        QVERIFY(!list->accessibleName().isEmpty());
        QCOMPARE(list->model()->rowCount(), 1);
        QCOMPARE(list->model()->index(0, 0).data().toString(), QString("As it was opened"));
        ui::Document &document = fixture.window.document();
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        QTest::mouseClick(fixture.button("÷√d"), Qt::LeftButton);
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
