// The window driven by mouse and keys, and checked by its pixels.
#include "tests/support/edits.h"
#include "tests/support/test_main.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/views/cell_words.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBrowser>

using namespace headlight;
using test::WindowFixture;

class MainWindowTest : public QObject {
    Q_OBJECT

    /// Every cell of the enlarged heatmap has the colour of the trace's attention weight.
    static void compareCells(WindowFixture &fixture) {
        const core::Trace &trace = *fixture.window.document().trace();
        const core::Selection selection = fixture.window.document().selection();
        const core::SharedMatrix weights =
            trace.stage(core::Stage::AttentionWeights).matrix(selection.sequence, selection.head);
        const ui::HeatmapGeometry places = fixture.enlarged();
        QCOMPARE(places.rows, weights.rows);
        const QImage image = fixture.view()->grab().toImage();
        for (core::Index i = 0; i < weights.rows; ++i)
            for (core::Index j = 0; j < weights.columns; ++j) {
                const QColor seen = WindowFixture::cornerOf(image, places.cellRect(i, j));
                const QColor expected = trace.mask(selection.sequence).hidden(i, j)
                                            ? fixture.view()->figureStyle().hidden
                                            : QColor(colourOf(ui::ColourMap::Viridis,
                                                              static_cast<double>(weights(i, j))));
                QVERIFY2(seen == expected, qPrintable(QString("cell %1, %2: %3, expected %4")
                                                          .arg(i)
                                                          .arg(j)
                                                          .arg(seen.name(), expected.name())));
            }
    }

  private slots:
    void choicesOfTheCommandLineAreForThisRunOnly() {
        QSettings().clear();
        WindowFixture fixture("cat", "heads");
        ui::ViewChoices choices;
        choices.range = ui::Range::PerRow;
        choices.order = core::HeadOrder::Entropy;
        choices.contextual = core::Stage::Output;
        choices.granularity = ui::Granularity::Row;
        choices.weightsMap = ui::ColourMap::Magma;
        fixture.window.choose(choices);
        QCOMPARE(fixture.view()->options().range, ui::Range::PerRow);
        QCOMPARE(fixture.view()->options().order, core::HeadOrder::Entropy);
        QCOMPARE(fixture.view()->figureStyle().weightsMap, ui::ColourMap::Magma);
        fixture.window.showView("similarity");
        QCOMPARE(fixture.view()->viewName(), QString("similarity"));
        QCOMPARE(fixture.view()->options().contextual, core::Stage::Output);
        QCOMPARE(fixture.view()->options().range, ui::Range::Fixed);
        fixture.window.showView("flow");
        QCOMPARE(fixture.view()->options().granularity, ui::Granularity::Row);
        QCOMPARE(fixture.view()->figureStyle().weightsMap, ui::ColourMap::Viridis);
        QCOMPARE(QSettings().value("views/heads/range"), QVariant());
        QCOMPARE(QSettings().value("stepper/granularity"), QVariant());
        fixture.view()->figure();
        const WindowFixture next("cat", "heads");
        QCOMPARE(next.view()->options().range, ui::Range::Fixed);
        QCOMPARE(next.view()->options().order, core::HeadOrder::ByIndex);
    }

    void init() { QSettings().clear(); }

    void typesASentenceAndTogglesCausal() {
        WindowFixture fixture("sentence");
        auto *text = fixture.find<QLineEdit>("text");
        QCOMPARE(text->text(), QString("She visited the money bank, near the river bank."));
        compareCells(fixture);

        QTest::mouseClick(text, Qt::LeftButton);
        text->selectAll();
        QTest::keyClicks(text, "a bank is a bank");
        fixture.settle();
        const core::Trace *typed = fixture.window.document().trace().get();
        QCOMPARE(core::textsOf(typed->batch()[0].tokens),
                 (std::vector<std::string>{"a", "bank", "is", "a", "bank"}));
        QVERIFY(typed->batch()[0].isSplit);
        QVERIFY(typed->batch()[0][1].span == (core::TextSpan{2, 6}));
        compareCells(fixture);

        QTest::mouseClick(fixture.button("Causal"), Qt::LeftButton);
        fixture.settle();
        const core::Trace &causal = *fixture.window.document().trace();
        const core::SharedMatrix weights = causal.stage(core::Stage::AttentionWeights).matrix(0, 0);
        for (core::Index i = 0; i < 5; ++i)
            for (core::Index j = i + 1; j < 5; ++j)
                QCOMPARE(weights(i, j), 0.0f);
        QVERIFY(causal.mask(0).hidden(0, 4));
        compareCells(fixture);

        QTest::mouseClick(fixture.button("Causal"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.window.document().trace()->mask(0).hidesAnything());
    }

    void clickingACellSelectsIt() {
        WindowFixture fixture("sentence");
        const QPoint point = fixture.enlarged().cellRect(4, 3).center().toPoint();
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, point);
        const core::Selection &selection = fixture.window.document().selection();
        QCOMPARE(selection.query, std::optional<core::Index>(4));
        QCOMPARE(selection.key, std::optional<core::Index>(3));
        QTest::keyClick(fixture.view(), Qt::Key_Down);
        QTest::keyClick(fixture.view(), Qt::Key_Right);
        QCOMPARE(selection.query, std::optional<core::Index>(5));
        QCOMPARE(selection.key, std::optional<core::Index>(4));
        QTest::keyClick(fixture.view(), Qt::Key_Escape);
        QVERIFY(!selection.query && !selection.key);
    }

    void hoverSaysTheExactValueInWords() {
        WindowFixture fixture("bank");
        core::Selection selection = fixture.window.document().selection();
        selection.stage = core::Stage::AttentionWeights;
        fixture.window.document().select(selection);
        (void)fixture.view()->figure();
        QSignalSpy hovered(fixture.view(), &ui::FigureView::hovered);
        QTest::mouseMove(fixture.view(), fixture.enlarged().cellRect(1, 0).center().toPoint());
        QVERIFY(!hovered.isEmpty());
        const core::Trace &trace = *fixture.window.document().trace();
        const float weight = trace.stage(core::Stage::AttentionWeights).matrix(0, 0)(1, 0);
        const QString words = hovered.last()[0].toString();
        QVERIFY2(words.startsWith("bank attends to money: "), qPrintable(words));
        QCOMPARE(words.section(": ", 1).toFloat(), weight); // with all digits
    }

    void aHiddenCellSaysWhichLayerHidIt() {
        WindowFixture fixture("bank");
        QVERIFY(test::setMasks(fixture.window.document(), {core::CausalMask{}}).ok());
        fixture.settle();
        core::Selection selection = fixture.window.document().selection();
        selection.stage = core::Stage::AttentionWeights;
        const QString words = ui::cellWords(*fixture.window.document().trace(), selection, 0, 1);
        QVERIFY2(words.contains("causal mask") && words.endsWith(": 0"), qPrintable(words));
    }

    void aHeadIsChosenWithItsTileAndItsKeys() {
        WindowFixture fixture("cat");
        const auto *figure = static_cast<const ui::HeadsFigure *>(fixture.view()->figure());
        const QPoint tile =
            figure->geometry(fixture.view()->rect()).matrices.at(1).center().toPoint();
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, tile);
        QCOMPARE(fixture.window.document().selection().head, 1);
        QTest::keyClick(&fixture.window, Qt::Key_BracketLeft);
        QCOMPARE(fixture.window.document().selection().head, 0);
        compareCells(fixture);
    }

    void flowGoesToTheClickedStage() {
        WindowFixture fixture("cat", "flow");
        const auto *figure = static_cast<const ui::FlowFigure *>(fixture.view()->figure());
        const ui::FlowGeometry places = figure->geometry(fixture.view()->rect());
        const ui::FlowNode *node = places.node({core::Stage::Context, {}});
        QVERIFY(node);
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, node->matrix.center().toPoint());
        QVERIFY(fixture.window.document().selection().stage == core::Stage::Context);
    }

    void stepperGoesThroughTheStages() {
        WindowFixture fixture("cat", "flow");
        core::Selection selection = fixture.window.document().selection();
        selection.stage = core::Stage::Query;
        fixture.window.document().select(selection);
        const auto stage = [&] { return fixture.window.document().selection().stage; };
        QTest::mouseClick(fixture.button("Next stage"), Qt::LeftButton);
        QVERIFY(stage() == core::Stage::Key);
        QTest::keyClick(&fixture.window, Qt::Key_PageDown);
        QVERIFY(stage() == core::Stage::Value);
        QTest::keyClick(&fixture.window, Qt::Key_PageUp);
        QVERIFY(stage() == core::Stage::Key);
        QTest::mouseClick(fixture.button("attention weights"), Qt::LeftButton);
        QVERIFY(stage() == core::Stage::AttentionWeights);
        QTest::mouseClick(fixture.button("Last stage"), Qt::LeftButton);
        QVERIFY(!fixture.button("Next stage")->isEnabled());
        QTest::mouseClick(fixture.button("First stage"), Qt::LeftButton);
        QVERIFY(!fixture.button("Previous stage")->isEnabled());
    }

    void lessonIsReadStepByStep() {
        WindowFixture fixture("bank", "flow");
        auto *text = fixture.find<QTextBrowser>("lessonText");
        const auto &steps = fixture.window.document().session().lesson->steps;
        auto *next = fixture.find<QPushButton>("lessonNext");
        auto *back = fixture.find<QPushButton>("lessonBack");
        QVERIFY(!back->isEnabled());
        for (std::size_t i = 1; i < steps.size(); ++i) {
            QTest::mouseClick(next, Qt::LeftButton);
            fixture.settle();
            QVERIFY(text->toPlainText().contains(QString::fromStdString(steps[i].title)));
            QVERIFY2(!text->toPlainText().contains('{'), qPrintable(text->toPlainText()));
        }
        QVERIFY2(next->text().startsWith("Next lesson: "), qPrintable(next->text()));
        QTest::mouseClick(back, Qt::LeftButton);
        QCOMPARE(fixture.window.document().state().lessonStep,
                 static_cast<core::Index>(steps.size()) - 2);
    }

    void anotherLessonIsChosen() {
        WindowFixture fixture("bank");
        auto *source = fixture.find<QComboBox>("source");
        source->setFocus();
        QTest::keyClick(source, Qt::Key_Down);
        QTest::keyClick(source, Qt::Key_Down);
        fixture.settle();
        const QStringList &ids = ui::lessonIds();
        const ui::Document &document = fixture.window.document();
        QCOMPARE(document.source(), ids[ids.indexOf("bank") + 2]);
        const core::Batch &batch = *document.state().input.batch;
        QCOMPARE(fixture.find<QLineEdit>("text")->text(),
                 QString::fromStdString(batch[document.selection().sequence].text));
    }

    void scalingAndPositionsAreSwitches() {
        WindowFixture fixture("sentence");
        QTest::mouseClick(fixture.button("Positions"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.window.document().trace()->has("embedding_sum"));
        QTest::mouseClick(fixture.button("÷√d"), Qt::LeftButton);
        fixture.settle();
        const core::Trace &trace = *fixture.window.document().trace();
        QCOMPARE(trace.stage(core::Stage::ScaledScores).values(),
                 trace.stage(core::Stage::Scores).values());
        QTest::mouseClick(fixture.button("Undo"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.window.document().state().model.config.scale.kind ==
                core::Scale::Kind::SquareRoot);
    }

    void masksThatNoButtonMakesAreShownAndCanBeTakenAway() {
        WindowFixture fixture("sentence");
        ui::OpenedSource source = test::opened("sentence");
        source.state.input.masks = {core::CausalMask{}, core::WindowMask{3, false}};
        source.state.model.config.scale = {core::Scale::Kind::Number, 2.5f};
        source.session.input = source.state.input;
        source.session.model = source.state.model;
        source.session.lesson.reset();
        fixture.window.open(std::move(source));
        fixture.settle();
        QVERIFY(fixture.button("Mask: window of 3 tokens")->isChecked());
        QCOMPARE(fixture.button("÷√d")->text(), QString("÷2.5"));
        QTest::mouseClick(fixture.button("Mask: window of 3 tokens"), Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.window.document().state().input.masks,
                 core::MaskLayers{core::CausalMask{}});
        QTest::mouseClick(fixture.button("÷√d"), Qt::LeftButton);
        QTest::mouseClick(fixture.button("÷√d"), Qt::LeftButton);
        QCOMPARE(fixture.window.document().state().model.config.scale.number, 2.5f);
        QVERIFY(fixture.window.document().state().model.config.scale.kind ==
                core::Scale::Kind::Number);
    }

    void everyControlHasAName() {
        WindowFixture fixture("batch");
        for (const QWidget *widget : fixture.window.findChildren<QWidget *>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                (qobject_cast<const QToolButton *>(widget) ||
                 qobject_cast<const QComboBox *>(widget) ||
                 qobject_cast<const QLineEdit *>(widget) ||
                 qobject_cast<const ui::FigureView *>(widget)))
                QVERIFY2(
                    !widget->accessibleName().isEmpty(),
                    qPrintable(widget->metaObject()->className() + (' ' + widget->objectName())));
    }
};

HEADLIGHT_WIDGET_TEST(MainWindowTest)
#include "tst_main_window.moc"
