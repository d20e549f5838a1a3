// The words and the answer in the window: between the tabs and the view, above every view of a
// sentence, with the view's colours, and in present mode.
#include "tests/support/shown_texts.h"
#include "tests/ui/window/presented.h"
#include "ui/document/learned_model.h"
#include "ui/document/step_view.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/strip_arcs.h"
#include "ui/strip/words_strip.h"

namespace {

struct StripWindow : WindowFixture {
    using WindowFixture::WindowFixture;

    ui::SentenceStrip &strip() const { return *find<ui::SentenceStrip>("sentenceStrip"); }
    QRect inWindow(const QWidget &widget) const {
        return {widget.mapTo(&window, QPoint()), widget.size()};
    }
    QString message() const {
        for (const QLabel *label : window.statusBar()->findChildren<QLabel *>())
            if (label->text().contains("attends to"))
                return label->text();
        return {};
    }
};

} // namespace

class WindowStripTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void itIsBetweenTheTabsAndEachView() {
        StripWindow fixture("writing", "close-up");
        auto *tabs = fixture.find<QTabWidget>("views");
        for (int index = 0; index < tabs->count(); ++index) {
            if (!tabs->isTabVisible(index))
                continue;
            tabs->setCurrentIndex(index);
            fixture.settle();
            const QRect strip = fixture.inWindow(fixture.strip());
            const QRect view = fixture.inWindow(*fixture.view());
            QVERIFY(fixture.strip().isVisible());
            const int below = strip.top() - fixture.inWindow(*tabs->tabBar()).bottom();
            QVERIFY(below >= 1 && below <= 2); // only the line of the tabs is in between
            QCOMPARE(view.top(), strip.bottom() + 1);
            QCOMPARE(view.left(), strip.left());
            QCOMPARE(view.width(), strip.width());
        }
    }

    void aViewWithoutASentenceHasNone() {
        StripWindow fixture(ui::learnedModels().front().id, "training");
        QCOMPARE(fixture.view()->viewName(), QString("training"));
        QVERIFY(!fixture.strip().isVisible());
        fixture.window.showView("whole");
        fixture.settle();
        QVERIFY(fixture.strip().isVisible());
    }

    void aLowWindowHasOneLine_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<bool>("isLow");
        QTest::newRow("720") << 720 << true;
        QTest::newRow("799") << 799 << true;
        QTest::newRow("800") << 800 << false;
        QTest::newRow("1080") << 1080 << false;
    }

    void aLowWindowHasOneLine() {
        QFETCH(int, height);
        QFETCH(bool, isLow);
        StripWindow fixture("cat", "heads");
        fixture.typeText("one two three four five six seven eight nine ten eleven twelve thirteen");
        fixture.window.resize(1000, height);
        fixture.settle();
        QCOMPARE(fixture.window.height(), height);
        QCOMPARE(fixture.strip().room() == ui::StripRoom::Line, isLow);
        QCOMPARE(fixture.strip().words().layoutNow().lines == 1, isLow);
        // The words and the answer are not cut off.
        const QRect rect = fixture.strip().rect();
        for (const QWidget *child : {static_cast<QWidget *>(&fixture.strip().words()),
                                     static_cast<QWidget *>(&fixture.strip().answer())})
            QVERIFY(rect.contains(child->geometry()));
        QVERIFY(
            !fixture.strip().words().geometry().intersects(fixture.strip().answer().geometry()));
    }

    void largeTextLeavesRoomForTheWords_data() {
        test::addColumns<QString, QSize>({"source", "size"});
        QTest::newRow("layers") << QString("block") << QSize(1280, 720);
        QTest::newRow("two texts") << QString("cross-attention") << QSize(1280, 720);
        QTest::newRow("two texts, 900 px") << QString("cross-attention") << QSize(1440, 900);
    }

    /// At 200 %, the layers are on one line with the frames, and the words of two texts are
    /// smaller. So the words are visible, and the picture keeps its height.
    void largeTextLeavesRoomForTheWords() {
        QFETCH(QString, source);
        QFETCH(QSize, size);
        QSettings().setValue("window/textScale", 2.0);
        StripWindow fixture(source, "close-up");
        fixture.find<QDockWidget>("inspectorDock")->hide();
        fixture.window.resize(size);
        for (int time = 0; time < 2; ++time) // the layers move after the window has its size
            fixture.settle();
        QCOMPARE(fixture.window.size(), size);
        ui::SentenceStrip &strip = fixture.strip();
        QVERIFY(strip.isVisible());
        QVERIFY(fixture.view()->height() >= 200);
        QVERIFY(strip.height() <= 0.4 * (strip.height() + fixture.view()->height()));
        const double scale = strip.figureStyle().textScale;
        QVERIFY(strip.content().sentences.size() > 1 ? scale >= 1.25 : scale == 2);
        for (const ui::StripSentence &sentence : strip.content().sentences) {
            ui::WordsStrip &words = strip.words(sentence.side);
            QVERIFY(words.isVisible());
            QVERIFY(strip.rect().contains(words.geometry()));
            QVERIFY(!words.geometry().intersects(strip.answer().geometry()));
            if (size.height() < 800)
                QCOMPARE(words.layoutNow().lines, 1);
            if (sentence.selected)
                QVERIFY(QRectF(words.rect()).contains(words.wordRect(*sentence.selected)));
        }
        // The layers are to the left of the frames, and not higher.
        const auto *film = fixture.find<QWidget>("filmstrip");
        QRect layers, frames;
        for (const QToolButton *chip : film->findChildren<QToolButton *>("layer"))
            layers |= fixture.inWindow(*chip->parentWidget()->parentWidget());
        for (const QToolButton *frame : film->findChildren<QToolButton *>("frame"))
            frames |= fixture.inWindow(*frame->parentWidget()->parentWidget());
        QVERIFY(frames.left() > layers.right());
        QVERIFY(frames.top() <= layers.top() && layers.bottom() <= frames.bottom());
    }

    void ordinaryTextHasTheLayersAboveTheFrames() {
        StripWindow fixture("block", "close-up");
        fixture.window.resize(1280, 720);
        fixture.settle();
        const auto *film = fixture.find<QWidget>("filmstrip");
        const QWidget *chip = film->findChildren<QToolButton *>("layer").front(),
                      *frame = film->findChildren<QToolButton *>("frame").front();
        QVERIFY(fixture.inWindow(*chip).bottom() < fixture.inWindow(*frame).top());
        QCOMPARE(fixture.strip().figureStyle().textScale, 1.0);
    }

    /// However large the text, the window can be as small as before.
    void itNeverMakesTheWindowLarger() {
        StripWindow fixture("cat", "heads");
        fixture.typeText(QString("word ").repeated(60).trimmed());
        fixture.enlargeText(3);
        fixture.settle();
        fixture.window.resize(fixture.window.minimumSizeHint());
        fixture.settle();
        QVERIFY(fixture.window.height() < 720);
        QVERIFY(fixture.view()->height() > fixture.strip().height() ||
                !fixture.strip().isVisible());
    }

    void aClickMovesTheViewsRow() {
        StripWindow fixture("two-heads", "heads");
        fixture.select({.stage = core::Stage::AttentionWeights, .query = test::none()});
        ui::WordsStrip &words = fixture.strip().words();
        QTest::mouseClick(&words, Qt::LeftButton, {}, words.wordRect(3).center().toPoint());
        QCOMPARE(fixture.document().selection().query, test::some(3));
        QCOMPARE(fixture.view()->viewName(), QString("heads"));
        // The status line describes the cell under the mouse.
        test::moveMouse(words, words.wordRect(1).center());
        QVERIFY(!fixture.message().isEmpty());
    }

    void theColoursAreTheViews() {
        StripWindow fixture("two-heads", "heads");
        QCOMPARE(fixture.strip().figureStyle().weightsMap, ui::ColourMap::Viridis);
        fixture.view()->setColours(ui::ColourMap::Greys);
        QCOMPARE(fixture.strip().figureStyle().weightsMap, ui::ColourMap::Greys);
        fixture.view()->setColours(ui::ColourMap::Viridis);
        fixture.window.setTheme(ui::Theme::Dark);
        QVERIFY(fixture.strip().figureStyle().isDark);
        fixture.enlargeText(1);
        QCOMPARE(fixture.strip().figureStyle().textScale, 1.25);
    }

    void keysReachEverything() {
        StripWindow fixture("writing", "close-up");
        fixture.window.activateWindow();
        (void)test::active(fixture.window);
        auto *tabs = fixture.find<QTabWidget>("views");
        tabs->tabBar()->setFocus();
        QTest::keyClick(tabs->tabBar(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &fixture.strip().words());
        QTest::keyClick(&fixture.strip().words(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &fixture.strip().answer());
        QCOMPARE(test::namelessIn(fixture.window), QStringList());
    }

    void arcsAreInTheMenu() {
        StripWindow fixture("two-heads", "close-up");
        QAction *arcs = fixture.action("Arcs between the words");
        QCOMPARE(arcs->shortcut(), QKeySequence(Qt::Key_A));
        const bool before = arcs->isChecked();
        const int height = fixture.strip().height();
        arcs->trigger();
        fixture.settle();
        QCOMPARE(arcs->isChecked(), !before);
        QVERIFY(before ? fixture.strip().height() < height : fixture.strip().height() > height);
        arcs->trigger();
    }

    void anOpenQuestionShowsNoWeights() {
        StripWindow fixture("scores", "close-up");
        const core::Index steps = fixture.stepCount();
        bool hasShown = false;
        for (core::Index step = 0; step < steps; ++step) {
            fixture.goToStep(step);
            if (!fixture.document().askedQuestion())
                continue;
            QVERIFY(!fixture.strip().content().hasWeights);
            QVERIFY(fixture.strip().answer().content().bars.empty());
            fixture.document().answer({});
            const bool isShown = !ui::comesBeforeWeights(fixture.document().session(), step);
            QCOMPARE(!fixture.strip().answer().content().bars.empty(), isShown);
            hasShown |= isShown;
        }
        QVERIFY(hasShown);
    }

    /// A lesson asks which word *bank* reads before it shows a weight, so no step up to the
    /// question may show it.
    void noWeightsAreShownBeforeALessonComesToThem() {
        StripWindow fixture("bank", "close-up");
        core::Index step = 0;
        for (; ui::comesBeforeWeights(fixture.document().session(), step); ++step) {
            fixture.goToStep(step);
            fixture.document().answer({});
            QVERIFY(!fixture.strip().content().hasWeights);
            QVERIFY(fixture.strip().answer().content().bars.empty());
        }
        QVERIFY(step > 2);
        fixture.goToStep(step);
        fixture.document().answer({});
        QVERIFY(fixture.strip().content().hasWeights);
        QVERIFY(!fixture.strip().answer().content().bars.empty());
        fixture.goToStep(0); // selecting the stage still shows the weights
        fixture.select({.stage = core::Stage::AttentionWeights, .query = test::some(1)});
        QVERIFY(fixture.strip().content().hasWeights);
        QVERIFY(!fixture.strip().answer().content().bars.empty());
    }

    /// The presentation begins with what the window shows, and the window continues with what the
    /// presentation showed.
    void aPresentationBeginsWithoutWeightsIfTheWindowHasNone() {
        test::PresentedFixture fixture("query-key-value", "close-up", false);
        const auto *own =
            fixture.window.findChild<QTabWidget *>("views")->findChild<ui::SentenceStrip *>(
                "sentenceStrip");
        QVERIFY(ui::comesBeforeWeights(fixture.document().session(), 0));
        QVERIFY(!own->content().hasWeights);
        fixture.present();
        const auto *strip = fixture.shown<ui::SentenceStrip>();
        QVERIFY(!strip->content().hasWeights);
        QVERIFY(strip->answer().content().bars.empty());
        QTest::mouseClick(&strip->words(), Qt::LeftButton, {},
                          strip->words().wordRect(0).center().toPoint());
        QVERIFY(strip->content().hasWeights);
        fixture.window.present(false);
        fixture.settle();
        QVERIFY(own->content().hasWeights);
        fixture.present();
        QVERIFY(fixture.shown<ui::SentenceStrip>()->content().hasWeights);
    }

    /// An open question leaves no answer beside the caption, which is long for two texts.
    void aCaptionUsesTheSpaceOfAnEmptyAnswer() {
        test::PresentedFixture fixture("query-key-value");
        fixture.goToStep(8);
        QVERIFY(fixture.document().askedQuestion());
        auto *strip = fixture.shown<ui::SentenceStrip>();
        QVERIFY(strip->isVisible());
        const QRectF caption = strip->captionRect();
        QVERIFY(caption.right() > strip->answer().geometry().right());
        QVERIFY(strip->answer().geometry().top() >= std::floor(caption.bottom()));
        const QStringList texts = test::PaintingRecord::of(*strip).textsIn(caption);
        QVERIFY2(texts.join("").contains("layer 0, head 0"), qPrintable(texts.join("|")));
        fixture.document().answer({});
        fixture.settle();
        QVERIFY(strip->captionRect().right() <= strip->answer().geometry().left());
        QVERIFY(!strip->answer().content().title.isEmpty());
    }

    void sideAHasItsOwnWordsAndWeights() {
        StripWindow fixture("bank", "heads");
        fixture.select({.stage = core::Stage::AttentionWeights, .query = test::some(1)});
        const std::vector<float> first = fixture.strip().content().sentences.front().weights;
        fixture.document().comparison().compareWithSequence(1);
        fixture.document().comparison().show(ui::ComparisonSide::A);
        fixture.settle();
        QCOMPARE(fixture.strip().content().sentences.front().text().words.front().text,
                 QString("river"));
        // A may be another model, which lacks the selected sequence and head.
        fixture.document().comparison().unpin();
        fixture.document().comparison().compareWith(test::opened("cat"));
        HEADLIGHT_UNTIL(!fixture.document().comparison().isComputing());
        fixture.select({.head = 0, .sequence = 1});
        for (const ui::ComparisonSide side : ui::kShown) {
            fixture.document().comparison().show(side);
            fixture.settle();
            QVERIFY(!fixture.strip().content().sentences.empty());
        }
        QVERIFY(first.size() == 2);
    }

    void presentModeIsHalfAsLargeAgain() {
        test::PresentedFixture fixture("two-heads", "heads");
        auto *strip = fixture.shown<ui::SentenceStrip>();
        const auto *own =
            fixture.window.findChild<QTabWidget *>("views")->findChild<ui::SentenceStrip *>(
                "sentenceStrip");
        QVERIFY(strip && strip != own);
        QCOMPARE(strip->figureStyle().textScale, 1.5 * own->figureStyle().textScale);
        QVERIFY(ui::stripNumberFont(strip->figureStyle()).pixelSize() >= 16);
        // Keys are for the lesson, so the strip takes no focus.
        QCOMPARE(strip->words().focusPolicy(), Qt::NoFocus);
        QCOMPARE(strip->answer().focusPolicy(), Qt::NoFocus);
        QVERIFY(strip->isVisible()); // the picture leaves space for the words
        QVERIFY(fixture.contains(strip));
        QTest::mouseClick(&strip->words(), Qt::LeftButton, {},
                          strip->words().wordRect(2).center().toPoint());
        QCOMPARE(fixture.document().selection().query, test::some(2));
    }
};

HEADLIGHT_WIDGET_TEST(WindowStripTest)
#include "tst_window_strip.moc"
