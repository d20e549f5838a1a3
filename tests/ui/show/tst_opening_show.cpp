// The window of the show for a class: keys, votes, sizes, and the return to the start page.
#include "tests/support/painting_record.h"
#include "tests/ui/show/show_fixture.h"
#include "tests/ui/window/on_screens.h"
#include "ui/figures/output/output_content.h"
#include "ui/strip/answer_bars.h"
#include "ui/text/number_text.h"
#include "ui/views/birth_replay.h"
#include "ui/views/birth_view.h"
#include "ui/views/motion/step_motion.h"
#include "ui/window/main_window.h"
#include "ui/window/presenting/presentation.h"
#include "ui/window/start/opening_scene.h"
#include "ui/window/start/show/opening_show.h"
#include "ui/window/start/show/show_stage.h"
#include "ui/window/start/start_page.h"

using test::kMinText;
using test::momentOf;
using test::sentenceWith;
using test::ShowFixture;

namespace {

constexpr int kMoments = 12;

/// A window with its start page.
struct ClassFixture {
    ui::MainWindow window;

    ClassFixture() {
        ui::StepMotion::choose(false);
        window.setTheme(ui::Theme::Light);
        window.resize(1280, 720);
        window.open(test::opened("bank"));
        window.show();
        (void)test::exposed(window);
        (void)test::settled(window.document());
        window.offerStart();
        auto *scene = window.findChild<ui::OpeningScene *>();
        (void)test::until([&] { return !scene->isReading(); });
        (void)test::settled(scene->document());
    }
    /// Returns the show once it is computed.
    ui::OpeningShow *shown() const {
        ui::OpeningShow *show = window.openingShow();
        if (show)
            (void)test::until([&] { return !show->isReading(); });
        return show;
    }
    ui::StartPage *startPage() const { return window.findChild<ui::StartPage *>(); }
};

} // namespace

class OpeningShowTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void keysGoForthAndBack() {
        ShowFixture fixture;
        QCOMPARE(fixture.show.momentNow(), 0);
        fixture.press(Qt::Key_Left); // stays at the first moment
        QCOMPARE(fixture.show.momentNow(), 0);
        int now = 0;
        for (const Qt::Key key : {Qt::Key_Space, Qt::Key_Right, Qt::Key_PageDown}) {
            fixture.press(key);
            QCOMPARE(fixture.show.momentNow(), ++now);
        }
        QTest::mouseClick(&fixture.show, Qt::LeftButton, {}, {1200, 30});
        QCOMPARE(fixture.show.momentNow(), ++now);
        // A click on the picture shows the next moment, too.
        QTest::mouseClick(&fixture.show.stage(), Qt::LeftButton, {}, {600, 20});
        QCOMPARE(fixture.show.momentNow(), ++now);
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Backspace, Qt::Key_PageUp}) {
            fixture.press(key);
            QCOMPARE(fixture.show.momentNow(), --now);
        }
        fixture.press(Qt::Key_End);
        QCOMPARE(fixture.show.momentNow(), kMoments - 1);
        QCOMPARE(fixture.plainOf("showWhere"), QString("12 of 12"));
        fixture.press(Qt::Key_Home);
        QCOMPARE(fixture.plainOf("showWhere"), QString("1 of 12"));
    }

    void screenReadersSayEveryMoment() {
        ShowFixture fixture;
        QStringList said;
        for (int moment = 0; moment < kMoments; ++moment) {
            fixture.show.goTo(moment);
            QCOMPARE(fixture.sentence(), ui::ShowMoments::plain(fixture.moment().sentence));
            QVERIFY(test::says(fixture.show.accessibleDescription(), fixture.sentence()));
            QVERIFY(test::says(fixture.show.accessibleDescription(), fixture.note()));
            said << fixture.show.accessibleDescription();
        }
        said.removeDuplicates();
        QCOMPARE(said.size(), qsizetype(kMoments));
        for (const QPushButton *button : fixture.show.findChildren<QPushButton *>())
            QVERIFY(!button->accessibleName().isEmpty() || !button->isVisible());
    }

    void theClassVotes() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Answer);
        QVERIFY(!fixture.note().contains("class"));
        fixture.press(Qt::Key_1); // ignored, because the class does not vote yet
        fixture.goTo(MomentKind::Vote);
        QCOMPARE(fixture.show.votes(), (std::array<int, 2>{0, 0}));
        const auto buttons = fixture.show.findChildren<QPushButton *>("showVote");
        QCOMPARE(buttons.size(), 2);
        QCOMPARE(buttons[0]->text(), QString("animal"));
        QTest::mouseClick(buttons[1], Qt::LeftButton);
        fixture.press(Qt::Key_1);
        fixture.press(Qt::Key_1);
        QCOMPARE(buttons[0]->text(), QString("animal: 2"));
        QCOMPARE(buttons[1]->text(), QString("street: 1"));
        QCOMPARE(fixture.show.momentNow(), 1); // a vote does not show the next moment
        fixture.press(Qt::Key_Space);
        QCOMPARE(fixture.note(), QString("The class: 2 for animal, 1 for street."));
        fixture.press(Qt::Key_Left);
        fixture.press(Qt::Key_0);
        QCOMPARE(fixture.show.votes(), (std::array<int, 2>{0, 0}));
    }

    void theBarsAreTheProbabilities() {
        ShowFixture fixture;
        const auto &bars = fixture.show.stage().bars();
        const ui::ShowMoments &show = *fixture.show.moments();
        fixture.goTo(MomentKind::Answer);
        QCOMPARE(bars.content().bars.size(), std::size_t(2));
        QCOMPARE(bars.content().bars[0].value, show.first().probabilityOf(1));
        QVERIFY(!bars.content().bars[0].before);
        fixture.goTo(MomentKind::Change);
        QCOMPARE(bars.content().bars[1].value, show.second().probabilityOf(5));
        QCOMPARE(*bars.content().bars[1].before, show.first().probabilityOf(5));
        fixture.goTo(MomentKind::Silence);
        QCOMPARE(bars.content().bars[1].value, show.withoutHead().probabilityOf(5));
        fixture.press(Qt::Key_S);
        QCOMPARE(bars.content().bars[1].value, show.withoutHeads().probabilityOf(5));
        QCOMPARE(fixture.sentence(), ui::ShowMoments::plain(show.sentenceWithoutHeads()));
        QTest::mouseClick(test::find<QPushButton>(fixture.show, "showAllHeads"), Qt::LeftButton);
        QCOMPARE(bars.content().bars[1].value, show.withoutHead().probabilityOf(5));
    }

    /// The button is visible even if silencing the first head has already changed the answer.
    void theWholeLayerCanAlwaysBeSilenced_data() {
        test::addRows("word", QStringList{"tired", "crowded", "wide"});
    }

    void theWholeLayerCanAlwaysBeSilenced() {
        QFETCH(QString, word);
        ShowFixture fixture(sentenceWith(word));
        fixture.goTo(MomentKind::Silence);
        auto *button = test::find<QPushButton>(fixture.show, "showAllHeads");
        QVERIFY(button->isVisible());
        QVERIFY(!fixture.show.stage().silencesAllHeads());
        fixture.press(Qt::Key_S);
        QVERIFY(fixture.show.stage().silencesAllHeads());
        QCOMPARE(fixture.note(),
                 ui::ShowMoments::plain(fixture.show.moments()->noteWithoutHeads()));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!fixture.show.stage().silencesAllHeads());
    }

    /// Regression test: at a width of 1280 px, "99.7 %." was alone on the second line.
    void noNumberIsAloneOnALine() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Softmax);
        QTextDocument text;
        text.setHtml(test::find<QLabel>(fixture.show, "showSentence")->text());
        QVERIFY(text.toRawText().endsWith(
            QString("street\u00A0gets\u00A0%1.")
                .arg(
                    ui::percentText(fixture.moment().numbers[0].value).replace(' ', QChar::Nbsp))));
    }

    void aWordShowsItsWeight() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Lines);
        ui::ShowStage &stage = fixture.show.stage();
        QCOMPARE(stage.sentencesShown().size(), std::size_t(2));
        for (const std::size_t row : {0, 1}) {
            const auto &words = stage.sentencesShown()[row];
            QTest::mouseClick(&stage, Qt::LeftButton, {},
                              words.chip(row == 0 ? 3 : 10).center().toPoint());
            QCOMPARE(fixture.show.momentNow(), static_cast<int>(MomentKind::Lines));
            QCOMPARE(fixture.note(),
                     ui::ShowMoments::plain(fixture.show.moments()->weightNote(row == 0 ? 3 : 10)));
        }
        fixture.press(Qt::Key_Up);
        QCOMPARE(stage.currentItem(), 9);
        QCOMPARE(stage.itemName(9), ui::ShowMoments::plain(fixture.show.moments()->weightNote(9)));
        // The thickness of an arc is proportional to its weight.
        const auto arcs = stage.sentencesShown()[0].arcs();
        QVERIFY(!arcs.empty());
        const auto most = std::ranges::max_element(arcs, {}, &ui::StripArc::weight);
        QCOMPARE(most->weight,
                 momentOf(*fixture.show.moments(), MomentKind::Lines).numbers[0].value);
    }

    void theWordIsTypedUnlessMotionIsReduced() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Answer);
        fixture.press(Qt::Key_Space);
        QVERIFY(!fixture.show.stage().isMoving());
        QCOMPARE(fixture.show.stage().sentencesShown()[0].content().typedShare, 1.0);
        ui::StepMotion::choose(true);
        if (!ui::StepMotion::isWanted())
            QSKIP("the system asks for reduced motion");
        fixture.press(Qt::Key_Left);
        fixture.press(Qt::Key_Space);
        QVERIFY(fixture.show.stage().isMoving());
        QVERIFY(fixture.show.stage().sentencesShown()[0].content().typedShare < 1);
        QVERIFY(fixture.show.stage().bars().content().bars[1].number.isEmpty());
        HEADLIGHT_UNTIL(!fixture.show.stage().isMoving());
        QCOMPARE(fixture.show.stage().sentencesShown()[0].content().typedShare, 1.0);
        fixture.press(Qt::Key_Space); // shows the next moment immediately
        QCOMPARE(fixture.show.momentNow(), static_cast<int>(MomentKind::Both));
    }

    void itIsReadFromTheLastRow_data() {
        test::addCombinations<bool, QSize, QString>(
            {"dark", "size", "text"}, {false, true},
            {QSize(1280, 720), QSize(1024, 768), QSize(1920, 1080)},
            {sentenceWith("tired"), sentenceWith("wide"), "no sentence of the model",
             "at night the horse wasn't followed by the child because it was too clever"});
    }

    /// All texts have at least 16 px, and nothing is cut or overlaps.
    void itIsReadFromTheLastRow() {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        QFETCH(QString, text);
        ShowFixture fixture(text, dark);
        fixture.show.resize(size);
        QCoreApplication::processEvents();
        QCOMPARE(fixture.show.size(), size);
        for (int moment = 0; moment < kMoments; ++moment) {
            fixture.show.goTo(moment);
            if (moment == static_cast<int>(MomentKind::Lines))
                fixture.press(Qt::Key_Down);
            if (moment == static_cast<int>(MomentKind::Silence))
                fixture.press(Qt::Key_S);
            QCoreApplication::processEvents();
            const auto record = test::PaintingRecord::of(fixture.show);
            QVERIFY(record.texts.size() > 2);
            for (const auto &each : record.texts) {
                if (each.text.trimmed().isEmpty())
                    continue;
                QVERIFY2(each.shown >= kMinText - 0.01,
                         test::said("%1: %2 px in moment %3", each.text, each.shown, moment));
                QVERIFY2(each.centre.x() - each.width / 2 > -1 &&
                             each.centre.x() + each.width / 2 < fixture.show.width() + 1,
                         test::said("%1 is cut in moment %2", each.text, moment));
                QVERIFY2(!each.text.contains(QChar(0x2026)) ||
                             moment == static_cast<int>(MomentKind::Score),
                         test::said("%1 in moment %2", each.text, moment));
            }
            QList<QRect> rects;
            for (const QWidget *part : fixture.parts()) {
                const QRect rect(part->mapTo(&fixture.show, QPoint()), part->size());
                QVERIFY2(part->parentWidget()->rect().contains(part->geometry()),
                         test::said("%1 in moment %2", part->objectName(), moment));
                if (const auto *label = qobject_cast<const QLabel *>(part))
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                             test::said("%1 in moment %2", label->text(), moment));
                rects << rect;
            }
            for (const ui::ShowWords &sentence : fixture.show.stage().sentencesShown()) {
                QVERIFY(QRectF(fixture.show.stage().rect()).contains(sentence.rect()));
                rects << sentence.rect()
                             .translated(fixture.show.stage().pos())
                             .toRect()
                             .adjusted(1, 1, -1, -1);
            }
            if (fixture.show.stage().bars().isVisible())
                rects << fixture.show.stage().bars().geometry().translated(
                    fixture.show.stage().pos());
            QVERIFY2(test::areApart(rects), test::said("moment %1", moment));
        }
    }

    /// Every number of the row of scores is measured, even while the columns grow.
    void theRowOfScoresIsReadFromTheLastRow() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Score);
        // Returns the texts with a digit. Those that are too small are marked.
        const auto digitsIn = [&fixture] {
            QStringList digits;
            for (const auto &each : test::PaintingRecord::of(fixture.show).texts)
                if (std::ranges::any_of(each.text, [](QChar c) { return c.isDigit(); }))
                    digits << (each.shown < kMinText - 0.01 ? "small: " + each.text : each.text);
            return digits;
        };
        const ui::ReadSentence &read = fixture.show.moments()->second();
        const auto scores = read.row(core::Stage::ScaledScores, ui::kShownLayer, ui::kShownHead);
        const auto shares =
            read.row(core::Stage::AttentionWeights, ui::kShownLayer, ui::kShownHead);
        QVERIFY(digitsIn().filter("small: ").isEmpty()); // the cells of the close-up
        ui::StepMotion::choose(true);
        const bool canMove = ui::StepMotion::isWanted(); // unless the system disables animations
        fixture.press(Qt::Key_Space);
        QCOMPARE(fixture.show.stage().isMoving(), canMove);
        for (const bool isGrown : {false, true}) {
            if (isGrown)
                HEADLIGHT_UNTIL(!fixture.show.stage().isMoving());
            const QStringList digits = digitsIn();
            QVERIFY(digits.filter("small: ").isEmpty());
            for (const float score : scores)
                QVERIFY2(digits.contains(ui::numberText(double(score), 1)),
                         test::said("%1 is not measured", score));
            for (const float share : shares)
                QVERIFY2(!isGrown || digits.contains(ui::percentText(double(share))),
                         test::said("%1 is not measured", share));
        }
    }

    void thePictureFillsTheScreen_data() {
        test::addCombinations<QSize, QString>(
            {"size", "text"}, {QSize(1280, 720), QSize(1920, 1080)},
            {sentenceWith("tired"), sentenceWith("crowded"), sentenceWith("wide")});
    }

    /// No moment leaves the lower third empty, except the first one, which has only a sentence.
    void thePictureFillsTheScreen() {
        QFETCH(QSize, size);
        QFETCH(QString, text);
        ShowFixture fixture(text);
        fixture.show.resize(size);
        QCoreApplication::processEvents();
        const ui::ShowStage &stage = fixture.show.stage();
        for (int moment = 1; moment < kMoments; ++moment) {
            fixture.show.goTo(moment);
            QCoreApplication::processEvents();
            double lowest = 0;
            for (const auto &each : test::PaintingRecord::of(fixture.show).texts)
                if (const double y = each.centre.y() - stage.y(); y < stage.height())
                    lowest = std::max(lowest, y);
            for (const auto *button : stage.findChildren<QPushButton *>())
                if (button->isVisible())
                    lowest = std::max<double>(lowest, button->geometry().bottom());
            QVERIFY2(lowest > 0.75 * stage.height(),
                     test::said("moment %1 ends at %2 of %3 px", moment, lowest, stage.height()));
        }
        // The bars and the buttons take the whole width.
        fixture.goTo(MomentKind::Answer);
        QVERIFY(stage.bars().width() > 0.95 * stage.width());
        fixture.goTo(MomentKind::Vote);
        const auto votes = fixture.show.findChildren<QPushButton *>("showVote");
        QVERIFY(votes[1]->geometry().right() > 0.95 * stage.width());
        // Both sentences have words of the same size, so that only the last word differs.
        for (const MomentKind kind : {MomentKind::Both, MomentKind::Lines, MomentKind::Layers}) {
            fixture.goTo(kind);
            const auto &rows = stage.sentencesShown();
            QCOMPARE(rows.size(), std::size_t(2));
            QCOMPARE(rows[0].wordSize(), rows[1].wordSize());
        }
    }

    /// The words stay in place when the layer is silenced and the arcs disappear.
    void silencingMovesNoWord() {
        ShowFixture fixture;
        fixture.goTo(MomentKind::Silence);
        const auto placeOf = [&] { return fixture.show.stage().sentencesShown()[0].chip(5); };
        const QRectF before = placeOf();
        QVERIFY(!fixture.show.stage().sentencesShown()[0].arcs().empty());
        fixture.press(Qt::Key_S);
        QVERIFY(fixture.show.stage().sentencesShown()[0].arcs().empty());
        QCOMPARE(placeOf().topLeft(), before.topLeft());
    }

    void theThemesDiffer() {
        ShowFixture fixture;
        for (const bool dark : {false, true}) {
            fixture.show.setTheme(dark);
            const ui::FigureStyle style = ui::FigureStyle::presented(dark, 1);
            const QImage image = fixture.show.grab().toImage();
            QCOMPARE(image.pixelColor(3, 3), style.background);
            const QPoint stage = fixture.show.stage().geometry().bottomLeft();
            QCOMPARE(image.pixelColor(stage + QPoint(2, -2)), style.background);
            for (const auto &text : test::PaintingRecord::of(fixture.show).texts)
                if (text.text.contains("Who is"))
                    QVERIFY(ui::contrastOf(QColor(text.colour), style.background) >=
                            ui::kTextContrast);
        }
    }

    void escReturnsToTheStartPage() {
        ClassFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        ui::OpeningShow *show = fixture.shown();
        QVERIFY(show);
        QVERIFY(show->isFullScreen());
        QVERIFY(show->hasFocus() || show->focusWidget() == nullptr);
        QTest::keyClick(show, Qt::Key_Escape);
        QVERIFY(!fixture.window.openingShow());
        QVERIFY(fixture.startPage() && fixture.startPage()->isVisible());
        QVERIFY(fixture.startPage()->isAncestorOf(fixture.window.focusWidget()));
        QCOMPARE(fixture.window.document().source(), QString("bank")); // nothing was opened
    }

    /// The show states that it does not use the sentence of the start page.
    void aSentenceThatCannotBeReadIsReplaced() {
        ClassFixture fixture;
        auto *scene = fixture.window.findChild<ui::OpeningScene *>();
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_T);
        QTest::keyClicks(test::find<QLineEdit>(fixture.window, "wordsEdit"),
                         "he zebrra crossed the street");
        (void)test::settled(scene->document());
        test::find<QPushButton>(fixture.window, "startShow")->click();
        QVERIFY(fixture.shown());
        QCOMPARE(fixture.shown()->moments()->first().words.join(' '), sentenceWith("tired"));
        QTextDocument note;
        note.setHtml(test::find<QLabel>(*fixture.shown(), "showNote")->text());
        QVERIFY2(note.toPlainText().contains("cannot read your sentence"),
                 qPrintable(note.toPlainText()));
    }

    void itBeginsWithTheSentenceOfTheStartPage() {
        ClassFixture fixture;
        for (QPushButton *button : fixture.window.findChildren<QPushButton *>("startWord"))
            if (button->text() == "wide")
                button->click();
        test::find<QPushButton>(fixture.window, "startShow")->click();
        QVERIFY(fixture.shown());
        QCOMPARE(fixture.shown()->moments()->first().words.join(' '), sentenceWith("wide"));
        QCOMPARE(fixture.shown()->moments()->second().words.join(' '), sentenceWith("tired"));
        QTest::keyClick(fixture.shown(), Qt::Key_F11); // F11 leaves the show, too
        QVERIFY(!fixture.window.openingShow());
        // While the start page covers the window, Present in the menu opens the show.
        fixture.window.present(true);
        QVERIFY(fixture.shown());
        QVERIFY(!fixture.window.presentation());
    }

    void theLastMomentShowsTheHeadBeingBorn() {
        ClassFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        QVERIFY(fixture.shown());
        fixture.shown()->goTo(kMoments - 1);
        const core::Recipe recipe = fixture.shown()->moments()->runs().recipe;
        QCOMPARE(recipe.task, std::string("it"));
        QTest::keyClick(fixture.shown(), Qt::Key_Space);
        QVERIFY(!fixture.window.openingShow());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!fixture.startPage());
        QCOMPARE(fixture.window.currentView()->viewName(), QString("birth"));
        QCOMPARE(fixture.window.document().state().training->recipe, recipe);
        auto *birth = qobject_cast<ui::BirthView *>(fixture.window.currentView());
        HEADLIGHT_UNTIL(birth->replay().run() != nullptr);
        QVERIFY(!birth->replay().run()->heads.empty());
        QCOMPARE(fixture.window.document().state().training->step, recipe.steps);
    }

    /// The run is recorded once, while the class still looks at the last moments.
    void theRunIsRecordedDuringTheShow() {
        ClassFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        QVERIFY(fixture.shown());
        const core::Recipe recipe = fixture.shown()->moments()->runs().recipe;
        fixture.shown()->goTo(static_cast<int>(MomentKind::Roles));
        QVERIFY(!ui::RunAhead::of(recipe));
        fixture.shown()->goTo(static_cast<int>(MomentKind::Score));
        const std::weak_ptr<ui::RunAhead> begun = ui::RunAhead::of(recipe);
        QVERIFY(!begun.expired());
        fixture.shown()->goTo(kMoments - 1);
        fixture.shown()->goTo(0);
        QCOMPARE(ui::RunAhead::of(recipe), begun.lock());
        QTest::keyClick(fixture.shown(), Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(begun.expired()); // no view shows the run
        // The view of a run takes the recording from the show.
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        QVERIFY(fixture.shown());
        fixture.shown()->goTo(kMoments - 1);
        const std::shared_ptr<ui::RunAhead> watched = ui::RunAhead::of(recipe);
        QVERIFY(watched);
        QTest::keyClick(fixture.shown(), Qt::Key_Space);
        auto *presented = fixture.window.presentation()->findChild<ui::BirthView *>();
        HEADLIGHT_UNTIL(presented->replay().run() != nullptr);
        QCOMPARE(presented->replay().run(), test::valueOf(watched->runWhenDone({})));
    }

    void theHeadIsBornInFullScreenToo() {
        ClassFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        QVERIFY(fixture.shown());
        fixture.shown()->goTo(kMoments - 1);
        QTest::keyClick(fixture.shown(), Qt::Key_Space);
        ui::Presentation *presentation = fixture.window.presentation();
        QVERIFY(presentation);
        QVERIFY(presentation->isFullScreen());
        auto *birth = qobject_cast<ui::BirthView *>(presentation->currentView());
        QVERIFY(birth);
        HEADLIGHT_UNTIL(birth->replay().run() != nullptr);
        QTest::keyClick(presentation, Qt::Key_Escape);
        QVERIFY(!fixture.window.presentation());
        auto *left = qobject_cast<ui::BirthView *>(fixture.window.currentView());
        QVERIFY(left);
        QVERIFY(left->replay().run() != nullptr); // taken from the presentation
        HEADLIGHT_UNTIL(!left->replay().isRecording());
    }

    /// A show that is in a window, not in full screen, opens no presentation.
    void aShowInAWindowOpensNoPresentation() {
        ClassFixture fixture;
        QTest::keyClick(fixture.window.focusWidget(), Qt::Key_F11);
        QVERIFY(fixture.shown());
        fixture.shown()->showNormal();
        fixture.shown()->goTo(kMoments - 1);
        QTest::keyClick(fixture.shown(), Qt::Key_Space);
        QVERIFY(!fixture.window.openingShow());
        QVERIFY(!fixture.window.presentation());
        auto *birth = qobject_cast<ui::BirthView *>(fixture.window.currentView());
        QVERIFY(birth);
        birth->replay().clear(); // ends the recording
    }
};

namespace {

struct ShowApplication : test::OnScreens, QApplication {
    ShowApplication(int &count, char **words)
        : OnScreens(HEADLIGHT_TEST_SCRATCH), QApplication(count, words) {}
};

} // namespace

HEADLIGHT_TEST_WITH(ShowApplication, OpeningShowTest)
#include "tst_opening_show.moc"
