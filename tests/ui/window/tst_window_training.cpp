// Training in the window: a new run from its dialog, views that follow it, and divergence.
#include "core/training/run/ablated_run.h"
#include "tests/support/training.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/window/training/new_run_fields.h"

namespace {

struct RunDialog {
    ui::NewRunDialog dialog;

    RunDialog() {
        dialog.show();
        (void)test::exposed(dialog);
    }
    template <typename Widget>
    Widget *find(const char *name) const {
        return test::find<Widget>(dialog, name);
    }
    void choose(const char *name, const QString &data) const {
        auto *box = find<QComboBox>(name);
        const int index = box->findData(data);
        if (index < 0)
            qFatal("no choice %s", qPrintable(data));
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(box, Qt::Key_Down);
    }
    bool canCreate() const { return find<QPushButton>("createRun")->isEnabled(); }
    QString summary() const { return find<QLabel>("newRunSummary")->text(); }
};

QAction *actionOf(const ui::MainWindow &window, const QKeySequence &key) {
    for (QAction *action : window.findChildren<QAction *>())
        if (action->shortcut() == key)
            return action;
    qFatal("no action %s", qPrintable(key.toString()));
}

/// A window with a run.
struct RunWindow : WindowFixture {
    explicit RunWindow(ui::OpenedSource run) : WindowFixture("cat") {
        window.open(std::move(run));
        settle();
    }
    void train() {
        ui::TrainingController &controller = window.findChild<ui::TrainingView *>()->controller();
        QVERIFY(controller.start().ok());
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
        settle();
    }
};

ui::TrainingView &trainingOf(const WindowFixture &fixture) {
    return *fixture.window.findChild<ui::TrainingView *>();
}

} // namespace

class WindowTrainingTest : public QObject {
    Q_OBJECT
  private slots:
    void sizes_change_the_model_and_what_cannot_be_is_said() {
        RunDialog fixture;
        const QString before = fixture.summary();
        auto *heads = fixture.find<QSpinBox>("runHeads");
        auto *layers = fixture.find<QSpinBox>("runLayers");
        layers->setFocus();
        QTest::keyClick(layers, Qt::Key_Up);
        QVERIFY(fixture.summary() != before);
        QCOMPARE(fixture.dialog.session().state.model.layerCount(), core::Index(layers->value()));
        heads->setValue(3); // not a divisor of the width 32
        QVERIFY(!fixture.canCreate());
        QVERIFY2(fixture.summary().startsWith("3 heads cannot share a width of 32"),
                 qPrintable(fixture.summary()));
        heads->setValue(4);
        QVERIFY(fixture.canCreate());
        auto *preset = fixture.find<QComboBox>("runPreset");
        preset->setFocus();
        QTest::keyClick(preset, Qt::Key_Home);
        QTest::keyClick(preset, Qt::Key_Down);
        QVERIFY(fixture.canCreate());
        fixture.find<QCheckBox>("runResidual")->click();
        QVERIFY(!fixture.dialog.session().state.model.config.residual);
    }

    void aNewTaskKeepsTheSeed() {
        RunDialog fixture;
        const auto recipe = [&] { return fixture.dialog.session().state.training->recipe; };
        QCOMPARE(recipe().seed, std::uint64_t(1));
        fixture.find<QSpinBox>("runSeed")->setValue(42);
        fixture.choose("runTask", "sort");
        QCOMPARE(recipe().task, std::string("sort"));
        QCOMPARE(recipe().seed, std::uint64_t(42));
        fixture.choose("runTask", "reverse"); // a second change of the task also keeps the seed
        QCOMPARE(recipe().seed, std::uint64_t(42));
        fixture.find<QSpinBox>("runLayers")->setValue(8);
        auto *preset = fixture.find<QComboBox>("runPreset");
        preset->setFocus();
        QTest::keyClick(preset, Qt::Key_Home); // selects "Model for this task"
        QCOMPARE(preset->currentIndex(), 0);
        QVERIFY(recipe().architecture.layers < 8);
        QCOMPARE(recipe().seed, std::uint64_t(42));
        // The field cannot show this seed, but keeps it.
        core::Recipe large = recipe();
        large.seed = std::uint64_t(1) << 40;
        fixture.dialog.setRecipe(large);
        QCOMPARE(recipe().seed, std::uint64_t(1) << 40);
        fixture.find<QSpinBox>("runSeed")->setValue(7);
        QCOMPARE(recipe().seed, std::uint64_t(7));
    }

    /// The form has fewer settings than the command line, but keeps the values that it does not
    /// show.
    void a_recipe_from_elsewhere_stays() {
        RunDialog fixture;
        core::Recipe recipe = fixture.dialog.session().state.training->recipe;
        recipe.architecture.layers = 12;
        recipe.architecture.heads = 24;
        recipe.architecture.width = 288;
        recipe.architecture.feedForward = 1200;
        recipe.architecture.activation = core::Activation::SquaredRelu;
        recipe.optimizer.learningRate = 1.0f / 3;
        recipe.optimizer.beta1 = 0.5f;
        recipe.batch = 600;
        recipe.steps = 2'000'000;
        fixture.dialog.setRecipe(recipe);
        const auto shown = [&] { return fixture.dialog.session().state.training->recipe; };
        QCOMPARE(shown(), recipe);
        QCOMPARE(fixture.find<QSpinBox>("runLayers")->value(), 12);
        QCOMPARE(fixture.find<QComboBox>("runActivation")->currentText(), "squared_relu");
        fixture.find<QSpinBox>("runLayers")->setValue(1);
        recipe.architecture.layers = 1;
        QCOMPARE(shown(), recipe);
        fixture.choose("runTask", "sort");
        QCOMPARE(fixture.find<QSpinBox>("runLayers")->maximum(), 8); // the same maximum as before
    }

    void a_text_of_ones_own() {
        QTemporaryDir folder;
        const auto written = [&](const char *name, const QByteArray &content) {
            test::writeAll(folder.filePath(name), content);
            return folder.filePath(name);
        };
        RunDialog fixture;
        auto *fields = fixture.find<ui::NewRunFields>("newRunFields");
        fixture.choose("runTask", "characters");
        QVERIFY(!fixture.canCreate());
        QVERIFY(fixture.find<QPushButton>("runTextFile")->isVisible());
        for (const QString &bad :
             {written("empty.txt", ""), written("one.txt", "a"),
              written("binary.txt", QByteArray(1000, '\0')), folder.filePath("none.txt")}) {
            fields->readText(bad);
            const QString reading = fixture.summary();
            HEADLIGHT_UNTIL(fixture.summary() != reading);
            QVERIFY(!fixture.canCreate());
            QVERIFY(!fixture.summary().isEmpty());
        }
        fields->readText(written("good.txt", QByteArray("to be or not to be\n").repeated(60)));
        HEADLIGHT_UNTIL(fixture.canCreate());
        QVERIFY(fixture.dialog.task());
        QCOMPARE(fixture.dialog.session().state.training->recipe,
                 fixture.dialog.task()->info().recipe);
        QVERIFY(fixture.dialog.session().state.model.reader);

        // The session contains the text.
        WindowFixture window("cat");
        const ui::OpenedSource session = fixture.dialog.session();
        window.window.open(session);
        window.settle();
        ui::TrainingController &controller = trainingOf(window).controller();
        const auto makesAStep = [&](core::Index step) {
            QVERIFY(!controller.lacksText());
            QVERIFY(controller.oneBatch().ok());
            HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
            QCOMPARE(window.window.document().state().training->step, step);
        };
        makesAStep(1);
        const ui::Snapshot snapshot = window.window.document().snapshot({});
        const QByteArray saved = QByteArray::fromStdString(snapshot.bytes());
        QCOMPARE(saved.count("to be or not to be\\nto be"),
                 59); // the text is stored once: its sixty lines have 59 such transitions
        QVERIFY(!QByteArray::fromStdString(snapshot.carriedBytes()).contains("to be or"));
        window.window.open(test::opened(written("run.headlight", saved)));
        window.settle();
        makesAStep(2);
        QVERIFY(controller.beginAgain().ok());
        window.settle();
        makesAStep(1);

        // If the session lacks the text, training must ask for it first.
        ui::OpenedSource without = session;
        core::TrainingRun run = *session.state.training;
        run.ownText = nullptr;
        without.state.training = without.session.training =
            std::make_shared<const core::TrainingRun>(std::move(run));
        window.window.open(without);
        window.settle();
        QVERIFY(controller.lacksText());
        QVERIFY(!controller.start().ok());
        controller.setTask(fixture.dialog.task());
        makesAStep(1);
        QVERIFY(window.window.document().state().training->ownText); // stored from now on
    }

    void a_new_run_is_created_trained_and_undone() {
        WindowFixture fixture("cat");
        QTimer::singleShot(0, [] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->findChild<QSpinBox *>("runSteps")->setValue(12);
            dialog->findChild<QSpinBox *>("runBatch")->setValue(2);
            dialog->findChild<QPushButton *>("createRun")->click();
        });
        actionOf(fixture.window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G))->trigger();
        fixture.settle();
        ui::Document &document = fixture.document();
        QCOMPARE(fixture.view()->viewName(), QString("training"));
        QVERIFY(document.isModified()); // the session has no file yet
        QVERIFY(fixture.window.isWindowModified());
        fixture.window.showView("heads");
        const core::TracePointer first = document.trace();
        actionOf(fixture.window, QKeySequence(Qt::CTRL | Qt::Key_T))->trigger();
        ui::TrainingController &controller = trainingOf(fixture).controller();
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
        fixture.settle();
        QCOMPARE(document.state().training->step, core::Index(12));
        QVERIFY(document.trace() != first); // the views show the newest checkpoint
        QVERIFY(document.trace()->model().parameters == document.state().model.parameters);
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.undoStack().undoText().contains("12"));
        actionOf(fixture.window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp))->trigger();
        fixture.settle();
        QCOMPARE(document.state().training->step, core::Index(11));
        document.undoStack().undo();
        QCOMPARE(document.state().training->step, core::Index(0));
    }

    void a_race_is_chosen_where_it_would_change_something() {
        RunDialog fixture;
        auto *race = fixture.find<QComboBox>("runRace");
        QVERIFY(!fixture.dialog.session().state.training->ablated);
        const auto item = [race](core::Ablation which) {
            return race->model()->index(race->findData(static_cast<int>(which)), 0);
        };
        const auto canTurn = [&](core::Ablation which) {
            return item(which).flags().testFlag(Qt::ItemIsEnabled);
        };
        for (const core::Ablation which : core::kAblations) {
            QVERIFY(canTurn(which)); // all of them are possible for repeat
            race->setCurrentIndex(item(which).row());
            QVERIFY2(fixture.canCreate(), qPrintable(fixture.summary()));
            const core::AblatedRunPointer &ablated =
                fixture.dialog.session().state.training->ablated;
            QVERIFY(ablated);
            QCOMPARE(ablated->ablation, which);
            QVERIFY(race->toolTip().contains("In the literature"));
        }
        race->setCurrentIndex(item(core::Ablation::NoResidual).row());
        fixture.find<QCheckBox>("runResidual")->click();
        QVERIFY(!canTurn(core::Ablation::NoResidual));
        QCOMPARE(race->currentIndex(), 0); // nothing is selected now
        QVERIFY(!fixture.dialog.session().state.training->ablated);
        QVERIFY(item(core::Ablation::NoResidual)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains("no residual connections anyway"));
        fixture.choose("runTask", "sentiment");
        QVERIFY(!canTurn(core::Ablation::NoMask));
        QVERIFY(canTurn(core::Ablation::NoScale));
    }

    void a_race_shows_its_rival_as_a() {
        RunWindow fixture(test::trainingSession(test::smallRecipe(), core::Ablation::NoNorm));
        ui::Document &document = fixture.document();
        fixture.train();
        HEADLIGHT_UNTIL(!document.comparison().isComputing());
        const core::TracePointer a = document.comparison().compared().a;
        QVERIFY(a && a->model().parameters ==
                         document.state().training->ablated->state.model.parameters);
        QVERIFY(a->model().config.norm.kind == core::NormKind::None);
        const auto &plots = trainingOf(fixture).training()->content().plots;
        QVERIFY(std::ranges::any_of(plots[0].curves, &ui::TrainingContent::Curve::isAblated));
        // After pinning another A, the menu restores the ablated run.
        document.comparison().pin();
        QVERIFY(!document.comparison().isAblated());
        for (QAction *action : fixture.window.findChildren<QAction *>())
            if (action->text().contains("ablated run as A"))
                action->trigger();
        QVERIFY(document.comparison().isAblated());
    }

    void a_moment_pinned_as_a_stays_while_training_goes_on() {
        RunWindow fixture(test::trainingSession());
        ui::Document &document = fixture.document();
        document.comparison().pin();
        HEADLIGHT_UNTIL(document.comparison().compared().a);
        const core::TracePointer pinned = document.comparison().compared().a;
        QVERIFY(document.comparison().compared().name.contains("training step 0"));
        fixture.train();
        QCOMPARE(document.comparison().compared().a, pinned);
        QVERIFY(document.trace() != pinned);
    }

    void a_run_that_diverges_offers_the_best_moment() {
        RunWindow fixture(test::trainingSession(test::overflowingRecipe()));
        ui::TrainingController &controller = trainingOf(fixture).controller();
        QVERIFY(controller.start().ok());
        auto *offer = fixture.find<QPushButton>("problemOffer");
        HEADLIGHT_UNTIL(offer->isVisible());
        QVERIFY(fixture.problem().contains("NaN or infinite"));
        QTest::mouseClick(offer, Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.document().state().training->step, core::Index(0));
        QVERIFY(!offer->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(WindowTrainingTest)
#include "tst_window_training.moc"
