// Silences each of 144 heads in turn at 32 tokens, once with the window's worker and once as a
// separate process. The time of the process includes its start and loading the model.
//   HEADLIGHT_BENCH_MODEL=/path/to/folder bench_ablation     (script/bench writes a random model)
#include "tests/bench/report.h"
#include "tests/support/opened.h"
#include "ui/compute/silenced_heads.h"

#include <QProcess>

using namespace headlight;

class AblationBenchmark : public QObject {
    Q_OBJECT

    static constexpr core::Index kTokens = 32;
    static constexpr double kPromised = 6000; // ms
    static constexpr int kTurns = 3;

    static QString folder() { return qEnvironmentVariable("HEADLIGHT_BENCH_MODEL"); }
    static std::vector<core::Index> ids() {
        std::vector<core::Index> ids(kTokens);
        std::iota(ids.begin(), ids.end(), 500);
        return ids;
    }

  private slots:
    void initTestCase() {
        if (folder().isEmpty())
            QSKIP("HEADLIGHT_BENCH_MODEL names no folder with a model");
    }

    void worker_data() {
        QTest::addColumn<bool>("withLoss");
        QTest::newRow("logit") << false;
        QTest::newRow("loss") << true;
    }
    void worker() {
        QFETCH(bool, withLoss);
        ui::SourceRequest request;
        request.source = folder();
        request.tokenIds = ids();
        ui::Document document;
        document.open(test::valueOf(ui::openSource(request)));
        QVERIFY(test::settled(document));
        const core::TracePointer trace = document.trace();
        const ui::SilencedHeads::Wanted wanted{
            .output = core::outputPlaceOf(*trace, document.selectionInTrace()),
            .withLoss = withLoss};
        std::vector<double> times;
        for (int turn = 0; turn < kTurns; ++turn) {
            ui::SilencedHeads silenced;
            QElapsedTimer timer;
            timer.start();
            silenced.start(*document.computable(), trace, wanted);
            QVERIFY(test::idle(silenced));
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            const ui::SilencedHeads::Found *found = silenced.exactly(*trace, wanted);
            QVERIFY(found);
            QCOMPARE(found->heads->heads.size(), std::size_t(144));
        }
        bench::report(withLoss ? "144 ablations, 32 tokens: in the window, with the loss"
                               : "144 ablations, 32 tokens: in the window",
                      times, {.median = kPromised});
    }

    void process() {
        QStringList words;
        for (const core::Index id : ids())
            words << QString::number(id);
        std::vector<double> times;
        for (int turn = 0; turn < kTurns; ++turn) {
            QProcess program;
            QElapsedTimer timer;
            timer.start();
            program.start(HEADLIGHT_PROGRAM,
                          {"ablate", folder(), "--token-ids", words.join(','), "--csv"});
            QVERIFY(test::finished(program));
            times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            QCOMPARE(program.exitCode(), 0);
            QCOMPARE(program.readAllStandardOutput().count('\n'), 145); // 144 heads and the header
        }
        bench::report("144 ablations, 32 tokens: headlight ablate, with the loss", times,
                      {.median = kPromised});
    }
};

QTEST_MAIN(AblationBenchmark)
#include "bench_ablation.moc"
