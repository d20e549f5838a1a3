// Every lesson step shows what its text is about, regardless of earlier settings: in its own view,
// large enough to see, and with nothing hidden.
#include "core/selection/selected.h"
#include "tests/ui/window/stated_numbers.h"
#include "tests/ui/window/whole_picture.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/filmstrip.h"
#include "ui/strip/words_strip.h"
#include "ui/views/close_up_view.h"

#include <QLineEdit>

using core::Index;

namespace {

constexpr double kMinPlane = 60; // px of a plane's plot

/// Chooses random settings, like a user who tries everything.
class Dice {
  public:
    explicit Dice(unsigned seed) : m_random(seed) {}
    Index below(Index count) {
        return std::uniform_int_distribution<Index>(0, count - 1)(m_random);
    }
    bool coin() { return below(2) == 0; }

  private:
    std::mt19937 m_random;
};

void leaveOn(WindowFixture &fixture, Dice &dice) {
    ui::Document &document = fixture.document();
    auto *tabs = fixture.find<QTabWidget>("views");
    for (int index = 0; index < tabs->count(); ++index) {
        auto *view = static_cast<ui::FigureView *>(tabs->widget(index));
        view->setOption(&ui::FigureOptions::learned, dice.coin());
        view->setOption(&ui::FigureOptions::plane,
                        ui::PlaneOptions{ui::kShownSpaces[static_cast<std::size_t>(dice.below(4))],
                                         ui::kPlaneAxes[static_cast<std::size_t>(dice.below(2))],
                                         static_cast<double>(dice.below(5)) / 4, dice.coin()});
        view->setOption(&ui::FigureOptions::contextual,
                        dice.coin() ? core::Stage::Output : core::Stage::Context);
        view->setOption(&ui::FigureOptions::range,
                        dice.coin() ? ui::Range::PerRow : ui::Range::Fixed);
        if (dice.coin())
            view->setOption(&ui::FigureOptions::order, core::HeadOrder::Entropy);
        (void)view->figure();
        view->zoomBy(1 + static_cast<double>(dice.below(7)));
    }
    tabs->setCurrentIndex(static_cast<int>(dice.below(tabs->count())));
    if (dice.coin())
        document.comparison().pin();
    document.comparison().show(dice.coin() ? ui::ComparisonSide::Difference
                                           : ui::ComparisonSide::A);
    core::Selection selection;
    selection.sequence = dice.below(6);
    selection.head = dice.below(2);
    selection.block = dice.coin() ? core::Block::CrossAttention : core::Block::SelfAttention;
    selection.stack = dice.coin() ? core::Stack::Encoder : core::Stack::Main;
    const auto stages = core::allStages();
    selection.stage = stages[static_cast<std::size_t>(dice.below(std::ssize(stages)))].stage;
    for (std::optional<Index> *each : {&selection.query, &selection.key, &selection.dimension})
        if (dice.coin())
            *each = dice.below(16);
    document.select(selection);
    auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
    filmstrip->setGranularity(static_cast<ui::Granularity>(dice.below(3)));
    filmstrip->setPlaying(dice.coin());
    if (dice.coin())
        fixture.action("Mask: edit in the picture")->setChecked(true);
    fixture.settle();
}

/// Collects the faults of a step, to report them together.
struct Faults {
    QStringList found;
    void require(bool isSo, const QString &what) {
        if (!isSo)
            found << what;
    }
};

void checkCloseUp(const ui::Document &document, ui::CloseUpView &view, Faults &faults) {
    const core::Selection &selection = document.selection();
    const ui::CloseUpFigure::Places places = view.places();
    const ui::CloseUpGeometry &picture = places.picture;
    const QRectF sight(QPointF(), view.rect().size() / view.shrink());
    faults.require(sight.contains(picture.card), "the result is cut off");
    faults.require(picture.result.hasNumbers || !places.table.isEmpty() ||
                       !places.bars.rows.empty(),
                   "there are no numbers");
    const core::SharedMatrix matrix = core::matrixAt(*document.trace(), selection);
    faults.require(!matrix.empty(), "the selected stage holds nothing");
    if (const auto row = core::selectedRow(selection)) {
        const Index column =
            core::selectedColumn(selection).value_or(picture.result.cells.origin.column);
        faults.require(picture.result.cells.showsRow(*row) &&
                           picture.result.cells.showsColumn(column),
                       "the selected cell is not in sight");
    }
    for (const auto *side : {&picture.left, &picture.above})
        for (const ui::CloseUpGeometry::Placed &one : *side)
            faults.require(one.cells.columns == 0 || sight.contains(one.cells.cells),
                           "an operand is cut off");
}

void checkGeometry(ui::GeometryView &view, const core::ViewOptions &look, Faults &faults) {
    const ui::PlaneOptions &shown = view.options().plane;
    faults.require(shown.axes == look.axes && shown.spaces == look.spaces, "other planes");
    const ui::GeometryLayout places = view.geometry();
    faults.require(places.planes.size() ==
                       (shown.spaces == ui::ShownSpaces::All ? std::size_t(3) : std::size_t(1)),
                   "a plane is missing");
    for (std::size_t i = 0; i < places.planes.size(); ++i) {
        faults.require(view.planes()->plane(i).content.nothing.isEmpty(), "a plane is empty");
        faults.require(places.planes[i].plot.width() >= kMinPlane &&
                           places.planes[i].plot.height() >= kMinPlane,
                       "a plane is too small");
        for (const ui::PlaneItem &item : view.planes()->figure(i).items())
            faults.require(!item.isFramed || places.planes[i]
                                                 .plot.adjusted(-2, -2, 2, 2)
                                                 .contains(places.planes[i].onScreen(item.at)),
                           "a vector is not in sight");
    }
}

/// Returns the faults of the picture of the current step.
QStringList faultsOfStep(WindowFixture &fixture) {
    Faults faults;
    ui::Document &document = fixture.document();
    document.answer({}); // skips the question if the step has one
    fixture.settle();
    const core::LessonStep &step = *document.lessonStep();
    const core::Selection &selection = document.selection();
    ui::FigureView *view = fixture.view();
    faults.require(view->viewName().toStdString() ==
                       step.show.view.value_or(*document.session().view.view),
                   "another view");
    faults.require(selection.stage == step.show.stage, "another stage");
    faults.require(selection.sequence == step.show.sequence, "another sequence");
    faults.require(selection.query == step.show.query && selection.key == step.show.key,
                   "another cell");
    const auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
    faults.require(filmstrip->granularity() == step.look.granularity, "another granularity");
    faults.require(!filmstrip->isPlaying(), "it plays");
    faults.require(document.comparison().shown() == ui::ComparisonSide::Now, "it is compared");
    const ui::FigureOptions options = view->optionsOfFigure();
    faults.require(options.learned && !options.plane.together && options.plane.gravity == 0,
                   "something hides it");
    faults.require(view->zoom() == 1.0, "it is zoomed");
    faults.found << test::unshownIn(step, fixture);
    for (const QString &fault : test::faultsOf(*view, test::Scrolls::WhereLarge))
        faults.require(false, fault);
    if (!view->figure())
        return faults.found;
    ui::FigureInput input{document.trace(), document.selection(), view->figureStyle(), options};
    input.training = document.state().training;
    input.softmax = document.state().softmax;
    faults.require(view->info().canShow(input).ok(), "it cannot be shown");
    const QString why = view->info().whyEmpty(input, *view->figure());
    faults.require(why.isEmpty(), why);
    if (auto *closeUp = dynamic_cast<ui::CloseUpView *>(view))
        checkCloseUp(document, *closeUp, faults);
    if (auto *geometry = dynamic_cast<ui::GeometryView *>(view))
        checkGeometry(*geometry, step.look, faults);
    return faults.found;
}

} // namespace

class LessonPicturesTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aStepShowsWhatItSpeaksOf_data() {
        test::addRows("lesson", ui::lessonIds() + QStringList{ui::translationExample()});
    }

    void aStepShowsWhatItSpeaksOf() {
        QFETCH(QString, lesson);
        WindowFixture fixture(lesson, "close-up");
        fixture.window.resize(1280, 720);
        fixture.settle();
        Dice dice(20 + static_cast<unsigned>(lesson.size()));
        ui::Document &document = fixture.document();
        const Index count = fixture.stepCount();
        QStringList faults;
        for (Index step = 0; step < count; ++step) {
            leaveOn(fixture, dice);
            // Goes to this step from another one.
            if (document.state().lessonStep == step)
                QVERIFY(document.goToStep(step == 0 ? count - 1 : step - 1).ok());
            leaveOn(fixture, dice);
            fixture.goToStep(step);
            for (const QString &fault : faultsOfStep(fixture))
                faults << QString("step %1: %2").arg(step).arg(fault);
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    /// Some lessons refer back to numbers of earlier steps. These steps show all of theirs.
    void allNumbersOfAStepAreShown_data() {
        test::addColumns<QString, int>({"lesson", "step"});
        QTest::newRow("sinusoidal positions") << "positions" << 4;
        QTest::newRow("learned positions") << "positions" << 5;
        QTest::newRow("concatenation") << "two-heads" << 6;
    }

    void allNumbersOfAStepAreShown() {
        QFETCH(QString, lesson);
        QFETCH(int, step);
        WindowFixture fixture(lesson, "close-up");
        fixture.window.resize(1280, 720);
        fixture.goToStep(step);
        for (const std::string &paragraph : fixture.document().lessonStep()->text)
            for (const test::StatedNumber &number :
                 test::statedBy(paragraph, *fixture.document().trace()))
                QVERIFY2(test::isShown(number, fixture), paragraph.c_str());
        QVERIFY(!fixture.find<QWidget>("formulaBar")->isVisible());
    }

    /// The second text, its words and its cross-attention are there only in the step about them.
    void theSecondTextWaitsForItsStep() {
        WindowFixture fixture("query-key-value", "close-up");
        const auto *strip = fixture.find<ui::SentenceStrip>("sentenceStrip");
        QVERIFY(!strip->words(ui::InputSide::Source).isVisible());
        for (const Index step : {8, 0, 8, 7, 8, 9}) {
            fixture.goToStep(step);
            const bool isIts = step == 8;
            QCOMPARE(strip->words(ui::InputSide::Source).isVisible(), isIts);
            QCOMPARE(fixture.find<QLineEdit>("sourceText")->isVisible(), isIts);
            QCOMPARE(fixture.document().state().model.hasCrossAttention(), isIts);
        }
    }

    /// The step's text is twice as long, so its selection does not exist in the trace still shown.
    void aLongerTextIsLookedAtBeforeItIsComputed() {
        WindowFixture fixture("scores", "close-up");
        ui::Document &document = fixture.document();
        for (const char *name :
             {"close-up", "whole", "heads", "similarity", "geometry", "softmax", "words"}) {
            fixture.goToStep(5);
            fixture.window.showView(name);
            QVERIFY(document.goToStep(6).ok());
            document.answer({});
            fixture.window.showView(name);
            QVERIFY(document.traceIsStale() && document.selection().query == Index(4));
            QVERIFY(fixture.view()->figure());
            fixture.settle();
            QVERIFY(fixture.view()->figure());
        }
    }

    /// Until the lesson reaches the attention weights, words show no weights unless the user clicks
    /// a word.
    void theWordsWaitForTheWeights() {
        WindowFixture fixture("bank", "close-up");
        const auto *strip = fixture.find<ui::SentenceStrip>("sentenceStrip");
        const auto hasWeights = [&](Index step) {
            fixture.goToStep(step);
            fixture.document().answer({});
            fixture.settle();
            return strip->content().hasWeights;
        };
        QVERIFY(!hasWeights(2)); // scores of a selected row
        QVERIFY(strip->content().caption.startsWith("Click a word"));
        QVERIFY(strip->answer().content().bars.empty()); // what bank becomes more like
        fixture.select({.query = test::some(0)});        // by a key in the picture
        QVERIFY(!strip->content().hasWeights);
        ui::WordsStrip &words = strip->words();
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.wordRect(0).center().toPoint());
        QVERIFY(strip->content().hasWeights);
        QVERIFY(!strip->answer().content().bars.empty());
        QVERIFY(!hasWeights(3));
        QVERIFY(hasWeights(4));
        QVERIFY(hasWeights(9)); // scores again, after the weights
    }

    /// Settings chosen in another lesson or before the program started do not matter.
    void aLessonIsOpenedAsItIs() {
        Dice dice(7);
        {
            WindowFixture fixture("sentence", "geometry");
            leaveOn(fixture, dice);
            fixture.open("cat");
            QCOMPARE(faultsOfStep(fixture), QStringList());
        }
        WindowFixture fixture("bank", "close-up");
        QCOMPARE(faultsOfStep(fixture), QStringList());
    }

    /// A session without a lesson uses the user's last settings.
    void asASessionIsLookedAtIsThePersonsChoice() {
        WindowFixture fixture(test::sessionPath("decoder_rotary"), "close-up");
        fixture.view()->setOption(&ui::FigureOptions::learned, false);
        auto *filmstrip = fixture.find<ui::Filmstrip>("filmstrip");
        filmstrip->setGranularity(ui::Granularity::Row);
        fixture.open("bank");
        QVERIFY(fixture.view()->options().learned);
        QCOMPARE(filmstrip->granularity(), ui::Granularity::Stage);
        fixture.open(test::sessionPath("decoder_rotary"));
        QVERIFY(!fixture.view()->options().learned);
        QCOMPARE(filmstrip->granularity(), ui::Granularity::Row);
    }

    /// Tokens that a step names are selected wherever they are in the user's text.
    void aStepFollowsItsWordsIntoAnotherText() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        QVERIFY(document
                    .apply(ui::edits::setText(document.state(), document.textId(),
                                              "the old bank has money"))
                    .ok());
        fixture.settle();
        QVERIFY(document.goToStep(4).ok()); // the attention weight of bank for money
        fixture.settle();
        QVERIFY(test::isAt(document.selection(), {.query = 2, .key = 4}));
        // Reset restores the lesson's text and the step's selection.
        QVERIFY(document.resetEdits().ok());
        fixture.settle();
        QVERIFY(test::isAt(document.selection(), {.query = 1, .key = 0}));
    }
};

HEADLIGHT_WIDGET_TEST(LessonPicturesTest)
#include "tst_lesson_pictures.moc"
