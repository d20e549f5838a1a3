// Comparing in the window, by keys and mouse.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/compare/compared.h"
#include "ui/figures/similarity/similarity_figure.h"
#include "ui/panels/inspector.h"
#include "ui/window/compare_menu.h"
#include "ui/window/saving/figure_command.h"

#include <QAccessible>
#include <QLabel>

using namespace headlight;
using namespace headlight::ui;
using test::WindowFixture;

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
    const HeatmapContent &content() { return *view()->shownHeatmap().content; }
    FigureCommand command() {
        FigureCommandLine recipe;
        recipe.view = view()->viewName();
        recipe.size = QSizeF(800, 600);
        return commandFor(window.document(), recipe);
    }
};

} // namespace

class WindowCompareTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void withoutAItSaysHow() {
        Fixture fixture("cat");
        QVERIFY(fixture.segment("show-now")->isChecked());
        QVERIFY(!fixture.segment("show-difference")->isEnabled());
        QVERIFY(fixture.segment("show-difference")->toolTip().contains("Ctrl+Shift+A"));
        fixture.press(Qt::Key_3, Qt::ControlModifier); // its action is also disabled
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Now);
    }

    void byKeys() {
        Fixture fixture("cat");
        fixture.press(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.comparison().hasA());
        QVERIFY(fixture.segment("show-difference")->isEnabled());
        const float before = fixture.content().matrix()(0, 1);
        fixture.setCausal();
        fixture.press(Qt::Key_3, Qt::ControlModifier);
        QVERIFY(fixture.segment("show-difference")->isChecked());
        QCOMPARE(fixture.content().matrix()(0, 1), -before); // now hidden, so its weight is 0
        fixture.press(Qt::Key_2, Qt::ControlModifier);
        QVERIFY(fixture.segment("show-a")->isChecked());
        QCOMPARE(fixture.content().matrix()(0, 1), before);
        fixture.press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(fixture.content().matrix()(0, 1), 0.0F);
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

    void byMouse() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        fixture.setCausal();
        QTest::mouseClick(fixture.segment("show-difference"), Qt::LeftButton);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Difference);
        const QImage image = fixture.view()->grab().toImage();
        const HeatmapGeometry places = fixture.enlarged();
        const QColor less = WindowFixture::cornerOf(image, places.cellRect(0, 1));
        const QColor more = WindowFixture::cornerOf(image, places.cellRect(0, 0));
        QVERIFY(less.blue() > less.red());
        QVERIFY(more.red() > more.blue());
        QTest::mouseClick(fixture.segment("show-a"), Qt::LeftButton);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::A);
        QVERIFY(fixture.segment("show-a")->isChecked());
        QVERIFY(!fixture.segment("show-difference")->isChecked());
    }

    void anEditAfterThePinIsSeenAtOnce() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        fixture.comparison().show(ComparisonSide::Difference);
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().subtitle.startsWith("nothing changed"));
        fixture.setCausal();
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().subtitle.startsWith("largest change: "));
        fixture.window.document().undoStack().undo();
        fixture.settle();
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().subtitle.startsWith("nothing changed"));
    }

    void wordsUnderTheMouseInTheInspectorAndForAScreenReader() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        const core::TracePointer a = fixture.window.document().trace();
        fixture.setCausal();
        fixture.comparison().show(ComparisonSide::Difference);
        (void)fixture.view()->figure();
        core::Selection selection = fixture.window.document().selection();
        selection.stage = core::Stage::AttentionWeights;
        selection.query = 2;
        selection.key = 1;
        fixture.window.document().select(selection);
        const auto cell = comparedCell(*fixture.window.document().trace(), selection,
                                       fixture.comparison().compared(), 2, 1);
        QVERIFY(cell && cell->change);
        QCOMPARE(cell->a, a->stage(core::Stage::AttentionWeights).matrix(0, selection.head)(2, 1));
        const QString words = "sat → cat: " + cell->words();
        (void)fixture.view()->figure();
        const QPointF point = fixture.view()->shownHeatmap().places.cellRect(2, 1).center();
        QSignalSpy hovered(fixture.view(), &FigureView::hovered);
        QTest::mouseMove(fixture.view(), point.toPoint());
        HEADLIGHT_UNTIL(!hovered.isEmpty());
        QCOMPARE(hovered.last().first().toString(), words);
        QCOMPARE(fixture.view()->wordsOf(Cell{2, 1}), words);
        fixture.comparison().show(ComparisonSide::A);
        QCOMPARE(hovered.last().first().toString(), QString()); // it no longer applies
        fixture.comparison().show(ComparisonSide::Difference);
        (void)fixture.view()->figure();

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
        QCOMPARE(fixture.window.document().source(), QStringLiteral("cat"));
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().absence.startsWith("A has 2 tokens, the current side has 6. "));
        fixture.comparison().show(ComparisonSide::A);
        (void)fixture.view()->figure();
        QCOMPARE(fixture.content().matrix().rows, core::Index(2));
        fixture.view()->grab();
        // Hover texts use the words of A, even if the current text has others.
        const QStringList labels = fixture.content().rowLabels;
        QVERIFY(fixture.view()->wordsOf(Cell{1, 0}).contains(labels[1]));
        fixture.window.showView("flow");
        fixture.view()->grab();
        fixture.window.showView("similarity");
        fixture.view()->grab();
    }

    /// Every tab shows A's own numbers, or explains in the picture and to screen readers why not.
    void everyTabOfTextsOfTwoLengths() {
        Fixture fixture("induction");
        fixture.window.findChild<CompareMenu *>()->compareWith("bank");
        HEADLIGHT_UNTIL(fixture.comparison().compared().a != nullptr);
        const core::TracePointer a = fixture.comparison().compared().a;
        int tabs = 0;
        for (const ViewInfo &info : allViews()) {
            if (!isTab(info))
                continue;
            fixture.window.showView(idOf(info));
            if (fixture.view()->viewName() != idOf(info))
                continue; // this tab is not visible
            ++tabs;
            for (const ComparisonSide shown : kShown) {
                fixture.comparison().show(shown);
                fixture.settle();
                (void)fixture.view()->figure();
                fixture.view()->grab();
                const core::Selection &at = fixture.window.document().selection();
                FigureInput input{.trace = fixture.window.document().trace(), .selection = at};
                input.options = fixture.view()->optionsOfFigure();
                input.training = fixture.window.document().state().training;
                const UnavailableReason why = info.comparisonUnavailableReason(input);
                QVERIFY(shown != ComparisonSide::Difference || !why.isEmpty());
                QVERIFY2(fixture.view()->accessibleDescription().contains(why.sentences()),
                         qPrintable(fixture.view()->accessibleDescription()));
                QVERIFY2(shown == ComparisonSide::Now || !why.isEmpty() ||
                             fixture.view()->accessibleDescription().contains("bank"),
                         qPrintable(fixture.view()->accessibleDescription()));
            }
        }
        QVERIFY(tabs >= 7);
    }

    /// Clicks on a vector of A that the current run does not have.
    void aWordThatOnlyAHas() {
        Fixture fixture("bank", "geometry");
        fixture.window.findChild<CompareMenu *>()->compareWith("cat");
        HEADLIGHT_UNTIL(fixture.comparison().compared().a != nullptr);
        fixture.comparison().show(ComparisonSide::A);
        for (const ViewInfo &info : allViews()) {
            if (!isTab(info))
                continue;
            fixture.window.showView(idOf(info));
            fixture.settle();
            for (int y = 40; y < fixture.view()->height(); y += 61)
                for (int x = 10; x < fixture.view()->width(); x += 83)
                    QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, QPoint(x, y));
            fixture.view()->grab();
        }
    }

    void aFileThatIsNone() {
        Fixture fixture("cat");
        fixture.window.findChild<CompareMenu *>()->compareWith("/nowhere/none.headlight");
        fixture.settle();
        QVERIFY(!fixture.comparison().hasA());
        QVERIFY(fixture.find<QLabel>("problem")->isVisible());
    }

    void theSequencesOfABatch() {
        Fixture fixture("batch");
        auto *menu = fixture.window.findChild<CompareMenu *>();
        QMenu *sequences = nullptr;
        for (QMenu *each : menu->findChildren<QMenu *>())
            if (each->title().contains("sequence"))
                sequences = each;
        QVERIFY(sequences && sequences->isEnabled());
        emit sequences->aboutToShow();
        const core::Index count = fixture.window.document().state().input.batch->count();
        QCOMPARE(sequences->actions().size(), count);
        const auto own = static_cast<qsizetype>(fixture.window.document().selection().sequence);
        QVERIFY(!sequences->actions()[own]->isEnabled());
        const qsizetype other = own == 0 ? 1 : 0;
        QVERIFY(sequences->actions()[other]->isEnabled());
        sequences->actions()[other]->trigger();
        (void)fixture.view()->figure();
        QVERIFY(fixture.content().rowLabels[0].contains(" | "));
    }

    void theCommandMakesItAgain() {
        Fixture fixture("cat");
        QVERIFY(!fixture.command().text.contains("--compare"));
        fixture.comparison().pin();
        QVERIFY(!fixture.command().text.contains("--compare")); // the figure does not show A
        fixture.setCausal();
        fixture.comparison().show(ComparisonSide::Difference);
        FigureCommand command = fixture.command();
        QVERIFY2(command.text.contains("--compare cat --compare-step 0 --show difference"),
                 qPrintable(command.text));
        QVERIFY(command.lost.isEmpty());
        QVERIFY(suggestedCaption(fixture.window.document(), core::Stage::AttentionWeights)
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
        fixture.window.resize(800, 600);
        HEADLIGHT_UNTIL_EQUAL(fixture.segment("show-difference")->text(), QStringLiteral("Δ"));
    }

    void bothThemes() {
        Fixture fixture("cat");
        fixture.comparison().pin();
        fixture.setCausal();
        fixture.comparison().show(ComparisonSide::Difference);
        const QImage light = fixture.view()->grab().toImage();
        fixture.window.setTheme(Theme::Dark);
        const QImage dark = fixture.view()->grab().toImage();
        QVERIFY(qGray(light.pixel(2, 2)) > 200);
        QVERIFY(qGray(dark.pixel(2, 2)) < 80);
        // Small differences are pale on a light background and dark on a dark one.
        const QRectF cell = fixture.enlarged().cellRect(0, 1);
        QVERIFY(luminanceOf(WindowFixture::cornerOf(light, cell).rgb()) > 0.8);
        QVERIFY(luminanceOf(WindowFixture::cornerOf(dark, cell).rgb()) < 0.3);
    }
};

HEADLIGHT_WIDGET_TEST(WindowCompareTest)
#include "tst_window_compare.moc"
