// Cold start of the program, offscreen. Measures the time until it has painted the first lesson, or
// the start page with its answer, and the memory in use at that time. The answer must appear as
// soon as the first lesson did before the program had a start page.
#include "tests/bench/report.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace {

/// The last version without a start page (d0489c48) took 1.3 times as long as this version to show
/// its first lesson, measured alternately on one machine.
constexpr double kAsFast = 1.25;

} // namespace

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

    struct Start {
        const char *name;
        QByteArray report;
        QStringList arguments;
        std::vector<double> times;
        double memory = 0; ///< MB
    };

    static void run(Start &start, bool isCounted) {
        const QTemporaryDir home;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("HEADLIGHT_REPORT_START", start.report);
        environment.insert("XDG_CONFIG_HOME", home.path());
        environment.insert("XDG_DATA_HOME", home.path());
        QProcess program;
        program.setProcessEnvironment(environment);
        QElapsedTimer timer;
        timer.start();
        program.start(HEADLIGHT_PROGRAM, start.arguments);
        QVERIFY(program.waitForReadyRead(30000));
        const double time = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QVERIFY(program.readAllStandardOutput().contains("painted"));
        if (isCounted) {
            start.times.push_back(time);
            start.memory = std::max(start.memory, residentMegabytes(program.processId()));
        }
        program.kill();
        program.waitForFinished();
    }

    /// Returns the median ratio of the times of both starts in the same turn.
    static double ratio(const Start &start, const Start &other) {
        std::vector<double> ratios;
        for (std::size_t turn = 0; turn < std::min(start.times.size(), other.times.size()); ++turn)
            ratios.push_back(start.times[turn] / other.times[turn]);
        std::sort(ratios.begin(), ratios.end());
        return ratios.empty() ? 0 : ratios[ratios.size() / 2];
    }

  private slots:
    /// Alternates between both kinds of start, because the machine's load changes.
    void coldStart() {
        Start lesson{"start to first painted lesson", "lesson", {"bank"}, {}};
        Start answer{"start to the opening's painted answer", "answer", {}, {}};
        for (int turn = 0; turn < 21; ++turn)
            for (Start *start : {&lesson, &answer})
                run(*start, turn > 0); // the first run warms the file cache
        for (const Start *start : {&lesson, &answer}) {
            headlight::bench::report(start->name, start->times);
            headlight::bench::report(start->name + std::string(": memory of the process"),
                                     start->memory, "MB");
        }
        QVERIFY(!answer.times.empty());
        headlight::bench::report("start to the opening's painted answer, compared to the lesson",
                                 ratio(answer, lesson), "× the lesson", kAsFast);
    }
};

QTEST_GUILESS_MAIN(StartBenchmark)
#include "bench_start.moc"
