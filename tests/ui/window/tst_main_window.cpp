// The main window, driven by mouse and keyboard and checked by its pixels.
#include "tests/ui/window/window_fixture.h"

class MainWindowTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// A lesson shows the tabs that it uses. Other views are in a menu, and keep their tab once
    /// they were opened.
    void otherTabsAreInTheMenu() {
        WindowFixture fixture("cat", "close-up");
        const auto *tabs = fixture.find<QTabWidget>("views");
        const auto names = [&] {
            QStringList visible;
            for (int index = 0; index < tabs->count(); ++index)
                if (tabs->isTabVisible(index))
                    visible << tabs->tabText(index);
            return visible;
        };
        QCOMPARE(names(), QStringList({"Close-up", "Heads"}));
        auto *more = fixture.find<QToolButton>("moreViews");
        QVERIFY(more->isVisible());
        emit more->menu()->aboutToShow();
        for (QAction *action : more->menu()->actions())
            if (action->text() == "Geometry")
                action->trigger();
        QCOMPARE(fixture.view()->viewName(), QString("geometry"));
        fixture.window.showView("close-up");
        QCOMPARE(names(), QStringList({"Close-up", "Heads", "Geometry"}));
        fixture.open("bank");
        QCOMPARE(names(), QStringList({"Close-up", "Similarity", "Geometry", "Words"}));
        fixture.open(test::sessionPath("decoder_rotary"));
        QVERIFY(names().contains("Output") && !names().contains("Words"));
    }

    void aWindowThatOpensWithAViewTakesItsKeys() {
        for (const char *view : {"model", "lines", "heads", "close-up"}) {
            ui::MainWindow window;
            ui::SourceRequest request;
            request.source = "cat";
            core::Result<ui::OpenedSource> opened = ui::openSource(request);
            QVERIFY(opened.ok());
            window.open(*std::move(opened));
            window.showView(view);
            window.show();
            QVERIFY(test::active(window));
            auto *focus = qobject_cast<ui::FigureView *>(window.focusWidget());
            QVERIFY2(focus && focus->viewName() == view, view);
        }
    }

    void choicesOfTheCommandLineAreForThisRunOnly() {
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
        fixture.window.showView("whole");
        QCOMPARE(fixture.view()->options().granularity, ui::Granularity::Row);
        QCOMPARE(fixture.view()->figureStyle().weightsMap, ui::ColourMap::Viridis);
        QCOMPARE(QSettings().value("views/heads/range"), QVariant());
        QCOMPARE(QSettings().value("stepper/granularity"), QVariant());
        fixture.view()->figure();
        const WindowFixture next("cat", "heads");
        QCOMPARE(next.view()->options().range, ui::Range::Fixed);
        QCOMPARE(next.view()->options().order, core::HeadOrder::ByIndex);
    }

    void typesASentenceAndTogglesCausal() {
        WindowFixture fixture("sentence");
        auto *text = fixture.find<QLineEdit>("text");
        QCOMPARE(text->text(), QString("She visited the money bank, near the river bank."));

        QTest::mouseClick(text, Qt::LeftButton);
        text->selectAll();
        QTest::keyClicks(text, "a bank is a bank");
        fixture.settle();
        const core::Trace *typed = fixture.document().trace().get();
        QCOMPARE(core::textsOf(typed->batch()[0].tokens),
                 (std::vector<std::string>{"a", "bank", "is", "a", "bank"}));
        QVERIFY(typed->batch()[0].isSplit);
        QVERIFY(typed->batch()[0][1].span == (core::TextSpan{2, 6}));

        QTest::mouseClick(fixture.button("Causal"), Qt::LeftButton);
        fixture.settle();
        const core::Trace &causal = *fixture.document().trace();
        const core::SharedMatrix weights = causal.stage(core::Stage::AttentionWeights).matrix(0, 0);
        for (core::Index i = 0; i < 5; ++i)
            for (core::Index j = i + 1; j < 5; ++j)
                QCOMPARE(weights(i, j), 0.0f);
        QVERIFY(causal.mask(0).hidden(0, 4));

        QTest::mouseClick(fixture.button("Causal"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(!fixture.document().trace()->mask(0).hidesAnything());
    }

    void scalingAndPositionsHaveKeys() {
        WindowFixture fixture("sentence");
        QTest::keyClick(fixture.view(), Qt::Key_E);
        fixture.settle();
        QVERIFY(fixture.document().trace()->has("embedding_sum"));
        QTest::keyClick(fixture.view(), Qt::Key_D);
        fixture.settle();
        const core::Trace &trace = *fixture.document().trace();
        QCOMPARE(trace.stage(core::Stage::ScaledScores).values(),
                 trace.stage(core::Stage::Scores).values());
        QTest::mouseClick(fixture.button("Undo"), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.document().state().model.config.scale.kind ==
                core::Scale::Kind::SquareRoot);
    }

    void masksThatNoButtonMakesAreShownAndCanBeTakenAway() {
        WindowFixture fixture("sentence");
        ui::DocumentState state = test::opened("sentence").state;
        state.input.masks = {core::CausalMask{}, core::WindowMask{3, false}};
        state.model.config.scale = {core::Scale::Kind::Number, 2.5f};
        fixture.window.open(test::withModel(test::opened("sentence"), state.model, state.input));
        fixture.settle();
        QVERIFY(fixture.button("Mask: window of 3 tokens")->isChecked());
        QTest::mouseClick(fixture.button("Mask: window of 3 tokens"), Qt::LeftButton);
        fixture.settle();
        QCOMPARE(fixture.document().state().input.masks, core::MaskLayers{core::CausalMask{}});
        for (int time = 0; time < 2; ++time)
            QTest::keyClick(fixture.view(), Qt::Key_D);
        QCOMPARE(fixture.document().state().model.config.scale.number, 2.5f);
        QVERIFY(fixture.document().state().model.config.scale.kind == core::Scale::Kind::Number);
    }
};

HEADLIGHT_WIDGET_TEST(MainWindowTest)
#include "tst_main_window.moc"
