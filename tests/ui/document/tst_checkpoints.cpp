// Checkpoints of a run within a memory budget: thinned out evenly, always with the first and the
// newest one.
#include "tests/support/test_main.h"
#include "ui/document/checkpoints.h"

using namespace headlight;
using ui::Checkpoints;

namespace {

constexpr std::size_t kBytesEach = 100 * sizeof(float);

core::ModelParameters weightsOf(float number) {
    core::ModelParameters weights;
    weights.main.layers.resize(1);
    core::Matrix query(10, 10);
    query(0, 0) = number;
    weights.main.layers[0].selfAttention.query = core::makeParameter(std::move(query));
    return weights;
}

void add(Checkpoints &kept, core::Index step) {
    core::TrainingRun run;
    run.step = step;
    kept.add(run, weightsOf(static_cast<float>(step)));
}

} // namespace

class CheckpointsTest : public QObject {
    Q_OBJECT
  private slots:
    void all_are_kept_where_there_is_room() {
        Checkpoints kept(10 * kBytesEach);
        for (core::Index step = 0; step < 10; ++step)
            add(kept, step);
        QCOMPARE(kept.all().size(), std::size_t(10));
        QCOMPARE(kept.bytes(), 10 * kBytesEach);
        for (std::size_t i = 0; i < 10; ++i) {
            QCOMPARE(kept.all()[i].step, core::Index(i));
            QCOMPARE((*kept.all()[i].weights.main.layers[0].selfAttention.query)(0, 0), float(i));
        }
    }

    void thinned_out_evenly() {
        for (const core::Index stride : {1, 7}) {
            Checkpoints kept(10 * kBytesEach);
            for (core::Index step = 0; step < 1000; step += stride) {
                add(kept, step);
                QVERIFY(kept.bytes() <= kept.budget());
                QCOMPARE(kept.all().front().step, core::Index(0));
                QCOMPARE(kept.all().back().step, step);
            }
            QVERIFY(kept.all().size() >= 4);
            core::Index least = 1000, most = 0;
            for (std::size_t i = 1; i + 1 < kept.all().size(); ++i) { // without the newest
                const core::Index apart = kept.all()[i].step - kept.all()[i - 1].step;
                least = std::min(least, apart);
                most = std::max(most, apart);
            }
            QVERIFY2(most <= 2 * least, qPrintable(QString("%1 %2").arg(least).arg(most)));
        }
    }

    void a_rival_counts_and_comes_back_with_its_moment() {
        Checkpoints kept(10 * kBytesEach);
        for (core::Index step = 0; step < 20; ++step) {
            core::AblatedRun ablated;
            ablated.state.step = step;
            ablated.state.model.parameters = weightsOf(-static_cast<float>(step));
            core::TrainingRun run;
            run.step = step;
            run.ablated = std::make_shared<const core::AblatedRun>(ablated);
            kept.add(run, weightsOf(static_cast<float>(step)));
            QVERIFY(kept.bytes() <= kept.budget());
        }
        QVERIFY(kept.all().size() <= 5); // each has two models
        core::AblatedRun last;
        last.state.history.resize(3);
        for (const ui::Checkpoint &checkpoint : kept.all()) {
            QVERIFY(checkpoint.ablated);
            const core::AblatedRunPointer then = ui::ablatedRunAt(*checkpoint.ablated, last);
            QCOMPARE(then->state.step, checkpoint.step);
            QCOMPARE(then->state.history.size(), std::size_t(3));
            QCOMPARE((*then->state.model.parameters.main.layers[0].selfAttention.query)(0, 0),
                     -static_cast<float>(checkpoint.step));
        }
    }

    void a_run_that_goes_another_way_forgets_what_came_later() {
        Checkpoints kept;
        for (const core::Index step : {0, 5, 10, 15})
            add(kept, step);
        QCOMPARE(kept.nearest(11), std::size_t(2));
        add(kept, 6);
        QCOMPARE(kept.all().size(), std::size_t(3));
        QCOMPARE(kept.all().back().step, core::Index(6));
        QCOMPARE(kept.nearest(100), std::size_t(2));
        kept.clear();
        QVERIFY(kept.isEmpty());
        QCOMPARE(kept.bytes(), std::size_t(0));
    }

    void one_that_is_larger_than_the_budget_is_kept_all_the_same() {
        Checkpoints kept(kBytesEach / 2);
        for (core::Index step = 0; step < 5; ++step)
            add(kept, step);
        QCOMPARE(kept.all().size(), std::size_t(2)); // the first and the newest
    }
};

HEADLIGHT_APPLESS_TEST(CheckpointsTest)
#include "tst_checkpoints.moc"
