// Speed of training in the window compared with a trainer without a view (the two alternate). Also
// measures the time from Pause until training has stopped, up to the largest model that New run
// offers.
#include "core/training/run/ablation_study.h"
#include "core/training/tasks/own_text.h"
#include "report.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/document/training_session.h"
#include "ui/views/training_view.h"

#include <QElapsedTimer>

#include <cstdio>

using namespace headlight;

namespace {

constexpr int kTrainingTurns = 5;
constexpr int kTurn = 4000; // ms
constexpr int kPauses = 30;

struct Size {
    const char *name;
    core::Index layers, heads, width, feedForward, batch;
};
constexpr Size kSizes[] = {{"2 layers, C = 32, batch 32", 2, 2, 32, 128, 32},
                           {"4 layers, C = 128, batch 32", 4, 4, 128, 512, 32},
                           {"8 layers, C = 256, batch 512", 8, 16, 256, 1024, 512}};

core::TaskPointer textTask() {
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += "the " + std::to_string(i * i % 977) + " early birds sing in tree " +
                std::to_string(i * 7 % 89) + ".\n";
    return *core::ownTextTask(text, core::TextUnits::Characters);
}

core::Recipe recipeOf(const Size &size) {
    core::Recipe recipe = core::ownTextInfo(core::TextUnits::Characters).recipe;
    recipe.architecture.layers = size.layers;
    recipe.architecture.heads = size.heads;
    recipe.architecture.width = size.width;
    recipe.architecture.feedForward = size.feedForward;
    recipe.batch = size.batch;
    recipe.optimizer.learningRate = 1e-4f;
    recipe.steps = 100'000; // more steps than the benchmark runs
    return recipe;
}

template <typename Condition>
void untilSo(Condition condition) {
    while (!condition())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// A window with a training session, fully computed and painted, that is not training yet.
struct Trained : test::WindowFixture {
    ui::TrainingController &controller;
    explicit Trained(const core::Recipe &recipe, const core::TaskPointer &task)
        : WindowFixture("cat", "training"),
          controller(ui::TrainingController::of(window.document())) {
        window.resize(1280, 720);
        window.open(*ui::makeTrainingSession(recipe, task));
        controller.setTask(task);
        idle();
    }
    void idle() {
        HEADLIGHT_UNTIL(!controller.isRunning() && !controller.isBusy());
        settle();
    }
    core::Index at() const { return controller.run()->step; }
};

} // namespace

class TrainingBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void speed_data() { pause_data(); }
    void speed() {
        QFETCH(int, which);
        const Size &size = kSizes[which];
        if (size.batch > 32)
            QSKIP("a step takes longer than a turn");
        const core::TaskPointer task = textTask();
        const core::Recipe recipe = recipeOf(size);
        Trained trained(recipe, task);
        const core::TrainingState state = core::Trainer::create(recipe, task)->state();
        std::vector<double> shares, rates;
        for (int turn = 0; turn < kTrainingTurns; ++turn) {
            core::AblationStudy race = *core::AblationStudy::create(state, task);
            QElapsedTimer timer;
            timer.start();
            while (timer.elapsed() < kTurn && !race.isDone())
                QVERIFY(race.advance().ok());
            const double alone =
                static_cast<double>(race.step()) / static_cast<double>(timer.nsecsElapsed()) * 1e9;
            QVERIFY(trained.controller.beginAgain().ok());
            trained.idle();
            timer.start();
            QVERIFY(trained.controller.start().ok());
            int shown = 0;
            const auto counting =
                QObject::connect(&trained.window.document(), &ui::Document::changed, this,
                                 [&shown](const ui::ChangeEvent &event) {
                                     shown += ui::is<ui::TraceChanged>(event);
                                 });
            untilSo([&] { return timer.elapsed() > kTurn || !trained.controller.isRunning(); });
            trained.controller.pause();
            untilSo([&] { return !trained.controller.isRunning(); });
            const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
            QObject::disconnect(counting);
            const double inWindow = static_cast<double>(trained.at()) / seconds;
            trained.idle();
            shares.push_back(inWindow / alone);
            rates.push_back(shown / seconds);
        }
        std::sort(shares.begin(), shares.end());
        std::sort(rates.begin(), rates.end());
        const std::string name = size.name;
        bench::report(name + ": speed relative to no window", shares[shares.size() / 2], "×");
        bench::report(name + ": shown", rates[rates.size() / 2], "times a second");
    }

    void pause_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < static_cast<int>(std::size(kSizes)); ++i)
            QTest::newRow(kSizes[i].name) << i;
    }
    void pause() {
        QFETCH(int, which);
        const Size &size = kSizes[which];
        const core::TaskPointer task = textTask();
        Trained trained(recipeOf(size), task);
        std::vector<double> said, ended;
        for (int i = 0; i < kPauses; ++i) {
            QVERIFY(trained.controller.start().ok());
            QTest::qWait(600 + 37 * i);
            QElapsedTimer timer;
            timer.start();
            trained.controller.pause();
            said.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            untilSo([&] { return !trained.controller.isRunning(); });
            ended.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            trained.idle();
        }
        const std::string name = size.name;
        bench::report(name + ": from Pause until the button changes", said);
        bench::report(name + ": from Pause until training has stopped", ended);
    }
};

QTEST_MAIN(TrainingBenchmark)
#include "bench_training.moc"
