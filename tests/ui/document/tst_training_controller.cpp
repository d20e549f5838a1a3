// Training in a document: one undo step per run, exact pauses, edits in between, returning to
// checkpoints, and saving.
#include "core/formats/session/data/session.h"
#include "tests/ui/document/training_fixture.h"
#include "ui/document/checkpoints.h"

using ui::Checkpoints;

namespace {

const ui::MatrixId kQuery{ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, {}, 0};

bool isRising(const core::History &history) {
    return std::ranges::adjacent_find(history, [](const auto &a, const auto &b) {
               return a.step >= b.step;
           }) == history.end();
}

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

class LearnerTest : public QObject {
    Q_OBJECT

  private slots:
    void a_run_reaches_what_the_trainer_does_and_is_one_undo_step() {
        Trained trained;
        const core::ModelParameters first = trained.weights();
        QCOMPARE(trained.at(), core::Index(0));
        trained.train();
        QCOMPARE(trained.at(), smallRecipe().steps);
        QVERIFY(trained.controller.isDone());
        QVERIFY(!trained.controller.start().ok());
        const core::TrainingState straight = test::trained(smallRecipe(), smallRecipe().steps);
        QVERIFY(trained.hasWeights(straight));
        QVERIFY(isRising(trained.state().training->history));
        QVERIFY(trained.state().training->history.back().heldOut);
        QCOMPARE(trained.document.undoStack().count(), 1);
        QVERIFY(trained.document.isModified());
        QVERIFY(trained.document.trace()->model().parameters == trained.weights());
        trained.document.undoStack().undo();
        QVERIFY(test::sameNumbers(trained.weights(), first));
        QCOMPARE(trained.at(), core::Index(0));
        trained.document.undoStack().redo();
        QVERIFY(trained.hasWeights(straight));
        QCOMPARE(trained.at(), smallRecipe().steps);
    }

    void paused_saved_and_continued_is_the_same_to_the_last_bit() {
        Trained trained;
        trained.step(5);
        QCOMPARE(trained.at(), core::Index(5));
        QCOMPARE(trained.document.undoStack().count(), 1);
        const core::Result<core::Session> saved =
            core::readSession(trained.document.snapshot({}).bytes());
        QVERIFY(test::isOk(saved));
        QVERIFY(saved->now && saved->now->training);
        QCOMPARE(saved->now->training->step, core::Index(5));

        Trained again;
        again.document.open(test::reopened(trained.document));
        again.untilIdle();
        QCOMPARE(again.at(), core::Index(5));
        QVERIFY(!again.document.isModified());
        again.train();
        QVERIFY(again.hasWeights(test::trained(smallRecipe(), smallRecipe().steps)));
        QVERIFY(isRising(again.state().training->history));
    }

    void a_figure_carries_the_curves_and_not_what_only_a_trainer_needs() {
        Trained trained;
        trained.step(2);
        const ui::Snapshot snapshot = trained.document.snapshot({});
        const auto carried = test::valueOf(core::readSession(snapshot.carriedBytes()));
        QCOMPARE(carried.now->training->step, core::Index(2));
        QCOMPARE(carried.now->training->history.size(), trained.state().training->history.size());
        QVERIFY(!carried.now->training->firstMoment.main.layers[0].selfAttention.query);
        QVERIFY(snapshot.bytes().size() > snapshot.carriedBytes().size());
    }

    void pause_keeps_what_was_reached() {
        Trained trained(smallRecipe(100'000));
        trained.begin();
        QVERIFY(!trained.controller.isPausing());
        QSignalSpy changed(&trained.controller, &TrainingController::changed);
        trained.controller.pause();
        QVERIFY(trained.controller.isPausing()); // before the current step is abandoned
        QCOMPARE(changed.count(), 1);
        trained.untilIdle();
        QVERIFY(!trained.controller.isPausing());
        const core::Index reached = trained.at();
        QVERIFY(reached > 0 && reached < 100'000);
        QVERIFY(trained.hasWeights(test::trained(smallRecipe(100'000), reached)));
        QVERIFY(trained.controller.stepsPerSecond() > 0);
        trained.begin();
        trained.pause();
        QCOMPARE(trained.document.undoStack().count(), 1); // resuming adds no undo step
    }

    void what_it_reaches_is_shown_thirty_times_a_second_at_most() {
        Trained trained(smallRecipe(core::kMaxSteps));
        int shown = 0;
        connect(&trained.document, &Document::changed, this,
                [&shown](const ui::ChangeEvent &event) {
                    shown += ui::is<ui::StateChanged>(event) ? 1 : 0;
                });
        const qint64 begun = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(shown >= 15);
        const qint64 passed = QDateTime::currentMSecsSinceEpoch() - begun;
        // Fifteen updates have fourteen intervals of 33 ms, which timers may shorten to 31 ms.
        QVERIFY2(passed >= 14 * 31, qPrintable(QString::number(passed)));
        QVERIFY(trained.at() > 15); // training does not wait for the view
        trained.pause();
    }

    void edits_between_two_steps_are_edits_and_training_goes_on_from_them() {
        Trained trained;
        trained.step(2);
        trained.edit(ui::edits::setCells(trained.state(), kQuery, {{0, 0, 0.75f}}));
        trained.settle();
        core::Result<core::Trainer> trainer =
            core::Trainer::create(core::stateOf(*trained.state().training, trained.state().model),
                                  core::findTask("repeat"));
        QVERIFY(trainer.ok());
        QVERIFY(trainer->advance().ok());
        trained.step();
        QVERIFY(test::sameNumbers(trained.weights(), trainer->model().parameters));
        QCOMPARE(trained.document.undoStack().count(), 3);
        trained.document.undoStack().undo();
        QCOMPARE(
            core::ParameterBlock(trained.weights().main.layers[0].selfAttention.query).row(0)[0],
            0.75f);
        QCOMPARE(trained.at(), core::Index(2));
    }

    void an_edit_while_it_runs_is_kept() {
        Trained trained(smallRecipe(100'000));
        trained.begin();
        const core::Index at = trained.at();
        trained.edit(ui::edits::setCells(trained.state(), kQuery, {{0, 0, 40}}));
        QVERIFY(trained.controller.isRunning());
        HEADLIGHT_UNTIL(trained.at() > at);
        trained.pause();
        // Training has not undone the edit.
        QVERIFY((*trained.weights().main.layers[0].selfAttention.query)(0, 0) > 1);
        QCOMPARE(trained.document.undoStack().count(), 3);
    }

    void another_text_does_not_stop_it() {
        Trained trained(smallRecipe(100'000));
        trained.begin();
        trained.type("a b a b");
        const core::Index at = trained.at();
        HEADLIGHT_UNTIL(trained.at() > at);
        QVERIFY(trained.controller.isRunning());
        QCOMPARE((*trained.state().input.batch)[0].length, core::Index(4));
        trained.pause();
    }

    void undo_while_it_runs_stops_it_there() {
        Trained trained(smallRecipe(100'000));
        const core::ModelParameters first = trained.weights();
        trained.begin();
        trained.document.undoStack().undo();
        QVERIFY(!trained.controller.isRunning());
        QVERIFY(test::idle(trained.controller));
        trained.settle();
        QCOMPARE(trained.at(), core::Index(0));
        QVERIFY(test::sameNumbers(trained.weights(), first));
    }

    void another_document_ends_it() {
        Trained trained(smallRecipe(100'000));
        trained.begin();
        trained.document.open(test::opened("cat"));
        QVERIFY(!trained.controller.isRunning());
        QVERIFY(test::idle(trained.controller));
        trained.settle();
        QVERIFY(!trained.state().training);
        QVERIFY(!trained.document.undoStack().canUndo());
        QVERIFY(!trained.controller.unavailableReason().isEmpty());
        QVERIFY(!trained.controller.start().ok());
        QVERIFY(trained.controller.checkpoints().isEmpty());
        trained.edit(ui::edits::setCells(trained.state(), kQuery,
                                         {{0, 0, 1}})); // an edit while no training runs
    }

    void every_moment_that_was_kept_can_be_shown_and_gone_on_from() {
        Trained trained;
        trained.train();
        const auto &kept = trained.controller.checkpoints().all();
        QCOMPARE(kept.size(), std::size_t(smallRecipe().steps + 1));
        QCOMPARE(*trained.controller.shownCheckpoint(), kept.size() - 1);
        const std::size_t curves = trained.state().training->history.size();
        for (const std::size_t checkpoint : {std::size_t(0), std::size_t(7)}) {
            trained.show(checkpoint);
            QCOMPARE(trained.at(), core::Index(checkpoint));
            QVERIFY(trained.hasWeights(test::trained(smallRecipe(), core::Index(checkpoint))));
            QVERIFY(trained.document.trace()->model().parameters == trained.weights());
            QCOMPARE(trained.state().training->history.size(),
                     curves); // all of the history is visible
            QCOMPARE(*trained.controller.shownCheckpoint(), checkpoint);
        }
        QCOMPARE(trained.document.undoStack().count(), 1);
        trained.step();
        QCOMPARE(trained.at(), core::Index(8));
        QVERIFY(trained.hasWeights(test::trained(smallRecipe(), 8)));
        const core::History &history = trained.state().training->history;
        QVERIFY(isRising(history));
        QVERIFY(history.back().step <= 8); // the history after step 8 is discarded
        QCOMPARE(trained.controller.checkpoints().all().back().step, core::Index(8));
        trained.document.undoStack().undo();
        QCOMPARE(trained.at(), core::Index(0));
    }

    void again_from_the_seed() {
        Trained trained;
        const core::ModelParameters first = trained.weights();
        trained.train();
        QVERIFY(trained.controller.beginAgain().ok());
        trained.settle();
        QVERIFY(test::sameNumbers(trained.weights(), first));
        QCOMPARE(trained.at(), core::Index(0));
        QVERIFY(trained.state().training->history.empty());
        QCOMPARE(trained.controller.checkpoints().all().size(), std::size_t(1));
        trained.train();
        QVERIFY(trained.hasWeights(test::trained(smallRecipe(), smallRecipe().steps)));
        QCOMPARE(trained.document.undoStack().count(), 3);
        trained.document.undoStack().setIndex(1);
        QCOMPARE(trained.at(), smallRecipe().steps);
    }

    void a_run_that_diverges_says_so_and_keeps_what_was_shown() {
        Trained trained(test::overflowingRecipe());
        QString said;
        connect(&trained.controller, &TrainingController::diverged, this,
                [&said](const core::Error &error) { said = error.text().c_str(); });
        QVERIFY(trained.controller.start().ok());
        trained.untilIdle();
        QVERIFY(test::says(said, "NaN or infinite"));
        QVERIFY(trained.at() < 200);
        QVERIFY(!trained.state().training->history.empty());
        for (const core::ParameterId &id : core::allParameters(trained.weights()))
            if (const core::Parameter &parameter = parameterOf(trained.weights(), id))
                for (core::Index row = 0; row < parameter->rows(); ++row)
                    for (core::Index column = 0; column < parameter->columns(); ++column)
                        QVERIFY(std::isfinite((*parameter)(row, column)));
        QVERIFY(trained.controller.bestCheckpoint());
        trained.show(*trained.controller.bestCheckpoint());
        QVERIFY(trained.controller.checkpoints().all().size() >= 1);
    }

    void what_cannot_be_computed_is_not_left_on_the_screen() {
        Trained trained(test::overflowingRecipe());
        QVERIFY(trained.controller.oneBatch().ok());
        trained.untilIdle();
        QCOMPARE(trained.at(), core::Index(0));
        QCOMPARE(trained.state().training->history.size(),
                 std::size_t(1)); // only the entry before the first step
        QVERIFY(!trained.document.traceIsStale());
    }

    void a_task_that_is_not_known_is_said() {
        ui::OpenedSource source = test::trainingSession();
        core::TrainingRun run = *source.state.training;
        run.recipe.task = "from the future";
        source.state.training = std::make_shared<const core::TrainingRun>(std::move(run));
        Document document;
        TrainingController controller(document);
        document.open(std::move(source));
        QVERIFY(controller.unavailableReason().contains("from the future"));
        QVERIFY(!controller.start().ok());
        QVERIFY(!controller.oneBatch().ok());
        QVERIFY(!controller.beginAgain().ok());
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
            for (std::size_t i = 1; i + 1 < kept.all().size(); ++i) { // skips the newest checkpoint
                const core::Index apart = kept.all()[i].step - kept.all()[i - 1].step;
                least = std::min(least, apart);
                most = std::max(most, apart);
            }
            QVERIFY2(most <= 2 * least, test::said("%1 %2", least, most));
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
        QVERIFY(kept.all().size() <= 5); // each checkpoint has two models
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

HEADLIGHT_GUILESS_TEST(LearnerTest)
#include "tst_training_controller.moc"
