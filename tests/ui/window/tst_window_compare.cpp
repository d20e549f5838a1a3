// Comparing two runs in the window, with keyboard and mouse.
#include "tests/ui/window/window_fixture.h"
#include "ui/compare/compared.h"
#include "ui/figures/similarity/similarity_figure.h"
#include "ui/strip/pairs_strip.h"
#include "ui/strip/sentence_strip.h"
#include "ui/window/compare_menu.h"
#include "ui/window/saving/figure_command.h"

using namespace headlight::ui;

namespace {

struct Fixture : WindowFixture {
    using WindowFixture::WindowFixture;

    QToolButton *segment(const char *name) const { return find<QToolButton>(name); }
    Comparison &comparison() { return window.document().comparison(); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
        QTest::keyClick(&window, key, modifiers);
        settle();
    }
    void setCausal() {
        QVERIFY(test::setMasks(window.document(), {core::CausalMask{}}));
        settle();
    }
    const HeatmapContent &content() {
        (void)view()->figure();
        return *view()->shownHeatmap().content;
    }
    FigureCommand command() {
        FigureCommandLine recipe;
        recipe.view = view()->viewName();
        recipe.size = QSizeF(800, 600);
        return commandFor(window.document(), recipe);
    }
};

} // namespace

class WindowCompareTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void withoutAItSaysHow() {
        Fixture fixture("cat");
        QVERIFY(!fixture.segment("show-now")->isVisible()); // the menu explains how to set A
        fixture.press(Qt::Key_3, Qt::ControlModifier);      // the key's action is disabled, too
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Now);
    }

    void byKeysAndMouse() {
        Fixture fixture("cat");
        fixture.press(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.comparison().hasA());
        QVERIFY(fixture.segment("show-difference")->isEnabled());
        const float before = fixture.content().matrix()(0, 1);
        fixture.press(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(fixture.segment("show-difference")->isChecked());
        QVERIFY(fixture.content().subtitle.startsWith("nothing changed"));
        fixture.setCausal();
        QVERIFY(fixture.content().subtitle.startsWith("largest change: "));
        QCOMPARE(fixture.content().matrix()(0, 1), -before); // now hidden, so its weight is 0
        fixture.press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(fixture.segment("show-a")->isChecked());
        QCOMPARE(fixture.content().matrix()(0, 1), before);
        fixture.press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(fixture.content().matrix()(0, 1), 0.0F);
        // Clicking a segment selects the side.
        for (const char *segment : {"show-difference", "show-a"}) {
            QTest::mouseClick(fixture.segment(segment), Qt::LeftButton);
            for (const char *each : {"show-difference", "show-a", "show-now"})
                QCOMPARE(fixture.segment(each)->isChecked(), each == QByteArray(segment));
        }
        QVERIFY(fixture.comparison().shown() == ComparisonSide::A);
    }

    void aViewWithoutDifferencesOffersNone() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        fixture.window.showView("geometry");
        QVERIFY(!fixture.segment("show-difference")->isEnabled());
        QVERIFY(fixture.segment("show-difference")->toolTip().startsWith("Geometry"));
        QVERIFY(fixture.segment("show-a")->isEnabled());
        fixture.window.showView("heads");
        QVERIFY(fixture.segment("show-difference")->isEnabled());
    }

    void wordsUnderTheMouseInTheInspectorAndForAScreenReader() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        const core::TracePointer a = fixture.document().trace();
        fixture.setCausal();
        fixture.comparison().show(ComparisonSide::Difference);
        (void)fixture.view()->figure();
        fixture.select({.stage = core::Stage::AttentionWeights, .query = 2, .key = 1});
        const core::Selection selection = fixture.document().selection();
        const auto cell = comparedCell(*fixture.document().trace(), selection,
                                       fixture.comparison().compared(), 2, 1);
        QVERIFY(cell && cell->change);
        QCOMPARE(cell->a, a->stage(core::Stage::AttentionWeights).matrix(0, selection.head)(2, 1));
        const QString words = "sat → cat: " + cell->words();
        (void)fixture.view()->figure();
        auto *dock = fixture.find<QDockWidget>("inspectorDock");
        dock->hide(); // otherwise the dock may cover the cell
        const QPointF point = fixture.view()->shownHeatmap().places.cellRect(2, 1).center();
        QSignalSpy hovered(fixture.view(), &FigureView::hovered);
        QTest::mouseMove(fixture.view(), point.toPoint());
        HEADLIGHT_UNTIL(!hovered.isEmpty());
        QCOMPARE(hovered.last().first().toString(), words);
        QCOMPARE(fixture.view()->wordsOf(Cell{2, 1}), words);
        fixture.comparison().show(ComparisonSide::A);
        QCOMPARE(hovered.last().first().toString(), QString()); // the hover text was not for A
        fixture.comparison().show(ComparisonSide::Difference);
        (void)fixture.view()->figure();

        dock->show();
        auto *inspector = fixture.window.findChild<Inspector *>();
        const InspectorSection &section = inspector->content().sections[1];
        QVERIFY(section.heading.contains("cat, step 1"));
        QCOMPARE(section.lines.size(), qsizetype(3));
        QCOMPARE(section.lines[2].exact, QString::fromStdString(core::exact(*cell->change)));

        QAccessibleInterface *table = QAccessible::queryAccessibleInterface(fixture.view());
        QAccessibleInterface *shown = table->tableInterface()->cellAt(2, 1);
        QCOMPARE(shown->text(QAccessible::Name), words);
        QCOMPARE(shown->text(QAccessible::Value),
                 QString::fromStdString(core::exact(*cell->change)).replace('-', "−"));
    }

    void anotherLessonBesideTheDocument() {
        Fixture fixture("cat");
        fixture.window.findChild<CompareMenu *>()->compareWith("bank");
        HEADLIGHT_UNTIL(fixture.comparison().compared().a != nullptr);
        QCOMPARE(fixture.document().source(), QStringLiteral("cat"));
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().absence.startsWith("The two texts have no token in common. "));
        fixture.comparison().show(ComparisonSide::A);
        (void)fixture.view()->figure();
        QCOMPARE(fixture.content().matrix().rows, core::Index(2));
        fixture.view()->grab();
        // Hover texts over A have the words of A, even if the current text has others.
        const QStringList labels = fixture.content().rowLabels;
        QVERIFY(fixture.view()->wordsOf(Cell{1, 0}).contains(labels[1]));
        fixture.window.showView("whole");
        fixture.view()->grab();
        fixture.window.showView("similarity");
        fixture.view()->grab();
    }

    void anotherTextTypedInPlace() {
        Fixture fixture("cat");
        fixture.press(Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        auto *edit = fixture.find<QLineEdit>("textOfA");
        QVERIFY(edit->hasFocus());
        QTest::keyClicks(edit, "The old cat sat on the mat");
        QTest::keyClick(edit, Qt::Key_Return);
        HEADLIGHT_UNTIL(fixture.comparison().compared().partners);
        QVERIFY(fixture.segment("show-difference")->isChecked());
        QCOMPARE(fixture.content().matrix().rows, core::Index(6));
        QVERIFY(fixture.content().subtitle.contains("only in A: old"));
        QVERIFY(test::says(fixture.command().text,
                           "--compare-text 'The old cat sat on the mat' --show difference"));
        QVERIFY(!fixture.command().text.contains("--align"));
        QVERIFY(fixture.command().lost.isEmpty());
        QVERIFY(suggestedCaption(fixture.document(), core::Stage::AttentionWeights)
                    .contains("“The old cat sat on the mat”"));
        // The command includes the user's pairs, too.
        auto &pairs = fixture.window.findChild<SentenceStrip *>()->pairs();
        pairs.setFocus();
        QTest::keyClick(&pairs, Qt::Key_Home); // goes to “The”
        QTest::keyClick(&pairs, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(test::says(fixture.command().text, "--align 0=1"));
        QTest::keyClick(&pairs, Qt::Key_Delete);
        QVERIFY(test::says(fixture.command().text, "--align 0=none"));
        // A cell of A selects the partners.
        fixture.comparison().show(ComparisonSide::A);
        (void)fixture.view()->figure();
        QCOMPARE(fixture.content().matrix().rows, core::Index(7));
        fixture.view()->selectCell({6, 3});
        QCOMPARE(fixture.document().selection().query, test::some(5));
        QCOMPARE(fixture.document().selection().key, test::some(2));
        QTest::mouseClick(fixture.find<QToolButton>("stopComparing"), Qt::LeftButton);
        QVERIFY(!fixture.comparison().hasA());
    }

    /// Shows another text in every view, on each side, longer and shorter than the current one.
    void anotherTextInEveryView() {
        Fixture fixture("tales");
        for (const char *text : {"the kite", "Tom had a kite . Mia had a kite ."}) {
            QVERIFY(fixture.comparison().compareWithText(text).ok());
            fixture.settle();
            HEADLIGHT_UNTIL(fixture.comparison().compared().a);
            for (const ViewInfo &info : allViews()) {
                fixture.window.showView(idOf(info));
                for (const ComparisonSide shown : kShown) {
                    fixture.comparison().show(shown);
                    for (const Qt::Key key :
                         {Qt::Key_End, Qt::Key_Down, Qt::Key_Right, Qt::Key_Home})
                        QTest::keyClick(fixture.view(), key);
                    fixture.view()->grab();
                    const std::optional<core::Index> before = fixture.document().selection().query;
                    QTest::mouseClick(fixture.view(), Qt::LeftButton, {},
                                      fixture.view()->rect().center());
                    fixture.view()->grab();
                    // A click in A selects a token with a partner, or none.
                    const Compared compared = fixture.comparison().compared();
                    const core::Selection &at = fixture.document().selection();
                    if (shown == ComparisonSide::A && compared.partners && at.query &&
                        at.query != before)
                        QVERIFY(compared.partners->inA(0, *at.query));
                }
            }
        }
    }

    /// With A shown, keys move over A's tokens but pass over tokens without a partner.
    void keysMoveOverTheTokensOfA() {
        Fixture fixture("cat");
        QVERIFY(fixture.comparison().compareWithText("The old cat sat on the mat there").ok());
        fixture.settle();
        HEADLIGHT_UNTIL(fixture.comparison().compared().partners);
        fixture.comparison().show(ComparisonSide::A);
        struct Keys {
            core::View view;
            Qt::Key on, back;
        };
        for (const Keys &keys : {Keys{core::View::CloseUp, Qt::Key_Down, Qt::Key_Up},
                                 Keys{core::View::Heads, Qt::Key_Down, Qt::Key_Up},
                                 Keys{core::View::Text, Qt::Key_Right, Qt::Key_Left},
                                 Keys{core::View::QueryKey, Qt::Key_Right, Qt::Key_Left}}) {
            fixture.window.showView(idOf(infoOf(keys.view)));
            core::Selection at = fixture.document().selection();
            at.stage = core::Stage::AttentionWeights;
            at.query = at.key = 0;
            at.dimension.reset();
            fixture.document().select(at);
            QTest::keyClick(fixture.view(), keys.on); // skips “old”
            QCOMPARE(fixture.document().selection().query, test::some(1));
            QTest::keyClick(fixture.view(), keys.back);
            QCOMPARE(fixture.document().selection().query, test::some(0));
            at.query = 5;
            fixture.document().select(at);
            QTest::keyClick(fixture.view(), keys.on); // “there” has no partner
            QCOMPARE(fixture.document().selection().query, test::some(5));
        }
    }

    void twoModelsOnOneText() {
        Fixture fixture("cat");
        QAction *same = fixture.action("A reads the current text");
        QVERIFY(!same->isEnabled());
        fixture.window.findChild<CompareMenu *>()->compareWith("sentence");
        HEADLIGHT_UNTIL(fixture.comparison().compared().a != nullptr);
        QVERIFY(same->isEnabled());
        same->trigger();
        HEADLIGHT_UNTIL(!fixture.comparison().isComputing());
        QCOMPARE(fixture.comparison().compared().a->batch().length(), core::Index(6));
        QVERIFY(test::says(
            fixture.command().text,
            "--compare sentence --compare-step 0 --compare-text 'The cat sat on the mat'"));
    }

    void theSequencesOfABatch() {
        Fixture fixture("batch");
        core::Selection place = fixture.document().selection();
        place.sequence = 3; // shares "the" with the first sequence
        fixture.document().select(place);
        auto *menu = fixture.window.findChild<CompareMenu *>();
        QMenu *sequences = nullptr;
        for (QMenu *each : menu->findChildren<QMenu *>())
            if (each->title().contains("sequence"))
                sequences = each;
        QVERIFY(sequences && sequences->isEnabled());
        emit sequences->aboutToShow();
        const core::Index count = fixture.document().state().input.batch->count();
        QCOMPARE(sequences->actions().size(), count);
        const auto own = static_cast<qsizetype>(fixture.document().selection().sequence);
        QVERIFY(!sequences->actions()[own]->isEnabled());
        const qsizetype other = own == 0 ? 1 : 0;
        QVERIFY(sequences->actions()[other]->isEnabled());
        sequences->actions()[other]->trigger();
        (void)fixture.view()->figure();
        QVERIFY(std::ranges::any_of(fixture.content().rowLabels, [](const QString &label) {
            return label.endsWith(" | —"); // "cat" has no partner
        }));
    }

    void theCommandMakesItAgain() {
        Fixture fixture("cat");
        QVERIFY(!fixture.command().text.contains("--compare"));
        fixture.comparison().pin();
        QVERIFY(!fixture.command().text.contains("--compare")); // side A is not shown yet
        fixture.setCausal();
        fixture.comparison().show(ComparisonSide::Difference);
        FigureCommand command = fixture.command();
        QVERIFY(test::says(command.text, "--compare cat --compare-step 0 --show difference"));
        QVERIFY(command.lost.isEmpty());
        QVERIFY(suggestedCaption(fixture.document(), core::Stage::AttentionWeights)
                    .endsWith("Current − A, A: cat, step 1."));
        fixture.comparison().pin(); // with the user's own mask
        fixture.comparison().show(ComparisonSide::A);
        command = fixture.command();
        QVERIFY(command.text.contains("--show a"));
        QCOMPARE(command.lost.size(), qsizetype(1));
    }

    void aNarrowWindowShortensIt() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        QCOMPARE(fixture.segment("show-difference")->text(), QStringLiteral("Difference"));
        for (const ViewInfo &info : allViews())
            fixture.window.showView(idOf(info)); // opens all tabs
        fixture.window.resize(800, 600);
        HEADLIGHT_UNTIL_EQUAL(fixture.segment("show-difference")->text(), QStringLiteral("Δ"));
    }
};

HEADLIGHT_WIDGET_TEST(WindowCompareTest)
#include "tst_window_compare.moc"
