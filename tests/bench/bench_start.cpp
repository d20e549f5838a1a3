// Cold start of the program, offscreen, until the first lesson is painted, and its memory at that
// time.
#include "tests/bench/report.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

class StartBenchmark : public QObject {
    Q_OBJECT

    static double residentMegabytes(qint64 process) {
        QFile file(QString("/proc/%1/status").arg(process));
        if (!file.open(QIODevice::ReadOnly))
            return 0;
        for (const QByteArray &line : file.readAll().split('\n'))
            if (line.startsWith("VmRSS:"))
                return line.simplified().split(' ').value(1).toDouble() / 1024;
        return 0;
    }

  private slots:
    void coldStart() {
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("HEADLIGHT_REPORT_START", "1");
        environment.insert("XDG_CONFIG_HOME", home.path());
        std::vector<double> times;
        double memory = 0;
        for (int run = 0; run < 21; ++run) {
            QProcess program;
            program.setProcessEnvironment(environment);
            QElapsedTimer timer;
            timer.start();
            program.start(HEADLIGHT_PROGRAM, {"bank"});
            QVERIFY(program.waitForReadyRead(30000));
            const double time = static_cast<double>(timer.nsecsElapsed()) / 1e6;
            QVERIFY(program.readAllStandardOutput().contains("painted"));
            if (run > 0) { // the first one warms the file cache
                times.push_back(time);
                memory = std::max(memory, residentMegabytes(program.processId()));
            }
            program.kill();
            program.waitForFinished();
        }
        headlight::bench::report("start to first painted lesson", times);
        std::printf("resident memory then: %.1f MB\n", memory);
    }
};

QTEST_GUILESS_MAIN(StartBenchmark)
#include "bench_start.moc"
