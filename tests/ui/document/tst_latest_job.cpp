// A job is computed on a worker thread and delivered on the thread of its owner. A newer job,
// cancel() and the end of its owner can drop it at any time.
#include "core/random.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/compute/latest_job.h"
#include "ui/compute/trace_runner.h"

using ui::LatestJob;
using ui::TraceRequest;
using ui::TraceRunner;

namespace {

/// Computes nothing until the job is dropped.
int untilDropped(const std::stop_token &stop) {
    while (!stop.stop_requested())
        std::this_thread::yield();
    return -1;
}

/// Waits until the worker has finished a computation that holds the pointer, so that its delivery,
/// if there is one, is queued. Processes no events.
void untilComputed(const std::weak_ptr<int> &held) {
    while (!held.expired())
        std::this_thread::yield();
}

} // namespace

class LatestJobTest : public QObject {
    Q_OBJECT

    std::vector<int> m_delivered;
    auto deliver() {
        return [this](int answer) {
            QCOMPARE(QThread::currentThread(), thread());
            m_delivered.push_back(answer);
        };
    }
    /// Starts a job and waits until its delivery is queued.
    void startAndCompute(LatestJob &job, int answer) {
        auto held = std::make_shared<int>(answer);
        const std::weak_ptr<int> watched = held;
        job.start([held = std::move(held)](const std::stop_token &) { return *held; }, deliver());
        untilComputed(watched);
    }

    static TraceRequest small(quint64 revision) {
        const ui::OpenedSource source = test::opened("sentence");
        return {revision, *core::Computable::of(source.state.model, source.state.input), nullptr};
    }

  private slots:
    void init() { m_delivered.clear(); }

    void theAnswerComesAfterStartReturns() {
        LatestJob job;
        QVERIFY(!job.isBusy());
        QThread *worker = nullptr;
        job.start(
            [&worker](const std::stop_token &) {
                worker = QThread::currentThread();
                return 1;
            },
            [&](int answer) {
                QVERIFY(!job.isBusy()); // so another job can be started
                deliver()(answer);
            });
        QVERIFY(job.isBusy());
        QVERIFY(m_delivered.empty());
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(m_delivered, std::vector{1});
        QVERIFY(worker != thread());
    }

    void onlyTheNewestIsDelivered() {
        std::atomic<int> computed = 0;
        LatestJob job;
        job.start(untilDropped, deliver());
        for (int answer = 1; answer <= 50; ++answer)
            job.start(
                [&computed, answer](const std::stop_token &) {
                    ++computed;
                    return answer;
                },
                deliver());
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(m_delivered, std::vector{50});
        QVERIFY(computed >= 1);
    }

    void jobsRunOneAfterAnother() {
        std::atomic<int> running = 0, most = 0;
        LatestJob job;
        for (int answer = 0; answer < 20; ++answer) {
            job.start(
                [&, answer](const std::stop_token &stop) {
                    most = std::max(most.load(), ++running);
                    if (answer < 19)
                        untilDropped(stop);
                    return --running;
                },
                deliver());
            QVERIFY(job.isBusy());
        }
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(most.load(), 1);
    }

    void aCancelledOneNeverComes() {
        LatestJob job;
        job.cancel(); // nothing to cancel
        job.start(untilDropped, deliver());
        job.cancel();
        QVERIFY(!job.isBusy());
        startAndCompute(job, 1);
        job.cancel(); // although its delivery is queued
        QVERIFY(!job.isBusy());
        job.start([](const std::stop_token &) { return 2; }, deliver());
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(m_delivered, std::vector{2});
    }

    void itEndsWhileComputing() {
        for (int round = 0; round < 20; ++round) {
            std::atomic<bool> isComputing = false, isLeft = false;
            {
                LatestJob job;
                job.start(
                    [&](const std::stop_token &stop) {
                        isComputing = true;
                        untilDropped(stop);
                        isLeft = true;
                        return 1;
                    },
                    deliver());
                if (round % 2 == 0) // otherwise the owner may end before the job starts
                    while (!isComputing)
                        std::this_thread::yield();
            }
            QCOMPARE(isLeft.load(), isComputing.load()); // a computation that began has ended
        }
        QCoreApplication::processEvents();
        QVERIFY(m_delivered.empty());
    }

    void itEndsWithItsDeliveryQueued() {
        for (int round = 0; round < 20; ++round) {
            LatestJob job;
            startAndCompute(job, round);
        }
        QCoreApplication::processEvents();
        QVERIFY(m_delivered.empty());
    }

    void aDeliveryMayStartTheNext() {
        LatestJob job;
        std::function<void(int)> next = [&](int answer) {
            m_delivered.push_back(answer);
            if (answer < 3)
                job.start([answer](const std::stop_token &) { return answer + 1; }, next);
        };
        job.start([](const std::stop_token &) { return 1; }, next);
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(m_delivered, (std::vector{1, 2, 3}));
    }

    void aDeliveryMayDeleteTheJob() {
        auto job = std::make_unique<LatestJob>();
        job->start([](const std::stop_token &) { return 1; },
                   [this, &job, captured = std::string(100, 'x')](int answer) {
                       job.reset();
                       m_delivered.push_back(answer + static_cast<int>(captured.size()));
                   });
        HEADLIGHT_UNTIL(!job);
        QCOMPARE(m_delivered, std::vector{101});
    }

    void aLargeAnswerIsNotCopied() {
        LatestJob job;
        std::unique_ptr<int> taken;
        job.start([](const std::stop_token &) { return std::make_unique<int>(5); },
                  [&taken](std::unique_ptr<int> answer) { taken = std::move(answer); });
        HEADLIGHT_UNTIL(!job.isBusy());
        QCOMPARE(*taken, 5);
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
};

HEADLIGHT_GUILESS_TEST(LatestJobTest)
#include "tst_latest_job.moc"
