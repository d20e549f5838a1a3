// After the program was killed with unsaved work, the next start offers to recover it.
#include "tests/ui/window/answers.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/window/saving/recovery_bar.h"

#include <csignal>

using test::Answer;
using test::readAll;
using test::sessionFile;
using test::textIn;

class CrashRecoveryTest : public QObject {
    Q_OBJECT

    /// Starts the real program, which types the text.
    static void start(QProcess &program, const QString &source, const QString &text,
                      const QString &autosave = "30") {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HEADLIGHT_AUTOSAVE_MS", autosave);
        environment.insert("HEADLIGHT_TYPE", text);
        environment.insert("HEADLIGHT_REPORT_START", "lesson");
        program.setProcessEnvironment(environment);
        program.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        program.start(HEADLIGHT_PROGRAM, {source});
        QVERIFY(test::started(program));
    }

    /// Emits the platform's signal with an empty session manager, which its receivers do not use.
    static void endSession() {
        alignas(QSessionManager) static std::byte manager[sizeof(QSessionManager)] = {};
        emit qGuiApp->commitDataRequest(*reinterpret_cast<QSessionManager *>(manager));
    }

    static QStringList recoveryFiles(const QString &pattern = "*.headlight") {
        return QDir(ui::recoveryFolder()).entryList({pattern}, QDir::Files);
    }

    static void crashWith(const QString &source, const QString &text) {
        const qsizetype before = recoveryFiles().size();
        QProcess program;
        start(program, source, text);
        HEADLIGHT_UNTIL_EQUAL(recoveryFiles().size(), before + 1);
        program.kill();
        QVERIFY(test::finished(program));
    }

  private slots:
    void initTestCase() {
        // Uses the program's own recovery folder.
        QCoreApplication::setApplicationName("headlight");
        QCoreApplication::setOrganizationName("headlight");
    }
    void init() {
        QSettings().clear();
        QDir(ui::recoveryFolder()).removeRecursively();
    }

    void whatWasTypedComesBack() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        const QByteArray saved = readAll(path);
        crashWith(path, "typed before the crash");
        WindowFixture fixture("bank", "close-up");
        auto *bar = fixture.find<ui::RecoveryBar>("recoveryBar");
        QVERIFY(!bar->isVisible());
        fixture.window.offerRecovery();
        QVERIFY(bar->isVisible());
        QVERIFY(fixture.find<QComboBox>("recoverable")->itemText(0).startsWith("own.headlight"));
        fixture.click("recover");
        QVERIFY(!bar->isVisible());
        const ui::Document &document = fixture.document();
        QCOMPARE(QString::fromStdString((*document.state().input.batch)[0].text),
                 QString("typed before the crash"));
        QCOMPARE(document.source(), path);
        QVERIFY(fixture.window.isWindowModified());
        QCOMPARE(readAll(path), saved);       // changes only when the user saves
        QCOMPARE(recoveryFiles().size(), 1);  // another crash would not lose the work
        QVERIFY(ui::abandonedWork().empty()); // no other window offers the work
        QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(textIn(path), QString("typed before the crash"));
        QVERIFY(recoveryFiles("*").isEmpty());
    }

    void aFileSavedSinceIsNotOverwrittenUnasked() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        crashWith(path, "typed before the crash");
        const QByteArray others = readAll(path).replace("cat", "dog");
        test::writeAll(path, others);
        WindowFixture fixture("bank", "close-up");
        fixture.window.offerRecovery();
        fixture.click("recover");
        const Answer answer("changedOnDisk", "Cancel");
        QTest::keyClick(&fixture.window, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(answer.times(), 1);
        QCOMPARE(readAll(path), others);
    }

    void askedToEndItKeepsTheWork_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
        QTest::newRow("SIGINT") << SIGINT;
    }

    /// The program saves when the signal arrives, long before the next autosave, and is still ended
    /// by that signal.
    void askedToEndItKeepsTheWork() {
        QFETCH(int, signal);
        QProcess program;
        program.setReadChannel(QProcess::StandardOutput);
        start(program, "bank", "typed before the end", "100000000");
        // The program types the text right after its first paint.
        while (!program.readAllStandardOutput().contains("typed"))
            QVERIFY(test::hasSaidSomething(program));
        QVERIFY(recoveryFiles("*.headlight").isEmpty());
        QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
        QVERIFY(test::finished(program));
        QCOMPARE(program.exitStatus(), QProcess::CrashExit); // ended by a signal
        QCOMPARE(program.exitCode(), signal);
        const std::vector<ui::RecoverableSession> work = ui::abandonedWork();
        QCOMPARE(work.size(), std::size_t(1));
        QCOMPARE(work.front().origin.source, QString("bank"));
        QCOMPARE(textIn(work.front().path), QString("typed before the end"));
    }

    void askedToEndWithoutWorkItLeavesNothing() {
        QProcess program;
        start(program, "bank", QString());
        while (!program.readAllStandardOutput().contains("first lesson painted"))
            QVERIFY(test::hasSaidSomething(program));
        QCOMPARE(::kill(static_cast<pid_t>(program.processId()), SIGTERM), 0);
        QVERIFY(test::finished(program));
        QVERIFY(recoveryFiles("*").isEmpty());
    }

    /// When the desktop's session ends, the window closes without a question, and the work is kept.
    void theSessionsEndKeepsTheWork() {
        {
            WindowFixture fixture("bank", "close-up");
            QVERIFY(test::typeText(fixture.document(), "typed before the end").ok());
            endSession();
            QCOMPARE(recoveryFiles().size(), 1);
            QVERIFY(fixture.window.close());
        }
        QCOMPARE(ui::abandonedWork().size(), std::size_t(1));
        QCOMPARE(textIn(ui::abandonedWork().front().path), QString("typed before the end"));
    }

    void aSessionThatGoesOnAsksAgain() {
        WindowFixture fixture("bank", "close-up");
        QVERIFY(test::typeText(fixture.document(), "typed before the end").ok());
        endSession();
        QVERIFY(test::typeText(fixture.document(), "and after it").ok());
        {
            const Answer answer("unsavedChanges", "Cancel");
            QVERIFY(!fixture.window.close());
            QCOMPARE(answer.times(), 1);
        }
        endSession();
        const QTemporaryDir folder;
        QVERIFY(fixture.window.saveIn(folder.filePath("own.headlight")));
        QVERIFY(recoveryFiles("*").isEmpty()); // not needed after saving
    }

    void severalAreOfferedOneByOne() {
        crashWith("bank", "first");
        crashWith("cat", "second");
        WindowFixture fixture("sentence", "close-up");
        fixture.window.offerRecovery();
        auto *list = fixture.find<QComboBox>("recoverable");
        QCOMPARE(list->count(), 2);
        QTest::mouseClick(fixture.find<QPushButton>("discardRecovery"), Qt::LeftButton);
        QCOMPARE(list->count(), 1);
        QCOMPARE(recoveryFiles().size(), 1);
        fixture.click("recover");
        QVERIFY(fixture.document().isModified());
        QVERIFY(!fixture.find<ui::RecoveryBar>("recoveryBar")->isVisible());
    }

    void aRunningProgramsWorkIsItsOwn() {
        QProcess program;
        start(program, "bank", "still typing");
        HEADLIGHT_UNTIL_EQUAL(recoveryFiles().size(), 1);
        WindowFixture fixture("cat", "close-up");
        fixture.window.offerRecovery();
        QVERIFY(!fixture.find<ui::RecoveryBar>("recoveryBar")->isVisible());
        program.kill();
        QVERIFY(test::finished(program));
        fixture.window.offerRecovery();
        QVERIFY(fixture.find<ui::RecoveryBar>("recoveryBar")->isVisible());
    }

    /// The next start of the program offers the work and keeps it locked.
    void theProgramOffersItWhenItStarts() {
        crashWith("bank", "left behind");
        QProcess program;
        start(program, "cat", QString());
        const QLockFile lock(ui::recoveryFolder() + '/' + recoveryFiles("*.lock").value(0));
        const auto owner = [&lock] {
            qint64 process = 0;
            QString host, name;
            return lock.getLockInfo(&process, &host, &name) ? process : qint64(0);
        };
        HEADLIGHT_UNTIL_EQUAL(owner(), program.processId());
        program.kill();
        QVERIFY(test::finished(program));
        QCOMPARE(ui::abandonedWork().size(), std::size_t(1)); // the offer does not remove the work
    }
};

HEADLIGHT_WIDGET_TEST(CrashRecoveryTest)
#include "tst_crash_recovery.moc"
