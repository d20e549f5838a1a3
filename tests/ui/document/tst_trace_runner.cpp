// The worker: the newest request wins, stale results are dropped, and shutdown does not wait for a
// long computation.
#include "core/random.h"
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/compute/trace_runner.h"

using namespace headlight;
using ui::TraceRequest;
using ui::TraceRunner;

class TraceRunnerTest : public QObject {
    Q_OBJECT

    static TraceRequest small(quint64 revision) {
        const ui::OpenedSource source = test::opened("sentence");
        return {revision, *core::Computable::of(source.state.model, source.state.input), nullptr};
    }

    /// Returns a request that takes a few seconds.
    static TraceRequest large(quint64 revision) {
        const ui::OpenedSource source = test::opened("sentence");
        core::Input input = source.state.input;
        std::vector<std::string> words(3000, "word");
        input.batch = *core::Batch::ofWords({words, words});
        return {revision, *core::Computable::of(source.state.model, input), nullptr};
    }

  private slots:
    void reportsTheTrace() {
        TraceRunner runner;
        QSignalSpy finished(&runner, &TraceRunner::finished);
        runner.request(small(7));
        HEADLIGHT_UNTIL(!finished.isEmpty());
        QCOMPARE(finished[0][0].toULongLong(), 7u);
        QVERIFY(finished[0][1].value<core::TracePointer>()->has("layers.0.output"));
    }

    void newestRequestWins() {
        TraceRunner runner;
        QSignalSpy finished(&runner, &TraceRunner::finished);
        QSignalSpy failed(&runner, &TraceRunner::failed);
        runner.request(large(1));
        for (quint64 revision = 2; revision <= 20; ++revision)
            runner.request(small(revision));
        QVERIFY(test::idle(runner)); // no more results can follow
        QCOMPARE(finished.size(), 1);
        QCOMPARE(finished[0][0].toULongLong(), 20u);
        QCOMPARE(failed.size(), 0);
    }

    /// The first result is already on its way when the second request is made.
    void twoRequestsOfOneRevisionAreTwo() {
        TraceRunner runner;
        QSignalSpy finished(&runner, &TraceRunner::finished);
        TraceRequest first = small(5);
        const core::Model model = first.computable->model();
        core::Input input = first.computable->input();
        const core::TracePointer held = *core::forward(*first.computable);
        first.previous = held;
        input.batch = *core::Batch::ofWords({{"another", "text"}});
        TraceRequest second{5, *core::Computable::of(model, input), nullptr};
        runner.request(std::move(first));
        while (held.use_count() > 1) // until the worker has finished the first request
            std::this_thread::yield();
        runner.request(std::move(second));
        HEADLIGHT_UNTIL(!finished.isEmpty());
        QCOMPARE(finished.size(), 1);
        QCOMPARE(finished[0][1].value<core::TracePointer>()->batch().length(), core::Index(2));
    }

    void cancelledRequestsReportNothing() {
        TraceRunner runner;
        QSignalSpy finished(&runner, &TraceRunner::finished);
        QSignalSpy failed(&runner, &TraceRunner::failed);
        runner.request(small(1));
        runner.cancel();
        runner.request(large(2));
        runner.cancel();
        QVERIFY(test::idle(runner));
        QCOMPARE(finished.size(), 0);
        QCOMPARE(failed.size(), 0);
    }

    void errorsAreReported() {
        TraceRunner runner;
        QSignalSpy failed(&runner, &TraceRunner::failed);
        const ui::OpenedSource source = test::opened("sentence");
        core::Model model = source.state.model;
        core::Parameter &query = model.parameters.main.layers[0].selfAttention.query;
        query = core::makeParameter(core::Matrix(
            query->rows(), query->columns(),
            std::vector<float>(static_cast<std::size_t>(query->rows() * query->columns()), 3e38f)));
        runner.request({3, *core::Computable::of(model, source.state.input), nullptr});
        HEADLIGHT_UNTIL(!failed.isEmpty());
        QCOMPARE(failed[0][0].toULongLong(), 3u);
    }

    void endsWhileComputing() {
        for (int round = 0; round < 5; ++round) {
            TraceRunner runner;
            runner.request(large(1));
        }
    }
};

HEADLIGHT_GUILESS_TEST(TraceRunnerTest)
#include "tst_trace_runner.moc"
