// An ablation study in a document. Training both runs is one undo step, and both are saved, moved
// to checkpoints and restarted together. Side A shows the ablated run at the same checkpoint.
#include "core/training/run/ablation_study.h"
#include "tests/ui/document/training_fixture.h"

namespace {

struct Racing : Trained {
    explicit Racing(core::Ablation ablation = core::Ablation::NoResidual,
                    const core::Recipe &recipe = smallRecipe())
        : Trained(recipe, ablation) {}
    const core::TrainingRun &run() const { return *document.state().training; }
    const core::TrainingState &ablated() const { return run().ablated->state; }
    /// True if the ablated run has the same parameters as the ablated run of `study`.
    bool isAblatedAs(const core::TrainingState &study) const {
        return test::sameNumbers(ablated().model.parameters, study.ablated->state.model.parameters);
    }
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
    core::AblationStudy race = test::valueOf(core::AblationStudy::create(std::move(state), task));
    for (core::Index step = 0; step < steps; ++step)
        if (const core::Outcome outcome = race.advance(); !outcome)
            qFatal("%s", outcome.error().text().c_str());
    return race.state();
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
        QVERIFY(race.hasWeights(straight));
        QVERIFY(race.isAblatedAs(straight));
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
        // Side A reads the text that the user types.
        race.type("a b a");
        race.untilIdle();
        QCOMPARE(race.traceOfA()->batch()[0].length, core::Index(3));
        // A pinned side A is not replaced. The ablated run can be shown again.
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
        race.step(6);
        const auto &kept = race.controller.checkpoints();
        QVERIFY(kept.all().size() >= 4);
        race.show(2);
        const ui::Checkpoint &checkpoint = kept.all()[2];
        QCOMPARE(race.run().step, checkpoint.step);
        QCOMPARE(race.ablated().step, checkpoint.step);
        QVERIFY(race.isAblatedAs(raced(core::Ablation::NoResidual, checkpoint.step)));
        QVERIFY(race.showsAblated());
        QVERIFY(race.ablated().history.back().step >= 5); // the ablated run's curves are complete
        // From this step, both runs continue exactly as before.
        while (race.run().step < 6)
            race.step();
        QVERIFY(race.isAblatedAs(raced(core::Ablation::NoResidual, 6)));
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
};

HEADLIGHT_GUILESS_TEST(RacingTest)
#include "tst_ablation_study.moc"
