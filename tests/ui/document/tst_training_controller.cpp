// Training in a document: one undo step per run, exact pauses, edits in between, checkpoints to
// return to, and saving.
#include "core/formats/session/data/session.h"
#include "tests/support/test_main.h"
#include "tests/support/training.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/training_controller.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace headlight;
using test::smallRecipe;
using ui::Document;
using ui::TrainingController;

namespace {

const ui::MatrixId kQuery{ui::MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, {}, 0};

/// After one step, its parameters are finite, but its scores overflow.
core::Recipe overflowingRecipe() {
    core::Recipe recipe = smallRecipe(200);
    recipe.optimizer.learningRate = 1e30f;
    recipe.optimizer.clip = 0;
    recipe.optimizer.warmUp = 0;
    recipe.architecture.norm = core::NormKind::None;
    return recipe;
}

struct Trained {
    Document document;
    TrainingController controller{document};

    explicit Trained(const core::Recipe &recipe = smallRecipe()) {
        document.open(test::trainingSession(recipe));
        settle();
    }
    void settle() { QVERIFY(test::settled(document)); }
    /// Waits until training has stopped and everything is shown.
    void untilIdle() {
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
        settle();
    }
    void train() {
        QVERIFY(controller.start().ok());
        untilIdle();
    }
    void step() {
        QVERIFY(controller.oneBatch().ok());
        untilIdle();
    }
    const ui::DocumentState &state() const { return document.state(); }
    const core::ModelParameters &weights() const { return state().model.parameters; }
    core::Index at() const { return state().training->step; }
};

bool isRising(const core::History &history) {
    return std::ranges::adjacent_find(history, [](const auto &a, const auto &b) {
               return a.step >= b.step;
           }) == history.end();
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
        QVERIFY(test::sameNumbers(trained.weights(), straight.model.parameters));
        QVERIFY(isRising(trained.state().training->history));
        QVERIFY(trained.state().training->history.back().heldOut);
        QCOMPARE(trained.document.undoStack().count(), 1);
        QVERIFY(trained.document.isModified());
        QVERIFY(trained.document.trace()->model().parameters == trained.weights());
        trained.document.undoStack().undo();
        QVERIFY(test::sameNumbers(trained.weights(), first));
        QCOMPARE(trained.at(), core::Index(0));
        trained.document.undoStack().redo();
        QVERIFY(test::sameNumbers(trained.weights(), straight.model.parameters));
        QCOMPARE(trained.at(), smallRecipe().steps);
    }

    void paused_saved_and_continued_is_the_same_to_the_last_bit() {
        Trained trained;
        for (int step = 0; step < 5; ++step)
            trained.step();
        QCOMPARE(trained.at(), core::Index(5));
        QCOMPARE(trained.document.undoStack().count(), 1);
        const core::Result<core::Session> saved =
            core::readSession(trained.document.snapshot({}).bytes());
        QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
        QVERIFY(saved->now && saved->now->training);
        QCOMPARE(saved->now->training->step, core::Index(5));

        QTemporaryDir folder;
        const QString path = folder.filePath("run.headlight");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(trained.document.snapshot({}).bytes()));
        file.close();
        Trained again;
        again.document.open(test::opened(path));
        again.settle();
        QCOMPARE(again.at(), core::Index(5));
        QVERIFY(!again.document.isModified());
        again.train();
        QVERIFY(test::sameNumbers(
            again.weights(), test::trained(smallRecipe(), smallRecipe().steps).model.parameters));
        QVERIFY(isRising(again.state().training->history));
    }

    void a_figure_carries_the_curves_and_not_what_only_a_trainer_needs() {
        Trained trained;
        trained.step();
        trained.step();
        const ui::Snapshot snapshot = trained.document.snapshot({});
        const core::Result<core::Session> carried = core::readSession(snapshot.carriedBytes());
        QVERIFY(carried.ok());
        QCOMPARE(carried->now->training->step, core::Index(2));
        QCOMPARE(carried->now->training->history.size(), trained.state().training->history.size());
        QVERIFY(!carried->now->training->firstMoment.main.layers[0].selfAttention.query);
        QVERIFY(snapshot.bytes().size() > snapshot.carriedBytes().size());
    }

    void pause_keeps_what_was_reached() {
        Trained trained(smallRecipe(100'000));
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > 0);
        QVERIFY(!trained.controller.isPausing());
        QSignalSpy changed(&trained.controller, &TrainingController::changed);
        trained.controller.pause();
        QVERIFY(trained.controller.isPausing()); // reported at once, before the step is abandoned
        QCOMPARE(changed.count(), 1);
        trained.untilIdle();
        QVERIFY(!trained.controller.isPausing());
        const core::Index reached = trained.at();
        QVERIFY(reached > 0 && reached < 100'000);
        QVERIFY(test::sameNumbers(trained.weights(),
                                  test::trained(smallRecipe(100'000), reached).model.parameters));
        QVERIFY(trained.controller.stepsPerSecond() > 0);
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > reached);
        trained.controller.pause();
        trained.untilIdle();
        QCOMPARE(trained.document.undoStack().count(), 1); // still part of the same run
    }

    void what_it_reaches_is_shown_thirty_times_a_second_at_most() {
        Trained trained(smallRecipe(core::kMaximumSteps));
        int shown = 0;
        connect(&trained.document, &Document::changed, this,
                [&shown](const ui::ChangeEvent &event) {
                    shown += ui::is<ui::StateChanged>(event) ? 1 : 0;
                });
        const qint64 begun = QDateTime::currentMSecsSinceEpoch();
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(shown >= 15);
        const qint64 passed = QDateTime::currentMSecsSinceEpoch() - begun;
        // Fifteen updates are fourteen intervals of 33 ms, which timers may shorten to 31 ms.
        QVERIFY2(passed >= 14 * 31, qPrintable(QString::number(passed)));
        QVERIFY(trained.at() > 15); // training does not wait for the view
        trained.controller.pause();
        trained.untilIdle();
    }

    void edits_between_two_steps_are_edits_and_training_goes_on_from_them() {
        Trained trained;
        trained.step();
        trained.step();
        QVERIFY(
            trained.document.apply(ui::edits::setCells(trained.state(), kQuery, {{0, 0, 0.75f}}))
                .ok());
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
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > 0);
        const core::Index at = trained.at();
        QVERIFY(trained.document.apply(ui::edits::setCells(trained.state(), kQuery, {{0, 0, 40}}))
                    .ok());
        QVERIFY(trained.controller.isRunning());
        HEADLIGHT_UNTIL(trained.at() > at);
        trained.controller.pause();
        trained.untilIdle();
        // Training does not undo the edit.
        QVERIFY((*trained.weights().main.layers[0].selfAttention.query)(0, 0) > 1);
        QCOMPARE(trained.document.undoStack().count(), 3);
    }

    void another_text_does_not_stop_it() {
        Trained trained(smallRecipe(100'000));
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > 0);
        QVERIFY(
            trained.document
                .apply(ui::edits::setText(trained.state(), trained.document.textId(), "a b a b"))
                .ok());
        const core::Index at = trained.at();
        HEADLIGHT_UNTIL(trained.at() > at);
        QVERIFY(trained.controller.isRunning());
        QCOMPARE((*trained.state().input.batch)[0].length, core::Index(4));
        trained.controller.pause();
        trained.untilIdle();
    }

    void undo_while_it_runs_stops_it_there() {
        Trained trained(smallRecipe(100'000));
        const core::ModelParameters first = trained.weights();
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > 0);
        trained.document.undoStack().undo();
        QVERIFY(!trained.controller.isRunning());
        QVERIFY(test::idle(trained.controller));
        trained.settle();
        QCOMPARE(trained.at(), core::Index(0));
        QVERIFY(test::sameNumbers(trained.weights(), first));
    }

    void another_document_ends_it() {
        Trained trained(smallRecipe(100'000));
        QVERIFY(trained.controller.start().ok());
        HEADLIGHT_UNTIL(trained.at() > 0);
        trained.document.open(test::opened("cat"));
        QVERIFY(!trained.controller.isRunning());
        QVERIFY(test::idle(trained.controller));
        trained.settle();
        QVERIFY(!trained.state().training);
        QVERIFY(!trained.document.undoStack().canUndo());
        QVERIFY(!trained.controller.unavailableReason().isEmpty());
        QVERIFY(!trained.controller.start().ok());
        QVERIFY(trained.controller.checkpoints().isEmpty());
        QVERIFY(trained.document.apply(ui::edits::setCells(trained.state(), kQuery, {{0, 0, 1}}))
                    .ok()); // an edit while no training runs
    }

    void every_moment_that_was_kept_can_be_shown_and_gone_on_from() {
        Trained trained;
        trained.train();
        const auto &kept = trained.controller.checkpoints().all();
        QCOMPARE(kept.size(), std::size_t(smallRecipe().steps + 1));
        QCOMPARE(*trained.controller.shownCheckpoint(), kept.size() - 1);
        const std::size_t curves = trained.state().training->history.size();
        for (const std::size_t checkpoint : {std::size_t(0), std::size_t(7)}) {
            trained.controller.show(checkpoint);
            trained.settle();
            QCOMPARE(trained.at(), core::Index(checkpoint));
            QVERIFY(test::sameNumbers(
                trained.weights(),
                test::trained(smallRecipe(), core::Index(checkpoint)).model.parameters));
            QVERIFY(trained.document.trace()->model().parameters == trained.weights());
            QCOMPARE(trained.state().training->history.size(),
                     curves); // all of the history is visible
            QCOMPARE(*trained.controller.shownCheckpoint(), checkpoint);
        }
        QCOMPARE(trained.document.undoStack().count(), 1);
        trained.step();
        QCOMPARE(trained.at(), core::Index(8));
        QVERIFY(
            test::sameNumbers(trained.weights(), test::trained(smallRecipe(), 8).model.parameters));
        const core::History &history = trained.state().training->history;
        QVERIFY(isRising(history));
        QVERIFY(history.back().step <=
                8); // the later history belonged to the abandoned continuation
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
        QVERIFY(test::sameNumbers(
            trained.weights(), test::trained(smallRecipe(), smallRecipe().steps).model.parameters));
        QCOMPARE(trained.document.undoStack().count(), 3);
        trained.document.undoStack().setIndex(1);
        QCOMPARE(trained.at(), smallRecipe().steps);
    }

    void a_run_that_diverges_says_so_and_keeps_what_was_shown() {
        Trained trained(overflowingRecipe());
        QString said;
        connect(&trained.controller, &TrainingController::diverged, this,
                [&said](const core::Error &error) { said = error.text().c_str(); });
        QVERIFY(trained.controller.start().ok());
        trained.untilIdle();
        QVERIFY2(said.contains("NaN or infinite"), qPrintable(said));
        QVERIFY(trained.at() < 200);
        QVERIFY(!trained.state().training->history.empty());
        for (const core::ParameterId &id : core::allParameters(trained.weights()))
            if (const core::Parameter &parameter = parameterOf(trained.weights(), id))
                for (core::Index row = 0; row < parameter->rows(); ++row)
                    for (core::Index column = 0; column < parameter->columns(); ++column)
                        QVERIFY(std::isfinite((*parameter)(row, column)));
        QVERIFY(trained.controller.bestCheckpoint());
        trained.controller.show(*trained.controller.bestCheckpoint());
        trained.settle();
        QVERIFY(trained.controller.checkpoints().all().size() >= 1);
    }

    void what_cannot_be_computed_is_not_left_on_the_screen() {
        Trained trained(overflowingRecipe());
        QVERIFY(trained.controller.oneBatch().ok());
        trained.untilIdle();
        QCOMPARE(trained.at(), core::Index(0));
        QCOMPARE(trained.state().training->history.size(), std::size_t(1)); // the model was created
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
};

HEADLIGHT_GUILESS_TEST(LearnerTest)
#include "tst_training_controller.moc"
