// Gradients in the Whole view replace the stages' numbers, and reverse the arrows. The filmstrip
// then starts at the loss.
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/text/text.h"

using namespace headlight::test;

namespace {

struct WholeFixture : Fixture<WholeView> {
    explicit WholeFixture(const QString &session = sessionPath("gpt_neox"))
        : Fixture<WholeView>(session) {}

    const WholeFigure &whole() {
        const auto *figure = static_cast<const WholeFigure *>(view.figure());
        if (!figure)
            qFatal("no figure");
        return *figure;
    }
    bool goesBack() { return whole().goesBack(); }
    void goBack() {
        view.setShowGradients(true);
        HEADLIGHT_UNTIL(goesBack());
    }
    const core::BackwardPass &backwardPass() const { return *view.options().backwardPass; }
};

/// True if the arrow joins the same stages in reverse direction, and points to the left.
bool isTurned(const WholeArrow &before, const WholeArrow &after) {
    return before.from == after.to && before.to == after.from &&
           after.path.currentPosition().x() <= after.path.pointAtPercent(0).x();
}

} // namespace

class TestWayBackView : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// --way-back shows the gradients in the window.
    void aChoiceShowsThem() {
        WholeFixture fixture;
        ViewChoices choices;
        choices.gradients = true;
        fixture.view.choose(choices);
        QVERIFY(fixture.view.wantsGradients());
        HEADLIGHT_UNTIL(fixture.goesBack());
        fixture.view.choose({}); // choices without gradients do not hide them
        QVERIFY(fixture.view.wantsGradients());
    }

    void theStagesAreTheirGradients() {
        WholeFixture fixture;
        fixture.select(Stage::AttentionWeights, 2, 1);
        fixture.goBack();
        const HeatmapContent &large = *fixture.whole().contentAt(fixture.whole().stage());
        const core::Tensor gradient =
            fixture.backwardPass().gradients->stage(Stage::AttentionWeights);
        QCOMPARE(large.tensor.identity(), gradient.identity());
        QVERIFY2(large.title.startsWith(QStringLiteral("∂loss/∂A")), qPrintable(large.title));
        QVERIFY(isDiverging(large.scale.map())); // gradients are signed
        const QString numbers = plainText(fixture.whole().strip().arithmetic);
        const float wanted = gradient.view(0, fixture.document.selection().head)(2, 1);
        QVERIFY2(
            numbers.endsWith(QString::fromStdString(core::digitsText(static_cast<double>(wanted)))),
            qPrintable(numbers));
        QVERIFY(plainText(fixture.whole().strip().formula).contains(QStringLiteral("Vᵀ")));

        fixture.view.setShowGradients(false);
        QVERIFY(!fixture.goesBack());
        QCOMPARE(fixture.whole().contentAt(fixture.whole().stage())->tensor.identity(),
                 fixture.document.trace()->stage(Stage::AttentionWeights).identity());
    }

    void arrowsAreTurned() {
        WholeFixture fixture;
        fixture.select(Stage::Context);
        const std::vector<WholeArrow> before = fixture.view.places().map.arrows;
        fixture.goBack();
        const std::vector<WholeArrow> after = fixture.view.places().map.arrows;
        QCOMPARE(after.size(), before.size());
        QVERIFY(!before.empty());
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY(isTurned(before[i], after[i]));
    }

    void itFollowsEdits() {
        WholeFixture fixture;
        fixture.goBack();
        const double before = fixture.backwardPass().loss;
        const auto change = edits::setTemperature(fixture.document.state(), 3);
        QVERIFY(change.ok());
        QVERIFY(fixture.document.apply(*change).ok());
        QVERIFY(settled(fixture.document));
        QVERIFY(fixture.goesBack()); // the previous gradients until the new ones are computed
        QVERIFY(until([&] { return fixture.backwardPass().trace == fixture.document.trace(); }));
        QVERIFY(fixture.goesBack());
        QVERIFY(fixture.backwardPass().trace == fixture.document.trace());
        QVERIFY(fixture.backwardPass().loss != before);
    }

    void whatGivesNoAnswerSaysSo() {
        WholeFixture fixture(QStringLiteral("cat"));
        QSignalSpy failed(&fixture.view, &FigureView::failed);
        fixture.view.setShowGradients(true);
        QVERIFY(until([&] { return failed.count() == 1; }));
        const auto error = failed.front().front().value<core::Error>();
        QCOMPARE(error.where, std::string("model.head"));
        QVERIFY(!fixture.view.wantsGradients());
        QVERIFY(!fixture.goesBack());
    }

    void theStepperGoesFromTheLossOn() {
        WholeFixture fixture;
        Filmstrip filmstrip(fixture.document);
        filmstrip.setStyle(FigureStyle::light()); // paints the filmstrip after the trace
        filmstrip.show();
        QVERIFY(exposed(filmstrip));
        filmstrip.setGoesBack(true);
        filmstrip.first();
        QCOMPARE(fixture.document.selection().stage, Stage::Probabilities);
        filmstrip.next();
        QCOMPARE(fixture.document.selection().stage, Stage::Logits);
        filmstrip.back();
        QCOMPARE(fixture.document.selection().stage, Stage::Probabilities);
        QVERIFY(!filmstrip.stepActions().front()->isEnabled()); // already at the loss
        filmstrip.last();
        QVERIFY(fixture.document.selection().stage != Stage::Probabilities);
        QVERIFY(!filmstrip.stepActions().back()->isEnabled());
        filmstrip.setGoesBack(false);
        QVERIFY(filmstrip.stepActions().back()->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(TestWayBackView)
#include "tst_gradients_view.moc"
