// Present mode: what it shows, its keys, and that the window is restored afterwards.
#include "tests/ui/window/presented.h"
#include "ui/figures/heatmap/heatmap_geometry.h"
#include "ui/panels/filmstrip.h"
#include "ui/strip/sentence_strip.h"
#include "ui/views/close_up_view.h"
#include "ui/window/presenting/pointer_light.h"
#include "ui/window/presenting/presented_stages.h"

using test::PresentedFixture;

namespace {

/// Counts how often a widget is resized. Aborts if this does not end, because the event loop would
/// never become idle.
struct Resizes : QObject {
    int count = 0;
    explicit Resizes(QWidget &widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject *, QEvent *event) override {
        count += event->type() == QEvent::Resize;
        if (count > 1000)
            qFatal("a widget is resized again and again");
        return false;
    }
};

} // namespace

class PresentingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// A view without content must not point to controls that are not there.
    void trainingPointsToNothingBelow() {
        PresentedFixture fixture("cat", "training");
        QVERIFY(fixture.picture()->viewName() == "training");
        const QString words = fixture.picture()->figure()->description();
        QVERIFY2(words.contains("New run"), qPrintable(words));
        QVERIFY2(!words.contains("below"), qPrintable(words));
    }

    /// The dialog must be above the presentation.
    void aNewRunIsStartedFromAPresentation() {
        PresentedFixture fixture("cat", "training");
        auto *button = fixture.presentation->findChild<QToolButton *>("trainingNewRun");
        QVERIFY(button && button->isVisible());
        QPointer<QWidget> parent;
        bool isOffered = false;
        QTimer::singleShot(0, qApp, [&] {
            if (auto *dialog =
                    qobject_cast<ui::NewRunDialog *>(QApplication::activeModalWidget())) {
                isOffered = true;
                parent = dialog->parentWidget();
                dialog->reject();
            }
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(isOffered);
        QCOMPARE(parent.data(), static_cast<QWidget *>(fixture.presentation));
        QCOMPARE(fixture.window.presentation(), fixture.presentation);
    }

    /// From top to bottom: sentence, words, picture, names of the stages, names of the views.
    void thePartsStandBelowEachOther() {
        PresentedFixture fixture("cat");
        int before = -1;
        for (const char *name : {"presentedLesson", "sentenceStrip", "presented-close-up",
                                 "presentedStages", "presentedFooter"}) {
            const auto *part = fixture.presentation->findChild<QWidget *>(name);
            QVERIFY2(part && part->isVisible() && fixture.contains(part), name);
            const int top = part->mapTo(fixture.presentation, QPoint()).y();
            QVERIFY2(top > before, name);
            before = top + part->height() / 2;
        }
        for (const char *name : {"filmstrip", "lessonPanel"})
            QVERIFY(!fixture.presentation->findChild<QWidget *>(name));
    }

    void everythingIsOneAndAHalfTimesAsLarge() {
        PresentedFixture fixture("cat");
        const auto stripOf = [](const QWidget &window) {
            return window.findChild<ui::SentenceStrip *>()->figureStyle();
        };
        const auto pixels = [](const ui::FigureStyle &style, ui::FigureStyle::Text text) {
            return style.font(text).pixelSize();
        };
        ui::Presentation *presentation = fixture.presentation;
        for (const auto &[large, usual] :
             {std::pair(fixture.picture()->figureStyle(), fixture.view()->figureStyle()),
              std::pair(stripOf(*presentation), stripOf(*fixture.window.centralWidget()))})
            for (const auto text : {ui::FigureStyle::Text::Cell, ui::FigureStyle::Text::Label,
                                    ui::FigureStyle::Text::Body, ui::FigureStyle::Text::Title}) {
                QVERIFY(2 * pixels(large, text) >= 3 * pixels(usual, text));
                QVERIFY(pixels(large, text) >= 16);
            }
        const auto *lesson = fixture.shown<ui::PresentedLesson>();
        QVERIFY(2 * lesson->shownSize() >= 3 * QFontInfo(fixture.window.font()).pixelSize());
    }

    /// The sentence is hidden only if the picture then has all its labels.
    void theWordsStayWhereTheirSpaceDoesNotHelp() {
        PresentedFixture fixture("two-heads", "heads");
        for (int step = 0; step < 5; ++step) {
            const bool hasWords = fixture.shown<ui::SentenceStrip>()->isVisible();
            const bool isWhole = fixture.picture()->hasAllLabels();
            QVERIFY2(hasWords || isWhole, test::said("step %1", fixture.step()));
            fixture.press(Qt::Key_Right);
        }
    }

    /// The line highlights the current stage, and a click selects a stage.
    void theFilmstripIsALineOfNames() {
        PresentedFixture fixture("cat");
        auto *stages = fixture.shown<ui::PresentedStages>();
        const auto *film = fixture.find<ui::Filmstrip>("filmstrip");
        const auto names = film->stageNames();
        QCOMPARE(stages->itemCount(), static_cast<int>(names.size()));
        for (int i = 0; i < stages->itemCount(); ++i) {
            QCOMPARE(stages->itemName(i), names[static_cast<std::size_t>(i)].title);
            QVERIFY(stages->rect().contains(stages->itemRect(i)));
            QTest::mouseClick(stages, Qt::LeftButton, {}, stages->itemRect(i).center());
            QCOMPARE(fixture.document().selection().stage,
                     names[static_cast<std::size_t>(i)].at.stage);
            QCOMPARE(stages->currentItem(), i);
        }
        // If there are many stages, only the names around the current stage are shown.
        fixture.press(Qt::Key_Escape);
        fixture.open(test::sessionPath("gpt_j"));
        fixture.present({700, 500});
        stages = fixture.shown<ui::PresentedStages>();
        for (const int i : {0, stages->itemCount() / 2, stages->itemCount() - 1}) {
            stages->pressItem(i);
            fixture.settle();
            QCOMPARE(stages->currentItem(), i);
            QVERIFY(!stages->itemRect(i).isEmpty());
            QVERIFY(stages->rect().contains(stages->itemRect(i)));
        }
    }

    /// Shows as many whole sentences as fit. A key or a click shows the rest.
    void theSentenceIsWholeAndTheRestIsAKeyAway() {
        PresentedFixture fixture("cat");
        const auto *sentence = fixture.shown<ui::PresentedLesson>();
        const auto *text = fixture.shown<ui::PresentedText>();
        QVERIFY(sentence->isCut());
        QVERIFY(sentence->toPlainText().startsWith("One sentence, two heads"));
        QVERIFY2(sentence->toPlainText().endsWith(". …"), qPrintable(sentence->toPlainText()));
        QVERIFY(!text->isVisible());
        fixture.press(Qt::Key_T);
        QVERIFY(text->isVisible());
        QVERIFY(text->toPlainText().contains("All numbers were set by hand"));
        fixture.press(Qt::Key_T);
        QVERIFY(!text->isVisible());
        QTest::mouseClick(sentence->viewport(), Qt::LeftButton);
        QVERIFY(text->isVisible());
        fixture.press(Qt::Key_Right); // goes to the next step, which shows its picture
        QVERIFY(!text->isVisible());
        QCOMPARE(fixture.step(), core::Index(1));
    }

    void theWindowComesBackAsItWas() {
        PresentedFixture fixture("cat", "heads");
        fixture.press(Qt::Key_Escape);
        fixture.find<QDockWidget>("historyDock")->show();
        fixture.view()->setFocus();
        fixture.settle();
        const QByteArray docks = fixture.window.saveState();
        const QRect place = fixture.window.geometry();
        QWidget *focus = fixture.window.focusWidget();
        const double text = fixture.window.textScale();
        QList<QRect> sizes;
        for (const QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
            sizes << dock->geometry();
        for (const Qt::Key way : {Qt::Key_Escape, Qt::Key_F11}) {
            fixture.present();
            fixture.press(Qt::Key_Plus, Qt::ControlModifier);
            fixture.press(Qt::Key_4, Qt::AltModifier);
            fixture.press(way);
            QVERIFY(!fixture.window.presentation());
            QCOMPARE(fixture.window.saveState(), docks);
            QCOMPARE(fixture.window.geometry(), place);
            QCOMPARE(fixture.window.focusWidget(), focus);
            QCOMPARE(fixture.window.textScale(), text);
            QCOMPARE(fixture.view()->viewName(), QString("heads"));
            QCOMPARE(fixture.view()->figureStyle().textScale, text);
            QList<QRect> now;
            for (const QDockWidget *dock : fixture.window.findChildren<QDockWidget *>())
                now << dock->geometry();
            QCOMPARE(now, sizes);
        }
    }

    void itCoversTheScreenAndShowsTheSameView() {
        PresentedFixture fixture("cat", "heads");
        fixture.press(Qt::Key_Escape);
        QTest::keyClick(&fixture.window, Qt::Key_F11);
        fixture.presentation = fixture.window.presentation();
        QVERIFY(fixture.presentation->isFullScreen());
        QCOMPARE(fixture.picture()->viewName(), QString("heads"));
        QCOMPARE(fixture.picture()->figureStyle().textScale, 1.5);
        QVERIFY(fixture.shown<ui::PresentedLesson>()->isVisible());
    }

    void theKeysOfAClickerStepTheLesson_data() {
        test::addColumns<Qt::Key, Qt::Key>({"forward", "backward"});
        QTest::newRow("arrows") << Qt::Key_Right << Qt::Key_Left;
        QTest::newRow("up and down") << Qt::Key_Down << Qt::Key_Up;
        QTest::newRow("pages") << Qt::Key_PageDown << Qt::Key_PageUp;
        QTest::newRow("space") << Qt::Key_Space << Qt::Key_Backspace;
    }

    void theKeysOfAClickerStepTheLesson() {
        QFETCH(Qt::Key, forward);
        QFETCH(Qt::Key, backward);
        PresentedFixture fixture("cat");
        QVERIFY2(fixture.footer().startsWith("1 of 7"), qPrintable(fixture.footer()));
        fixture.press(forward);
        fixture.press(forward);
        QCOMPARE(fixture.step(), core::Index(2));
        QVERIFY(fixture.footer().startsWith("3 of 7"));
        QVERIFY(fixture.shown<ui::PresentedLesson>()->toPlainText().startsWith(
            "Head 1: who belongs to whom"));
        fixture.press(backward);
        QCOMPARE(fixture.step(), core::Index(1));
    }

    /// Tests a lesson with two heads, and a model with two stacks.
    void headsAndPlacesAreGoneThroughAsInTheWindow() {
        PresentedFixture fixture("cat", "heads");
        const ui::Document &document = fixture.document();
        QCOMPARE(document.selection().head, core::Index(0));
        fixture.press(Qt::Key_BracketRight);
        QCOMPARE(document.selection().head, core::Index(1));
        fixture.press(Qt::Key_BracketLeft);
        QCOMPARE(document.selection().head, core::Index(0));
        fixture.press(Qt::Key_Escape);
        fixture.open(ui::translationExample());
        fixture.present();
        const core::AttentionId before = document.selection().attention();
        fixture.press(Qt::Key_BraceLeft, Qt::ControlModifier);
        QVERIFY(document.selection().attention() != before);
        fixture.press(Qt::Key_BraceRight, Qt::ControlModifier);
        QVERIFY(document.selection().attention() == before);
    }

    void whatTheWindowOffersIsOfferedHereToo() {
        PresentedFixture fixture("bank");
        fixture.press(Qt::Key_Escape);
        fixture.typeText("the bank has money");
        QTest::keyClick(&fixture.window, Qt::Key_Right, Qt::AltModifier); // goes to the next step
        fixture.settle();
        QVERIFY(fixture.find<QFrame>("resetOffer")->isVisible());
        fixture.present();
        QVERIFY(fixture.presentation->findChild<QFrame *>("resetOffer")->isVisible());
    }

    void afterTheLessonsEndTheComputationIsStepped() {
        PresentedFixture fixture("cat");
        fixture.press(Qt::Key_End);
        const ui::Document &document = fixture.document();
        QCOMPARE(fixture.step(), core::Index(6));
        fixture.press(Qt::Key_Right); // first reveals the answer to the question
        QVERIFY(!document.askedQuestion());
        // With a selected stage, Right goes to the next stage.
        fixture.select({.stage = core::Stage::Query});
        fixture.press(Qt::Key_Right);
        QCOMPARE(document.selection().stage, core::Stage::Key);
        QVERIFY(test::says(fixture.footer(), "keys"));
        fixture.press(Qt::Key_Left); // Left goes back in the same way
        QCOMPARE(document.selection().stage, core::Stage::Query);
        QCOMPARE(fixture.step(), core::Index(6));
        fixture.press(Qt::Key_Left);
        QCOMPARE(fixture.step(), core::Index(5));
    }

    void withoutALessonThePictureIsAloneAndTheComputationIsStepped() {
        PresentedFixture fixture(test::sessionPath("decoder_rotary"));
        QVERIFY(!fixture.shown<ui::PresentedLesson>()->isVisible());
        QVERIFY(fixture.presentation->findChild<QLabel *>("presentedStep")->isVisible());
        const core::Stage before = fixture.document().selection().stage;
        fixture.press(Qt::Key_Home);
        fixture.press(Qt::Key_PageDown);
        QVERIFY(fixture.document().selection().stage != before ||
                fixture.document().selection().stage != core::Stage::Embeddings);
        QVERIFY(fixture.footer().contains("Esc"));
    }

    void aBlackScreenEndsWithAnyKey() {
        PresentedFixture fixture("cat");
        for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
            fixture.press(key);
            QVERIFY(fixture.presentation->isBlank());
            QCOMPARE(fixture.presentation->grab().toImage().pixelColor(600, 300),
                     QColor(Qt::black));
            fixture.press(Qt::Key_PageDown);
            QVERIFY(!fixture.presentation->isBlank());
            QCOMPARE(fixture.step(), core::Index(0));
        }
        for (const Qt::Key key : {Qt::Key_F5, Qt::Key_A, Qt::Key_C, Qt::Key_M, Qt::Key_Tab})
            fixture.press(key); // ignored in present mode
        QVERIFY(fixture.document().state().input.masks.empty());
        QVERIFY(fixture.presentation->isVisible());
    }

    void theArithmeticIsOpenedByAKeyAndClosedByEsc() {
        PresentedFixture fixture("cat");
        fixture.showView("heads");
        fixture.press(Qt::Key_O);
        QCOMPARE(fixture.picture()->viewName(), QStringLiteral("close-up"));
        QVERIFY(fixture.picture()->figure());
        QVERIFY(fixture.picture()->showsArithmetic());
        fixture.press(Qt::Key_Escape);
        QCOMPARE(fixture.window.presentation(), fixture.presentation); // Esc only collapsed it
        QVERIFY(!fixture.document().selection().opened);
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.window.presentation());
    }

    /// If the arithmetic is expanded in another view only, Esc ends present mode.
    void escLeavesWhereTheOpenedArithmeticIsNotInSight() {
        PresentedFixture fixture("cat");
        fixture.press(Qt::Key_O);
        fixture.showView("heads");
        QVERIFY(fixture.document().selection().opened);
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.window.presentation());
    }

    /// Esc ends present mode, after collapsing any arithmetic that a click may have expanded.
    void escLeavesWhateverWasClicked() {
        PresentedFixture fixture("bank");
        QStringList views;
        for (const ui::FigureView *view : fixture.window.findChildren<ui::FigureView *>())
            views << view->viewName();
        for (const QString &name : std::as_const(views)) {
            if (!fixture.window.presentation())
                fixture.present();
            fixture.presentation->showView(name);
            fixture.settle();
            for (int x = 1; x < 8; ++x)
                for (int y = 1; y < 6; ++y) {
                    const QPoint at(fixture.presentation->width() * x / 8,
                                    fixture.presentation->height() * y / 6);
                    QWidget *there = fixture.presentation->childAt(at);
                    if (there && !qobject_cast<QAbstractButton *>(there))
                        QTest::mouseClick(there, Qt::LeftButton, {},
                                          there->mapFrom(fixture.presentation, at));
                }
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            if (fixture.window.presentation())
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QVERIFY2(!fixture.window.presentation(), qPrintable(name));
        }
    }

    void theSizeOfTheTextIsRememberedAndItsOwn() {
        PresentedFixture fixture("cat");
        QCOMPARE(fixture.presentation->textScale(), 1.5);
        for (int i = 0; i < 5; ++i)
            fixture.press(Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(fixture.presentation->textScale(), 2.5);
        fixture.press(Qt::Key_Escape);
        fixture.present();
        QCOMPARE(fixture.presentation->textScale(), 2.5);
        for (int i = 0; i < 9; ++i)
            fixture.press(Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(fixture.presentation->textScale(), 1.5);
        fixture.press(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(fixture.presentation->textScale(), 1.5);
        QCOMPARE(fixture.window.textScale(), 1.0);
    }

    void thePointerLightsTheCellItIsOver() {
        PresentedFixture fixture("cat", "heads");
        ui::FigureView *view = fixture.picture();
        const auto *figure = static_cast<const ui::HeadsFigure *>(view->figure());
        const ui::HeatmapGeometry large = figure->geometry(view->rect()).enlarged;
        const auto *light = fixture.shown<ui::PointerLight>();
        for (const ui::Cell cell : {ui::Cell{0, 0}, ui::Cell{5, 1}, ui::Cell{3, 4}}) {
            const QRectF rect = large.cellRect(cell.row, cell.column);
            test::moveMouse(*view, rect.center());
            QVERIFY(light->cell().has_value());
            QCOMPARE(*light->cell(), rect);
            QVERIFY(test::says(light->words(), "attends to"));
            QVERIFY(QRectF(light->rect()).contains(light->wordsRect()));
            QVERIFY(!light->wordsRect().intersects(rect));
        }
        test::moveMouse(*view, QPointF(2, 2));
        QVERIFY(light->words().isEmpty());
        QVERIFY(!light->cell());
        // The light also works on the small matrices.
        fixture.showView("whole");
        auto *whole = dynamic_cast<ui::WholeView *>(fixture.picture());
        QVERIFY(whole->figure());
        const ui::WholeNode node = whole->places().map.nodes.front();
        const QRectF small = whole->onScreen(node.cells().cellRect(0, 0));
        test::moveMouse(*whole, small.center());
        QVERIFY(light->cell().has_value());
        QCOMPARE(*light->cell(), small);
    }

    void everyLabelAndTabIsThereUpToElevenTokens() {
        PresentedFixture fixture("sentence");
        for (const char *name :
             {"close-up", "whole", "heads", "similarity", "geometry", "output", "words"}) {
            fixture.showView(name);
            QVERIFY(fixture.picture()->figure());
            QVERIFY2(fixture.picture()->hasAllLabels() ||
                         fixture.picture()->figureStyle().textScale <= 1.25,
                     name);
        }
        for (double scale = 1.5; scale <= 2.5; scale += 0.05) {
            fixture.presentation->setTextScale(scale);
            fixture.settle();
            for (const QToolButton *tab :
                 fixture.presentation->findChildren<QToolButton *>("presentedView")) {
                if (!tab->isVisible()) {
                    const QStringList without{"Output",                 // no output layer
                                              "Training", "Being born", // no training run
                                              "Model"};                 // one layer
                    QVERIFY2(without.contains(tab->text()), qPrintable(tab->text()));
                    continue;
                }
                QVERIFY(fixture.contains(tab));
                QVERIFY2(tab->width() >= tab->sizeHint().width(),
                         test::said("%1 at %2: %3 px of %4", tab->text(), scale, tab->width(),
                                    tab->sizeHint().width()));
            }
        }
    }

    /// The formula is shown if the step or the user requests it. It is large and highlights the
    /// current stage.
    void theWholeFormulaIsShownAsInTheWindow() {
        PresentedFixture fixture("softmax");
        ui::Document &document = fixture.document();
        auto *field = fixture.shown<ui::FormulaField>();
        auto *inWindow = fixture.find<ui::FormulaBar>("formulaBar");
        QVERIFY(!field->isVisible());
        fixture.goToStep(8); // its text writes the formula
        QVERIFY(field->isVisible() && inWindow->isVisible());
        QVERIFY(field->mapTo(fixture.presentation, QPoint()).y() >=
                fixture.picture()->mapTo(fixture.presentation, QPoint()).y() +
                    fixture.picture()->height());
        QVERIFY(fixture.contains(field));
        QVERIFY(field->strip().font().pixelSize() >=
                5 * inWindow->field().strip().font().pixelSize() / 4);
        const auto lit = [&] {
            QStringList symbols;
            for (const auto &part : field->strip().formula().partsAt(document.selection()))
                symbols << field->strip().text(part.whole);
            return symbols;
        };
        const QStringList ofContext = lit();
        QVERIFY(!ofContext.isEmpty());
        const QImage first = field->grab().toImage();
        // Clicking a symbol selects and highlights its matrix, but does not take the focus.
        for (ui::FormulaLink *link : field->links())
            if (link->part().at.stage == core::Stage::Value)
                QTest::mouseClick(link, Qt::LeftButton);
        fixture.settle();
        QCOMPARE(document.selection().stage, core::Stage::Value);
        QVERIFY(!lit().isEmpty() && lit() != ofContext);
        QVERIFY(field->grab().toImage() != first);
        fixture.press(Qt::Key_Backspace);
        QCOMPARE(fixture.step(), core::Index(7));
        QVERIFY(!field->isVisible()); // only the last step shows the formula
        fixture.press(Qt::Key_F);
        QVERIFY(field->isVisible() && inWindow->isVisible());
        fixture.press(Qt::Key_F);
        QVERIFY(!field->isVisible() && !inWindow->isVisible());
        fixture.press(Qt::Key_F);
        fixture.press(Qt::Key_Escape);
        fixture.present(); // shown again, as before
        QVERIFY(fixture.shown<ui::FormulaField>()->isVisible());
    }

    /// A formula that is shrunk to fit changes its height while it shrinks.
    void aFormulaThatShrinksComesToRest() {
        PresentedFixture fixture(test::sessionPath("gpt_j"));
        fixture.press(Qt::Key_Escape);
        fixture.present({700, 500});
        auto *field = fixture.shown<ui::FormulaField>();
        if (!field->isVisible())
            fixture.press(Qt::Key_F);
        Resizes resizes(*field);
        fixture.presentation->setTextScale(2.5);
        fixture.settle();
        QVERIFY(resizes.count > 0);
        auto *inWindow = fixture.find<ui::FormulaBar>("formulaBar");
        QVERIFY(field->strip().geometry(field->width()).lineCount() <= 2 ||
                field->strip().font().pixelSize() <= // the smallest size
                    std::max(16, inWindow->field().strip().font().pixelSize()));
        QVERIFY(test::until([&] {
            const int before = resizes.count;
            fixture.settle();
            return resizes.count == before;
        }));
    }

    void everyViewIsNamedAndHasItsKey() {
        PresentedFixture fixture("cat");
        QStringList names;
        for (const auto *name : fixture.presentation->findChildren<QToolButton *>("presentedView"))
            if (name->isVisible())
                names << name->text();
        QCOMPARE(names, QStringList({"Close-up", "Whole", "Heads", "Similarity", "Geometry",
                                     "Softmax", "Words", "Lines", "Text", "Query · key"}));
        for (QToolButton *name : fixture.presentation->findChildren<QToolButton *>("presentedView"))
            if (name->text() == "Words")
                QTest::mouseClick(name, Qt::LeftButton);
        QCOMPARE(fixture.picture()->viewName(), QString("words"));
        fixture.press(Qt::Key_8, Qt::AltModifier);
        QCOMPARE(fixture.picture()->viewName(), QString("softmax"));
        fixture.press(Qt::Key_Space);
        QCOMPARE(fixture.step(), core::Index(1));
    }

    /// The controls next to a matrix's title are smaller than the title, but legible.
    void titlesAreLargerThanTheirControls() {
        PresentedFixture fixture("cat", "close-up");
        fixture.showView("close-up");
        for (const core::Stage stage : {core::Stage::AttentionWeights, core::Stage::Query}) {
            fixture.select({.stage = stage});
            fixture.settle();
            auto *view = dynamic_cast<ui::CloseUpView *>(fixture.picture());
            QVERIFY(view);
            for (int time = 0; time < 2; ++time) { // first sizes, then positions
                (void)view->grab();
                QCoreApplication::processEvents();
            }
            view->motion().finish();
            const QRectF title = view->places().picture.result.title;
            double largest = 0;
            for (const auto &text : test::PaintingRecord::of(*view).texts)
                if (title.contains(text.centre))
                    largest = std::max(largest, text.shown);
            int controls = 0;
            for (const QToolButton *each : view->findChildren<QToolButton *>()) {
                if (!each->property("chip").toBool() || !each->isVisible())
                    continue;
                ++controls;
                const int pixels = QFontInfo(each->font()).pixelSize();
                QVERIFY2(pixels >= 16 && pixels < largest,
                         test::said("%1 of %2 px, the title of %3", each->text(), pixels, largest));
            }
            QVERIFY(controls > 0);
        }
    }

    void aThemeChosenMeanwhileIsFollowed() {
        PresentedFixture fixture("cat");
        fixture.window.setTheme(ui::Theme::Dark);
        QVERIFY(fixture.picture()->figureStyle().isDark);
        QVERIFY(fixture.presentation->palette().color(QPalette::Window).lightness() < 128);
    }
};

HEADLIGHT_WIDGET_TEST(PresentingTest)
#include "tst_presenting.moc"
