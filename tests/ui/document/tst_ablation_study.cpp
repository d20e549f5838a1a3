// An ablation study in a document: both runs learn as one undo step, are saved, scrubbed and
// restarted together. Side A shows the ablated run at the shown checkpoint.
#include "core/training/run/ablation_study.h"
#include "tests/support/test_main.h"
#include "tests/support/training.h"
#include "ui/document/edits/text_edits.h"
#include "ui/document/training_controller.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>
#include <variant>

using namespace headlight;
using test::smallRecipe;
using ui::Document;
using ui::TrainingController;

namespace {

struct Racing {
    Document document;
    TrainingController controller{document};

    explicit Racing(core::Ablation ablation = core::Ablation::NoResidual,
                    const core::Recipe &recipe = smallRecipe()) {
        document.open(test::trainingSession(recipe, ablation));
        untilIdle();
    }
    void untilIdle() {
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy() && !document.isBusy() &&
                        !document.traceIsStale() && !document.comparison().isComputing());
    }
    void train() {
        QVERIFY(controller.start().ok());
        untilIdle();
    }
    void step() {
        QVERIFY(controller.oneBatch().ok());
        untilIdle();
    }
    const core::TrainingRun &run() const { return *document.state().training; }
    const core::TrainingState &ablated() const { return run().ablated->state; }
    core::TracePointer traceOfA() const { return document.comparison().compared().a; }
    /// True if side A is computed with the parameters of the ablated run.
    bool showsAblated() const {
        return traceOfA() && traceOfA()->model().parameters == ablated().model.parameters;
    }
};

/// Returns the state of the same study, run without a window.
core::TrainingState raced(core::Ablation ablation, core::Index steps) {
    const core::TaskPointer task = core::findTask("repeat");
    core::TrainingState state;
    state.recipe = smallRecipe();
    state.model = *core::initialModel(task->info(), state.recipe.architecture, state.recipe.seed);
    state.ablated = *core::firstAblatedRun(state.recipe, ablation, task->info());
    core::Result<core::AblationStudy> race = core::AblationStudy::create(std::move(state), task);
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
        const core::ModelParameters first = race.ablated().model.parameters;
        race.train();
        QCOMPARE(race.run().step, smallRecipe().steps);
        QCOMPARE(race.ablated().step, smallRecipe().steps);
        QVERIFY(race.controller.isDone());
        const core::TrainingState straight = raced(core::Ablation::NoResidual, smallRecipe().steps);
        QVERIFY(
            test::sameNumbers(race.document.state().model.parameters, straight.model.parameters));
        QVERIFY(test::sameNumbers(race.ablated().model.parameters,
                                  straight.ablated->state.model.parameters));
        QVERIFY(race.run().history.back().heldOut);
        QVERIFY(race.ablated().history.back().heldOut);
        QVERIFY(race.showsAblated());
        QCOMPARE(race.document.undoStack().count(), 1);
        race.document.undoStack().undo();
        race.untilIdle();
        QCOMPARE(race.ablated().step, core::Index(0));
        QVERIFY(test::sameNumbers(race.ablated().model.parameters, first));
        QVERIFY(race.showsAblated());
        race.document.undoStack().redo();
        race.untilIdle();
        QCOMPARE(race.ablated().step, smallRecipe().steps);
        QVERIFY(race.showsAblated());
    }

    void the_rival_is_A_and_follows() {
        Racing race;
        QVERIFY(race.document.comparison().isAblated());
        QVERIFY(race.document.comparison().compared().name.contains("without residual"));
        QVERIFY(!race.traceOfA()->model().config.residual);
        QVERIFY(race.showsAblated());
        race.step();
        QCOMPARE(race.ablated().step, core::Index(1));
        QVERIFY(race.showsAblated());
        // It reads the typed text.
        QVERIFY(
            race.document
                .apply(ui::edits::setText(race.document.state(), race.document.textId(), "a b a"))
                .ok());
        race.untilIdle();
        QCOMPARE(race.traceOfA()->batch()[0].length, core::Index(3));
        // A pinned side A stays. The ablated run can be shown again.
        race.document.comparison().pin();
        QVERIFY(!race.document.comparison().isAblated());
        race.step();
        QVERIFY(!race.showsAblated());
        race.document.comparison().compareWithAblated();
        race.untilIdle();
        QVERIFY(race.showsAblated());
    }

    void without_a_mask_it_reads_without_one() {
        Racing race(core::Ablation::NoMask);
        QVERIFY(hasCausalMask(race.document.state().input));
        QVERIFY(!hasCausalMask(race.traceOfA()->input()));
    }

    void scrubbing_shows_both_at_that_moment() {
        Racing race;
        for (int step = 0; step < 6; ++step)
            race.step();
        const auto &kept = race.controller.checkpoints();
        QVERIFY(kept.all().size() >= 4);
        race.controller.show(2);
        race.untilIdle();
        const ui::Checkpoint &checkpoint = kept.all()[2];
        QCOMPARE(race.run().step, checkpoint.step);
        QCOMPARE(race.ablated().step, checkpoint.step);
        QVERIFY(test::sameNumbers(
            race.ablated().model.parameters,
            raced(core::Ablation::NoResidual, checkpoint.step).ablated->state.model.parameters));
        QVERIFY(race.showsAblated());
        QVERIFY(race.ablated().history.back().step >= 5); // its curves are complete
        // Both runs continue from there exactly as before.
        while (race.run().step < 6)
            race.step();
        QVERIFY(test::sameNumbers(
            race.ablated().model.parameters,
            raced(core::Ablation::NoResidual, 6).ablated->state.model.parameters));
    }

    void again_from_the_seed() {
        Racing race;
        race.step();
        race.step();
        QVERIFY(race.controller.beginAgain().ok());
        race.untilIdle();
        QCOMPARE(race.run().step, core::Index(0));
        QCOMPARE(race.ablated().step, core::Index(0));
        QVERIFY(race.ablated().history.empty());
        QVERIFY(test::sameNumbers(
            race.ablated().model.parameters,
            raced(core::Ablation::NoResidual, 0).ablated->state.model.parameters));
        QVERIFY(race.showsAblated());
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
        QCOMPARE(again.ablated().step, core::Index(5));
        QVERIFY(again.showsAblated());
        QVERIFY(!again.document.isModified());
        again.train();
        QVERIFY(test::sameNumbers(again.ablated().model.parameters,
                                  raced(core::Ablation::NoResidual, smallRecipe().steps)
                                      .ablated->state.model.parameters));
    }

    void a_rival_that_ends_does_not_end_the_run() {
        Racing race;
        // The parameters of the ablated run overflow in the first step.
        auto broken = std::make_shared<core::AblatedRun>(*race.run().ablated);
        const core::ParameterId id{0, core::ParameterKind::Query};
        core::Matrix query = *parameterOf(broken->state.model.parameters, id)->toMatrix();
        for (float &number : query.view().row(0))
            number = std::numeric_limits<float>::max();
        parameterOf(broken->state.model.parameters, id) = core::makeParameter(std::move(query));
        auto run = std::make_shared<core::TrainingRun>(race.run());
        run->ablated = broken;
        ui::Edit edit{race.document.state(), {}};
        edit.state.training = run;
        QVERIFY(race.document.apply(ui::checked(std::move(edit))).ok());
        HEADLIGHT_UNTIL(!race.document.comparison().isComputing());
        QSignalSpy ended(&race.controller, &TrainingController::ablatedDiverged);
        QSignalSpy diverged(&race.controller, &TrainingController::diverged);
        race.train();
        QCOMPARE(ended.count(), 1);
        QCOMPARE(diverged.count(), 0);
        QCOMPARE(race.run().step, smallRecipe().steps);
        QCOMPARE(race.ablated().step, core::Index(0));
    }

    void a_run_that_ends_does_not_end_the_rival() {
        core::Recipe recipe = smallRecipe();
        recipe.architecture.norm = core::NormKind::None;
        recipe.optimizer.learningRate = 1000;
        recipe.optimizer.warmUp = 0;
        recipe.optimizer.clip = 0;
        recipe.optimizer.kind = core::OptimizerKind::Sgd;
        Racing race(core::Ablation::NoPositions, recipe);
        QSignalSpy diverged(&race.controller, &TrainingController::diverged);
        QVERIFY(race.controller.start().ok());
        HEADLIGHT_UNTIL(!race.controller.isRunning() && !race.controller.isBusy());
        QCOMPARE(diverged.count(), 1);
        QVERIFY(race.run().step < recipe.steps);
        // The shown checkpoint has a trace.
        HEADLIGHT_UNTIL(!race.document.traceIsStale());
        QVERIFY(race.document.trace());
    }
};

HEADLIGHT_GUILESS_TEST(RacingTest)
#include "tst_ablation_study.moc"
