// The tab Being born with mouse and keyboard: recording, replay, question, and silencing the head.
#include "tests/support/painting_record.h"
#include "tests/support/training.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/figures/birth/birth_moments_figure.h"
#include "ui/views/birth_replay.h"
#include "ui/views/birth_view.h"

#include <QFile>
#include <QFrame>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QTemporaryDir>
#include <QtMath>

namespace {

core::Recipe bornRecipe(core::Index steps = 120) {
    core::Recipe recipe = core::findTask("previous-token")->info().recipe;
    recipe.steps = steps;
    return recipe;
}

/// Returns a recipe with too few steps for a head to form.
core::Recipe unbornRecipe(std::uint64_t seed = 1) {
    core::Recipe recipe = bornRecipe(6);
    recipe.seed = seed;
    return recipe;
}

struct BirthFixture : test::Fixture<BirthView> {
    explicit BirthFixture(OpenedSource source) : Fixture(std::move(source), {}, {1200, 640}) {}
    explicit BirthFixture(const core::Recipe &recipe = bornRecipe())
        : BirthFixture(test::trainingSession(recipe)) {}
    void untilRecorded() {
        if (!test::until([&] { return replay().run() != nullptr; }))
            qFatal("the run was not recorded");
        (void)test::settled(document);
        (void)view.figure();
    }
    BirthReplay &replay() { return view.replay(); }
    QString text(const char *name) const { return find<QLabel>(name)->text(); }
    qsizetype wrongAnswers() const {
        return std::ranges::count(view.birth()->content().answers, BirthAnswer::State::Wrong,
                                  &BirthAnswer::state);
    }
    QSlider *slider() const { return find<QSlider>("birthMoments"); }
    /// Moves the slider to the snapshot's position on its track.
    void slideTo(std::size_t snapshot) {
        slider()->setValue(qCeil(replay().run()->pace[snapshot] * slider()->maximum()));
    }
    std::size_t last() { return replay().run()->snapshots.size() - 1; }
};

} // namespace

class BirthViewTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void aRunIsRecordedAndTheSessionGetsItsModel() {
        BirthFixture fixture;
        QVERIFY(fixture.replay().isRecording());
        QVERIFY(!fixture.find<QProgressBar>("birthProgress")->isHidden());
        fixture.untilRecorded();
        QVERIFY(!fixture.replay().isRecording());
        QCOMPARE(fixture.document.state().training->step, core::Index(120));
        QVERIFY(test::sameNumbers(fixture.document.state().model.parameters,
                                  fixture.replay().run()->end.model.parameters));
        // The text of the session is the shown example.
        QStringList words;
        for (const core::Token &token : fixture.document.state().input.batch->operator[](0).tokens)
            words << QString::fromStdString(token.text);
        QCOMPARE(words.join(' '), fixture.view.birth()->content().example);
        // The replay begins at the first step, whichever step the session is at.
        QCOMPARE(fixture.view.birth()->content().step, core::Index(0));
        fixture.document.undoStack().undo();
        QCOMPARE(fixture.document.state().training->step, core::Index(0));
        QVERIFY(fixture.replay().run()); // the recipe is still the same
    }

    /// A run that was started before the view was opened is not trained again.
    void aRunThatWasRecordedAheadIsShown() {
        std::shared_ptr<RunAhead> ahead =
            RunAhead::begin(bornRecipe(), core::findTask(bornRecipe().task));
        QCOMPARE(RunAhead::of(bornRecipe()), ahead);
        QVERIFY(!RunAhead::of(unbornRecipe()));
        QVERIFY(test::until([&] { return ahead->isDone(); }));
        BirthFixture fixture;
        fixture.untilRecorded();
        QCOMPARE(fixture.replay().run(), test::valueOf(ahead->runWhenDone({})));
        ahead.reset();
        QVERIFY(!RunAhead::of(bornRecipe()));
    }

    void aRunThatIsRecordedAheadIsContinued() {
        const core::Recipe recipe = bornRecipe(1'000'000);
        std::shared_ptr<RunAhead> ahead = RunAhead::begin(recipe, core::findTask(recipe.task));
        QVERIFY(test::until([&] { return *ahead->made() >= 10; }));
        BirthFixture fixture(recipe);
        QVERIFY(fixture.replay().isRecording());
        QVERIFY(fixture.replay().progress() >= 10.0 / 1'000'000);
        ahead.reset(); // the replay still needs it
        const double before = fixture.replay().progress();
        QVERIFY(test::until([&] { return fixture.replay().progress() > before; }));
        fixture.replay().clear();
        QVERIFY(test::until([&] { return !RunAhead::of(recipe); }));
    }

    void recordingCanBeCancelled() {
        BirthFixture fixture(bornRecipe(1'000'000));
        QVERIFY(fixture.replay().isRecording());
        fixture.find<QPushButton>("birthPlay")->click();
        QVERIFY(!fixture.replay().isRecording());
        QVERIFY(!fixture.replay().run());
        QCOMPARE(fixture.document.state().training->step, core::Index(0));
        fixture.key(Qt::Key_Space); // starts the recording again
        QVERIFY(fixture.replay().isRecording());
        fixture.key(Qt::Key_Space);
        QVERIFY(!fixture.replay().isRecording());
    }

    void aRunWithoutAQuestionIsReplayedByItself() {
        BirthFixture fixture(unbornRecipe());
        fixture.untilRecorded();
        QVERIFY(fixture.replay().run()->heads.empty());
        QVERIFY(fixture.find<QFrame>("birthQuestion")->isHidden());
        QVERIFY(fixture.replay().isPlaying() || fixture.replay().isAtEnd());
        // The chosen duration, 0 seconds, also applies to the next run.
        fixture.find<QPushButton>("birthTime0")->click();
        QVERIFY(fixture.replay().isAtEnd()); // even while it plays
        QVERIFY(!fixture.replay().isPlaying());
        fixture.document.open(test::trainingSession(unbornRecipe(2)));
        QVERIFY(!fixture.replay().run());
        fixture.untilRecorded();
        QVERIFY(fixture.replay().isAtEnd());
    }

    void aRunThatIsRecordedUnseenIsReplayedOnceItIsSeen() {
        BirthFixture fixture(unbornRecipe());
        fixture.untilRecorded();
        fixture.document.open(test::trainingSession(unbornRecipe(2)));
        QVERIFY(fixture.replay().isRecording());
        fixture.view.hide();
        fixture.untilRecorded();
        QVERIFY(!fixture.replay().isPlaying());
        QCOMPARE(fixture.replay().snapshot(), std::size_t(0));
        fixture.view.show();
        QVERIFY(fixture.replay().isPlaying() || fixture.replay().isAtEnd());
    }

    void theReplayWaitsForTheQuestion() {
        BirthFixture fixture;
        fixture.untilRecorded();
        BirthReplay &replay = fixture.replay();
        for (const char *picture : {"birthPicture1", "birthPicture2", "birthPicture3"})
            QVERIFY(fixture.find<QPushButton>(picture)->isVisible());
        QVERIFY(!replay.isPlaying());
        QCOMPARE(replay.snapshot(), std::size_t(0));
        // The same button skips the question. It can still be answered.
        auto *play = fixture.find<QPushButton>("birthPlay");
        QCOMPARE(play->text(), QStringLiteral("Skip question and play"));
        play->click();
        QVERIFY(replay.isPlaying());
        QCOMPARE(play->text(), QStringLiteral("Pause"));
        QVERIFY(fixture.find<QLabel>("birthVerdict")->isHidden());
        fixture.key(Qt::Key_Space);
        fixture.key(Qt::Key_Home);
        fixture.find<QPushButton>("birthTime0")->click();
        fixture.key(Qt::Key_3);
        QVERIFY(replay.isAtEnd());
        QVERIFY(!fixture.text("birthVerdict").isEmpty());
        QCOMPARE(play->text(), QStringLiteral("Play"));
    }

    /// The card of the head names its purpose, which is the answer.
    void theOpenQuestionIsNotAnsweredInThePicture() {
        BirthFixture fixture;
        fixture.untilRecorded();
        const auto asked = [&fixture] { return fixture.view.birth()->content().heads.back(); };
        QCOMPARE(asked().content.subtitle, QString("?"));
        const QString purpose =
            birthContentOf(*std::make_unique<MomentCache>(fixture.replay().run()), 0,
                           FigureStyle::light())
                .heads.back()
                .looks;
        QVERIFY(purpose.size() > 1);
        QVERIFY(!fixture.view.birth()->description().contains(purpose));
        fixture.key(Qt::Key_2);
        QCOMPARE(asked().content.subtitle, purpose);
        QVERIFY(fixture.view.birth()->description().contains(purpose));
    }

    void aClickedPictureDoesNotTakeTheSpaceKey() {
        BirthFixture fixture;
        fixture.untilRecorded();
        QTest::mouseClick(fixture.find<QPushButton>("birthPicture2"), Qt::LeftButton);
        QVERIFY(fixture.replay().isPlaying());
        QWidget *focused = fixture.view.focusWidget();
        QVERIFY(focused);
        QTest::keyClick(focused, Qt::Key_Space);
        QVERIFY(!fixture.replay().isPlaying());
        QCOMPARE(fixture.replay().duration(), 20); // no time button was pressed
    }

    void theSessionKeepsThePositionTheExampleAndTheAnswer() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("saved.headlight");
        BirthFixture fixture;
        fixture.untilRecorded();
        // A replay that has not begun is not stored.
        const auto bytes = [](const BirthFixture &of) {
            return QByteArray::fromStdString(of.document.snapshot("whole").bytes());
        };
        QVERIFY(!bytes(fixture).contains("\"replay\""));
        fixture.key(Qt::Key_N);
        fixture.key(Qt::Key_2);
        fixture.key(Qt::Key_Space); // pauses
        fixture.key(Qt::Key_N);     // not the example of the question
        fixture.slideTo(20);
        (void)fixture.view.figure();
        const core::BirthState state = fixture.document.birth();
        QCOMPARE(state.step, fixture.replay().run()->snapshots[20].step);
        QCOMPARE(state.example, core::Index(2));
        QVERIFY(state.answer == core::Index(1));
        QCOMPARE(state.questionExample, core::Index(1));
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        const QByteArray saved = bytes(fixture);
        QCOMPARE(file.write(saved), saved.size());
        file.close();
        // A figure does not store the replay's position.
        QVERIFY(fixture.document.snapshot("whole").carriedBytes().find("\"replay\"") ==
                std::string::npos);

        BirthFixture again(test::opened(path));
        QCOMPARE(bytes(again), saved); // even before the run is recorded
        again.untilRecorded();
        QVERIFY(!again.replay().isPlaying());
        QCOMPARE(again.replay().snapshot(), std::size_t(20));
        QCOMPARE(again.view.birth()->content().example, fixture.view.birth()->content().example);
        QVERIFY(again.find<QPushButton>("birthPicture2")->isChecked());
        QVERIFY(again.document.birth() == state);
        QCOMPARE(bytes(again), saved);
        QVERIFY(!again.document.isModified());
        QVERIFY(!again.document.undoStack().canUndo());
        for (BirthFixture *each : {&fixture, &again})
            each->key(Qt::Key_End);
        QCOMPARE(again.text("birthVerdict"), fixture.text("birthVerdict"));
        for (const char *picture : {"birthPicture1", "birthPicture2", "birthPicture3"})
            QCOMPARE(again.find<QPushButton>(picture)->accessibleDescription(),
                     fixture.find<QPushButton>(picture)->accessibleDescription());
    }

    void aPositionThatTheRunLacksIsShownAsTheNearest() {
        OpenedSource source = test::trainingSession(bornRecipe());
        source.birth = {.step = 9'999, .example = 999, .answer = 2, .questionExample = 999};
        BirthFixture fixture(std::move(source));
        fixture.untilRecorded();
        QVERIFY(fixture.replay().isAtEnd());
        const auto examples = core::Index(fixture.replay().run()->examples.size());
        QCOMPARE(fixture.document.birth().example, 999 % examples);
        QVERIFY(fixture.find<QPushButton>("birthPicture3")->isChecked());
    }

    void anotherSessionOfTheRunIsReplayedAnewWithoutTraining() {
        BirthFixture fixture;
        fixture.untilRecorded();
        const core::RecordedRunPointer run = fixture.replay().run();
        fixture.key(Qt::Key_1);
        fixture.key(Qt::Key_End);
        fixture.document.open(test::trainingSession(bornRecipe()));
        QVERIFY(test::until([&] { return fixture.document.state().training->step == 120; }));
        QCOMPARE(fixture.replay().run(), run);
        QCOMPARE(fixture.replay().snapshot(), std::size_t(0));
        QVERIFY(fixture.find<QLabel>("birthVerdict")->isHidden());
        QVERIFY(fixture.find<QPushButton>("birthPicture1")->isEnabled());
        QVERIFY(fixture.document.birth() == core::BirthState());
    }

    void aReplayTakesItsTime() {
        BirthFixture fixture;
        fixture.untilRecorded();
        BirthReplay &replay = fixture.replay();
        fixture.find<QPushButton>("birthTime60")->click();
        QCOMPARE(replay.duration(), 60);
        replay.moveOn(30);
        QCOMPARE(replay.snapshot(), replay.run()->snapshotAtShare(0.5));
        replay.moveOn(31);
        QVERIFY(replay.isAtEnd());
        fixture.find<QPushButton>("birthAgain")->click();
        QCOMPARE(replay.snapshot(), std::size_t(0));
        fixture.key(Qt::Key_Space);
        QVERIFY(replay.isPlaying());
        fixture.key(Qt::Key_Space);
        QVERIFY(!replay.isPlaying());
        fixture.find<QPushButton>("birthTime0")->click();
        fixture.find<QPushButton>("birthPlay")->click();
        QVERIFY(replay.isAtEnd());
    }

    void theClockEndsAtTheLastStep() {
        BirthFixture fixture;
        fixture.untilRecorded();
        fixture.replay().setDuration(1);
        fixture.replay().play();
        QVERIFY(test::until([&] { return fixture.replay().isAtEnd(); }));
        QVERIFY(!fixture.replay().isPlaying());
    }

    void stepsByKeysSliderAndCurve() {
        BirthFixture fixture;
        fixture.untilRecorded();
        fixture.key(Qt::Key_End);
        QCOMPARE(fixture.replay().snapshot(), fixture.last());
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.replay().snapshot(), fixture.last() - 1);
        fixture.key(Qt::Key_Right);
        fixture.key(Qt::Key_Right); // there is no snapshot after the last one
        QCOMPARE(fixture.replay().snapshot(), fixture.last());
        fixture.key(Qt::Key_Home);
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.replay().snapshot(), std::size_t(0));
        fixture.slideTo(7);
        QCOMPARE(fixture.replay().snapshot(), std::size_t(7));
        (void)fixture.view.figure();
        const CurvePlotGeometry curve = fixture.view.geometry().curve;
        const QPoint middle = curve.at({60, curve.low}).toPoint() - QPoint(0, 20);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, middle);
        const std::size_t pressed = fixture.replay().snapshot();
        QVERIFY(std::abs(fixture.replay().run()->snapshots[pressed].step - 60) <= 2);
        test::moveMouse(fixture.view, middle - QPoint(150, 200),
                        Qt::LeftButton); // the drag continues outside the curve
        QVERIFY(fixture.replay().snapshot() < pressed);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, middle);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.birth()->content().step,
                 fixture.replay().run()->snapshots[fixture.replay().snapshot()].step);
    }

    /// Each snapshot has the same share of the track as of the replay's time.
    void theTrackIsPacedAsTheReplay() {
        BirthFixture fixture;
        fixture.untilRecorded();
        const core::RecordedRun &run = *fixture.replay().run();
        QSlider &slider = *fixture.slider();
        for (std::size_t snapshot = 0; snapshot < run.snapshots.size(); ++snapshot) {
            fixture.slideTo(snapshot);
            QCOMPARE(fixture.replay().snapshot(), snapshot);
        }
        const int middle = slider.maximum() / 2;
        slider.setValue(middle);
        QCOMPARE(fixture.replay().snapshot(), run.snapshotAtShare(0.5));
        QCOMPARE(slider.value(), middle); // the handle stays under the mouse
        fixture.key(Qt::Key_Home);
        QCOMPARE(slider.value(), 0);
        fixture.replay().setDuration(20);
        fixture.replay().moveOn(10);
        const std::size_t half = fixture.replay().snapshot();
        QCOMPARE(half, run.snapshotAtShare(0.5));
        QVERIFY(slider.value() <= middle + 1);
        QVERIFY(run.pace[half + 1] * slider.maximum() > middle);
        // The keys of the slider go from snapshot to snapshot.
        for (std::size_t snapshot = half; snapshot > 0; --snapshot) {
            QTest::keyClick(&slider, Qt::Key_Left);
            QCOMPARE(fixture.replay().snapshot(), snapshot - 1);
        }
        QTest::keyClick(&slider, Qt::Key_Right);
        QCOMPARE(fixture.replay().snapshot(), std::size_t(1));
        QTest::keyClick(&slider, Qt::Key_End);
        QVERIFY(fixture.replay().isAtEnd());
        QTest::keyClick(&slider, Qt::Key_Right);
        QVERIFY(fixture.replay().isAtEnd());
    }

    void theQuestionIsAnsweredAtTheEnd() {
        for (const int key : {Qt::Key_1, Qt::Key_2}) {
            BirthFixture fixture;
            fixture.untilRecorded();
            const auto choices = core::patternChoices(*fixture.replay().run(), 0,
                                                      fixture.replay().run()->examples.front());
            QVERIFY(choices.ok());
            const std::size_t answered = key == Qt::Key_1 ? 0 : 1;
            QVERIFY(!fixture.find<QFrame>("birthQuestion")->isHidden());
            QVERIFY(fixture.find<QLabel>("birthVerdict")->isHidden());
            fixture.key(static_cast<Qt::Key>(key));
            QVERIFY(fixture.replay().isPlaying()); // the replay shows the answer
            const QString watching = fixture.text("birthVerdict");
            fixture.key(Qt::Key_3); // the question was already answered
            QCOMPARE(fixture.text("birthVerdict"), watching);
            fixture.key(Qt::Key_End);
            const QString verdict = fixture.text("birthVerdict");
            QVERIFY(verdict != watching);
            QCOMPARE(verdict.startsWith(QStringLiteral("Right")), (*choices)[answered].isRight);
        }
    }

    void silencingTakesTheAnswersAway() {
        BirthFixture fixture;
        fixture.untilRecorded();
        auto *silence = fixture.find<QPushButton>("birthSilence0");
        QVERIFY(silence->isHidden()); // the head has not formed yet
        fixture.key(Qt::Key_S);
        QVERIFY(!silence->isChecked());
        fixture.key(Qt::Key_End);
        QVERIFY(!silence->isHidden());
        QCOMPARE(fixture.wrongAnswers(), 0);
        fixture.key(Qt::Key_S);
        QVERIFY(silence->isChecked());
        QVERIFY(fixture.wrongAnswers() >= 6);
        QVERIFY(fixture.text("birthSilenceResult").contains(QStringLiteral("64")));
        fixture.key(Qt::Key_S);
        QCOMPARE(fixture.wrongAnswers(), 0);
        QVERIFY(fixture.text("birthSilenceResult").isEmpty());
    }

    /// Every head that forms has its button. S goes from the last head to the first, and then
    /// silences none.
    void eachHeadIsSilencedInTurn() {
        BirthFixture fixture(core::findTask("repeat")->info().recipe);
        fixture.untilRecorded();
        fixture.key(Qt::Key_End);
        const std::vector<core::FormedHead> &heads = fixture.replay().run()->heads;
        QCOMPARE(heads.size(), std::size_t(2));
        QCOMPARE(fixture.wrongAnswers(), 0);
        const QList<QPushButton *> buttons{fixture.find<QPushButton>("birthSilence0"),
                                           fixture.find<QPushButton>("birthSilence1")};
        const auto silenced = [&] {
            (void)fixture.view.figure();
            QList<bool> all;
            for (qsizetype head = 0; head < buttons.size(); ++head) {
                const BirthHead &shown =
                    fixture.view.birth()->content().heads[static_cast<std::size_t>(head)];
                if (shown.isSilenced != buttons[head]->isChecked())
                    qFatal("the picture and the buttons differ");
                all << shown.isSilenced;
            }
            return all;
        };
        const auto resultWithout = [&](std::size_t head) {
            const auto share =
                core::rightShareOf(*fixture.replay().run(), fixture.last(), heads[head].silenced());
            return QStringLiteral("%1 % after silencing.").arg(qRound(100 * test::valueOf(share)));
        };
        for (qsizetype head = 0; head < buttons.size(); ++head) {
            const core::FormedHead &formed = heads[static_cast<std::size_t>(head)];
            QVERIFY(!buttons[head]->isHidden());
            QVERIFY(
                test::says(buttons[head]->text(),
                           QStringLiteral("%1.%2").arg(formed.attention.layer).arg(formed.head)));
        }
        QCOMPARE(silenced(), (QList<bool>{false, false}));
        fixture.key(Qt::Key_S);
        QCOMPARE(silenced(), (QList<bool>{false, true}));
        QVERIFY(fixture.wrongAnswers() > 0);
        QVERIFY(fixture.text("birthSilenceResult").endsWith(resultWithout(1)));
        fixture.key(Qt::Key_S);
        QCOMPARE(silenced(), (QList<bool>{true, false}));
        QVERIFY(fixture.wrongAnswers() > 0);
        QVERIFY(fixture.text("birthSilenceResult").endsWith(resultWithout(0)));
        fixture.key(Qt::Key_S);
        QCOMPARE(silenced(), (QList<bool>{false, false}));
        QCOMPARE(fixture.wrongAnswers(), 0);
        QVERIFY(fixture.text("birthSilenceResult").isEmpty());
        buttons[0]->click();
        QCOMPARE(silenced(), (QList<bool>{true, false}));
        buttons[1]->click(); // one at a time
        QCOMPARE(silenced(), (QList<bool>{false, true}));
        buttons[1]->click();
        QCOMPARE(silenced(), (QList<bool>{false, false}));
        // At a step where only one of the heads has formed, the other head has no button.
        const std::size_t first = std::min(heads[0].formed, heads[1].formed);
        QVERIFY(heads[0].formed != heads[1].formed);
        fixture.slideTo(first);
        QCOMPARE(buttons[0]->isHidden(), heads[0].formed != first);
        QCOMPARE(buttons[1]->isHidden(), heads[1].formed != first);
    }

    /// Includes the steps before the head has formed, where only a silenced head has the button.
    void theHeadStaysSilencedWhileOneDragsBack() {
        BirthFixture fixture;
        fixture.untilRecorded();
        fixture.key(Qt::Key_End);
        fixture.key(Qt::Key_S);
        const qsizetype wrong = fixture.wrongAnswers();
        QVERIFY(wrong >= 6);
        auto *silence = fixture.find<QPushButton>("birthSilence0");
        const auto isSilenced = [&fixture] {
            (void)fixture.view.figure();
            return fixture.view.birth()->content().heads.back().isSilenced;
        };
        fixture.slideTo(0);
        QVERIFY(silence->isChecked() && !silence->isHidden());
        QVERIFY(isSilenced());
        fixture.slideTo(fixture.last());
        QVERIFY(silence->isChecked() && isSilenced());
        QCOMPARE(fixture.wrongAnswers(), wrong);
        fixture.slideTo(0);
        fixture.key(Qt::Key_S); // switches it on again
        QVERIFY(!silence->isChecked() && silence->isHidden());
        QVERIFY(!isSilenced());
    }

    /// Present mode shows the run in its own view, and the window takes it back afterwards.
    void anotherViewShowsTheHeadAsSilencedToo() {
        BirthFixture fixture;
        fixture.untilRecorded();
        fixture.key(Qt::Key_End);
        fixture.key(Qt::Key_S);
        const QString result = fixture.text("birthSilenceResult");
        QVERIFY(!result.isEmpty());
        BirthView other(fixture.document);
        other.resize(1200, 640);
        other.take(fixture.view);
        other.show();
        QVERIFY(test::exposed(other));
        QVERIFY(other.figure());
        auto *silence = test::find<QPushButton>(other, "birthSilence0");
        QVERIFY(silence->isChecked() && !silence->isHidden());
        QCOMPARE(test::find<QLabel>(other, "birthSilenceResult")->text(), result);
        QVERIFY(other.birth()->content().heads.back().isSilenced);
        QCOMPARE(std::ranges::count(other.birth()->content().answers, BirthAnswer::State::Wrong,
                                    &BirthAnswer::state),
                 fixture.wrongAnswers());
        silence->click();
        fixture.view.take(other);
        (void)fixture.view.figure();
        QVERIFY(!fixture.find<QPushButton>("birthSilence0")->isChecked());
        QVERIFY(fixture.text("birthSilenceResult").isEmpty());
        QCOMPARE(fixture.wrongAnswers(), 0);
    }

    void anotherExampleIsAnotherText() {
        BirthFixture fixture;
        fixture.untilRecorded();
        const auto tokens = [&] {
            QStringList all;
            for (const BirthAnswer &answer : fixture.view.birth()->content().answers)
                all << answer.token;
            return all;
        };
        const QStringList first = tokens();
        fixture.key(Qt::Key_N);
        QVERIFY(tokens() != first);
    }

    void aFileShowsSixMoments() {
        BirthFixture fixture;
        fixture.untilRecorded();
        const auto figure = fixture.view.figureIn(FigureStyle::paper());
        const auto *moments = dynamic_cast<const BirthMomentsFigure *>(figure.get());
        QVERIFY(moments);
        QCOMPARE(moments->moments().size(), BirthMomentsFigure::kMoments);
        QVERIFY(dynamic_cast<const BirthFigure *>(fixture.view.figure()));
    }

    void withoutATaskItOffersSome() {
        BirthFixture fixture(test::opened(QStringLiteral("cat")));
        QVERIFY(!fixture.replay().isRecording());
        QVERIFY(!fixture.view.birth()->content().nothing.isEmpty());
        QVERIFY(!fixture.find<QPushButton>("birthPlay")->isEnabled());
        fixture.key(Qt::Key_Space);
        QVERIFY(!fixture.replay().isRecording());
        QSignalSpy wanted(&fixture.view, &BirthView::taskWanted);
        const QList<QAction *> tasks = fixture.find<QPushButton>("birthTask")->menu()->actions();
        QCOMPARE(std::size_t(tasks.size()), core::watchableTasks().size());
        tasks[1]->trigger();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted.front().front().toString(), QStringLiteral("it"));
    }

    void everyControlHasANameAndTheyDoNotOverlap() {
        BirthFixture fixture;
        fixture.untilRecorded();
        fixture.key(Qt::Key_End);
        std::vector<QRectF> places;
        for (QWidget *each : fixture.find<QWidget>("birthPanel")->findChildren<QWidget *>()) {
            auto *button = qobject_cast<QAbstractButton *>(each);
            if (!each->isVisible() || !(button || qobject_cast<QSlider *>(each)))
                continue;
            QVERIFY2(!each->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     qPrintable(each->objectName()));
            places.emplace_back(each->mapTo(&fixture.view, QPoint()), each->size());
        }
        QVERIFY(places.size() > 8);
        for (const QRectF &place : places) // nothing is cut off
            QVERIFY(place.right() <= fixture.find<QScrollArea>("birthScroll")->viewport()->width());
        QVERIFY(test::areApart(places));
        for (const BirthHeadPlace &head : fixture.view.geometry().heads)
            QVERIFY(head.card.left() >= fixture.find<QScrollArea>("birthScroll")->width());
    }
};

HEADLIGHT_WIDGET_TEST(BirthViewTest)
#include "tst_birth_view.moc"
