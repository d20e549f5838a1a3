// A window killed while training: the run was saved repeatedly, and continues from the last save.
// The killed program is this test, started again with "train".
#include "tests/support/training.h"
#include "tests/ui/window/session_files.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/window/saving/recovery_folder.h"

#include <QApplication>
#include <QDir>
#include <QProcess>
#include <QSettings>

using namespace headlight;

namespace {

core::Recipe longRecipe() {
    return test::smallRecipe(core::kMaxSteps);
}

int runChild() {
    test::WindowFixture fixture("cat", "training");
    fixture.window.open(test::trainingSession(longRecipe()));
    fixture.settle();
    if (!ui::TrainingController::of(fixture.document()).start())
        return 1;
    return QApplication::exec();
}

/// Returns the only recovery file, or an empty string if there is none yet.
QString recoveryFile() {
    const QDir folder(ui::recoveryFolder());
    const QStringList files = folder.entryList({"*.headlight"}, QDir::Files);
    return files.size() == 1 ? folder.filePath(files.first()) : QString();
}

/// Returns the step of the saved run, or 0 if there is none.
core::Index savedStep() {
    const QString path = recoveryFile();
    if (path.isEmpty())
        return 0;
    const core::Result<core::Session> session =
        core::readSession(test::readAll(path).toStdString());
    return session && session->now && session->now->training ? session->now->training->step : 0;
}

} // namespace

class KillWhileTraining : public QObject {
    Q_OBJECT
  private slots:
    void theRunGoesOnFromWhatWasSaved() {
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HEADLIGHT_AUTOSAVE_MS", "100");
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        child.start(QCoreApplication::applicationFilePath(), {"train"});
        QVERIFY(test::started(child));
        HEADLIGHT_UNTIL(savedStep() > 0);
        const core::Index first = savedStep();
        HEADLIGHT_UNTIL(savedStep() > first); // saved again without a pause
        const core::Index before = savedStep();
        child.kill();
        QVERIFY(test::finished(child));
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        const std::vector<ui::RecoverableSession> work = ui::abandonedWork();
        QCOMPARE(work.size(), std::size_t(1));
        const core::Index step = savedStep();
        QVERIFY(step >= before);

        test::WindowFixture fixture("cat", "training");
        fixture.open(work.front().path);
        ui::Document &document = fixture.document();
        QCOMPARE(document.state().training->step, step);
        QVERIFY(!document.state().training->history.empty());
        ui::TrainingController &controller = ui::TrainingController::of(document);
        QVERIFY(controller.oneBatch().ok());
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
        QCOMPARE(document.state().training->step, step + 1);
        ui::remove(work.front());
    }
};

int main(int argc, char **argv) {
    QApplication application(argc, argv);
    if (application.arguments().contains("train"))
        return runChild();
    QSettings().clear();
    QDir(ui::recoveryFolder()).removeRecursively(); // left by a killed run
    KillWhileTraining test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_kill_while_training.moc"
