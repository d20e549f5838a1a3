// A race in a document: both learn, both are one undo step, saved, scrubbed and begun again, and
// side A is the rival at the moment that is shown.
#include "core/training/run/race.h"
#include "tests/support/test_main.h"
#include "tests/support/training.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/learner.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>
#include <variant>

using namespace headlight;
using test::smallRecipe;
using ui::Document;
using ui::Learner;

namespace {

struct Racing {
    Document document;
    Learner learner{document};

    explicit Racing(core::RaceSwitch turned = core::RaceSwitch::NoResidual,
                    const core::Recipe &recipe = smallRecipe()) {
        document.open(test::trainingSession(recipe, turned));
        untilIdle();
    }
    void untilIdle() {
        HEADLIGHT_UNTIL(!learner.isRunning() && !learner.isBusy() && !document.isBusy() &&
                        !document.traceIsStale() && !document.comparison().isComputing());
    }
    void train() {
        QVERIFY(learner.start().ok());
        untilIdle();
    }
    void step() {
        QVERIFY(learner.oneBatch().ok());
        untilIdle();
    }
    const core::TrainingRun &run() const { return *document.state().training; }
    const core::TrainingState &rival() const { return run().rival->state; }
    core::TracePointer traceOfA() const { return document.comparison().compared().a; }
    /// A is computed of the rival's own numbers.
    bool showsRival() const {
        return traceOfA() && traceOfA()->model().weights == rival().model.weights;
    }
};

/// The same race without a window.
core::TrainingState raced(core::RaceSwitch turned, core::Index steps) {
    const core::TaskPointer task = core::findTask("repeat");
    core::TrainingState state;
    state.recipe = smallRecipe();
    state.model = *core::initialModel(task->info(), state.recipe.architecture, state.recipe.seed);
    state.rival = *core::firstRival(state.recipe, turned, task->info());
    core::Result<core::Race> race = core::Race::create(std::move(state), task);
    if (!race)
        qFatal("%s", race.error().text().c_str());
    for (core::Index step = 0; step < steps; ++step)
        if (const core::Outcome outcome = race->advance(); !outcome)
            qFatal("%s", outcome.error().text().c_str());
    return race->state();
}

bool hasCausalMask(const core::Input &input) {
    return std::ranges::any_of(input.masks, [](const auto &mask) {
        return std::holds_alternative<core::CausalMask>(mask);
    });
}

} // namespace

class RacingTest : public QObject {
    Q_OBJECT
  private slots:
    void both_learn_and_are_one_undo_step() {
        Racing race;
        const core::Weights first = race.rival().model.weights;
        race.train();
        QCOMPARE(race.run().step, smallRecipe().steps);
        QCOMPARE(race.rival().step, smallRecipe().steps);
        QVERIFY(race.learner.isDone());
        const core::TrainingState straight =
            raced(core::RaceSwitch::NoResidual, smallRecipe().steps);
        QVERIFY(test::sameNumbers(race.document.state().model.weights, straight.model.weights));
        QVERIFY(test::sameNumbers(race.rival().model.weights, straight.rival->state.model.weights));
        QVERIFY(race.run().history.back().heldOut);
        QVERIFY(race.rival().history.back().heldOut);
        QVERIFY(race.showsRival());
        QCOMPARE(race.document.undoStack().count(), 1);
        race.document.undoStack().undo();
        race.untilIdle();
        QCOMPARE(race.rival().step, core::Index(0));
        QVERIFY(test::sameNumbers(race.rival().model.weights, first));
        QVERIFY(race.showsRival());
        race.document.undoStack().redo();
        race.untilIdle();
        QCOMPARE(race.rival().step, smallRecipe().steps);
        QVERIFY(race.showsRival());
    }

    void the_rival_is_A_and_follows() {
        Racing race;
        QVERIFY(race.document.comparison().isRival());
        QVERIFY(race.document.comparison().compared().name.contains("without residual"));
        QVERIFY(!race.traceOfA()->model().config.residual);
        QVERIFY(race.showsRival());
        race.step();
        QCOMPARE(race.rival().step, core::Index(1));
        QVERIFY(race.showsRival());
        // It reads what is typed.
        QVERIFY(race.document
                    .apply(ui::edits::setText(race.document.state(), race.document.textPlace(),
                                              "a b a"))
                    .ok());
        race.untilIdle();
        QCOMPARE(race.traceOfA()->batch()[0].length, core::Index(3));
        // What is pinned instead stays; it can be had back.
        race.document.comparison().pin();
        QVERIFY(!race.document.comparison().isRival());
        race.step();
        QVERIFY(!race.showsRival());
        race.document.comparison().compareWithRival();
        race.untilIdle();
        QVERIFY(race.showsRival());
    }

    void without_a_mask_it_reads_without_one() {
        Racing race(core::RaceSwitch::NoMask);
        QVERIFY(hasCausalMask(race.document.state().input));
        QVERIFY(!hasCausalMask(race.traceOfA()->input()));
    }

    void scrubbing_shows_both_at_that_moment() {
        Racing race;
        for (int step = 0; step < 6; ++step)
            race.step();
        const auto &kept = race.learner.checkpoints();
        QVERIFY(kept.all().size() >= 4);
        race.learner.show(2);
        race.untilIdle();
        const ui::Checkpoint &moment = kept.all()[2];
        QCOMPARE(race.run().step, moment.step);
        QCOMPARE(race.rival().step, moment.step);
        QVERIFY(test::sameNumbers(
            race.rival().model.weights,
            raced(core::RaceSwitch::NoResidual, moment.step).rival->state.model.weights));
        QVERIFY(race.showsRival());
        QVERIFY(race.rival().history.back().step >= 5); // its curves are whole
        // From there both go on as they went before.
        while (race.run().step < 6)
            race.step();
        QVERIFY(
            test::sameNumbers(race.rival().model.weights,
                              raced(core::RaceSwitch::NoResidual, 6).rival->state.model.weights));
    }

    void again_from_the_seed() {
        Racing race;
        race.step();
        race.step();
        QVERIFY(race.learner.beginAgain().ok());
        race.untilIdle();
        QCOMPARE(race.run().step, core::Index(0));
        QCOMPARE(race.rival().step, core::Index(0));
        QVERIFY(race.rival().history.empty());
        QVERIFY(
            test::sameNumbers(race.rival().model.weights,
                              raced(core::RaceSwitch::NoResidual, 0).rival->state.model.weights));
        QVERIFY(race.showsRival());
    }

    void saved_and_continued() {
        Racing race;
        for (int step = 0; step < 5; ++step)
            race.step();
        QTemporaryDir folder;
        const QString path = folder.filePath("race.headlight");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(race.document.snapshot({}).bytes()));
        file.close();
        Racing again;
        again.document.open(test::opened(path));
        again.untilIdle();
        QCOMPARE(again.rival().step, core::Index(5));
        QVERIFY(again.showsRival());
        QVERIFY(!again.document.isModified());
        again.train();
        QVERIFY(test::sameNumbers(
            again.rival().model.weights,
            raced(core::RaceSwitch::NoResidual, smallRecipe().steps).rival->state.model.weights));
    }

    void a_rival_that_ends_does_not_end_the_run() {
        Racing race;
        // One number of the rival's overflows at once.
        auto broken = std::make_shared<core::Rival>(*race.run().rival);
        const core::ParameterId id{0, core::ParameterKind::Query};
        core::Matrix query = *parameterOf(broken->state.model.weights, id)->toMatrix();
        for (float &number : query.view().row(0))
            number = std::numeric_limits<float>::max();
        parameterOf(broken->state.model.weights, id) = core::makeParameter(std::move(query));
        auto run = std::make_shared<core::TrainingRun>(race.run());
        run->rival = broken;
        ui::Change change{race.document.state(), {}};
        change.state.training = run;
        QVERIFY(race.document.apply(std::move(change)).ok());
        HEADLIGHT_UNTIL(!race.document.comparison().isComputing());
        QSignalSpy ended(&race.learner, &Learner::rivalDiverged);
        QSignalSpy diverged(&race.learner, &Learner::diverged);
        race.train();
        QCOMPARE(ended.count(), 1);
        QCOMPARE(diverged.count(), 0);
        QCOMPARE(race.run().step, smallRecipe().steps);
        QCOMPARE(race.rival().step, core::Index(0));
    }

    void a_run_that_ends_does_not_end_the_rival() {
        core::Recipe recipe = smallRecipe();
        recipe.architecture.norm = core::NormKind::None;
        recipe.optimizer.learningRate = 1000;
        recipe.optimizer.warmUp = 0;
        recipe.optimizer.clip = 0;
        recipe.optimizer.kind = core::OptimizerKind::Sgd;
        Racing race(core::RaceSwitch::NoPositions, recipe);
        QSignalSpy diverged(&race.learner, &Learner::diverged);
        QVERIFY(race.learner.start().ok());
        HEADLIGHT_UNTIL(!race.learner.isRunning() && !race.learner.isBusy());
        QCOMPARE(diverged.count(), 1);
        QVERIFY(race.run().step < recipe.steps);
        // What is shown can be looked at.
        HEADLIGHT_UNTIL(!race.document.traceIsStale());
        QVERIFY(race.document.trace());
    }
};

HEADLIGHT_GUILESS_TEST(RacingTest)
#include "tst_racing.moc"
