// Gradients in Flow: they replace the stages' numbers, arrows are reversed, and the filmstrip
// starts at the loss.
#include "tests/ui/views/view_fixture.h"
#include "ui/figures/text/text.h"

using namespace headlight::test;

namespace {

struct FlowFixture : Fixture<FlowView> {
    explicit FlowFixture(const QString &session = sessionPath("gpt_neox"))
        : Fixture<FlowView>(session) {}

    const FlowFigure &flow() {
        const auto *figure = static_cast<const FlowFigure *>(view.figure());
        if (!figure)
            qFatal("no figure");
        return *figure;
    }
    bool goesBack() { return flow().goesBack(); }
    void goBack() {
        view.setShowGradients(true);
        HEADLIGHT_UNTIL(goesBack());
    }
    const core::BackwardPass &backwardPass() const { return *view.options().backwardPass; }
};

/// True if the path has the same ends in reverse direction.
bool isTurned(const FlowArrow &before, const FlowArrow &after) {
    return before.from == after.to && before.to == after.from &&
           QLineF(before.path.pointAtPercent(0), after.tip).length() < 1;
}

} // namespace

class TestWayBackView : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theStagesAreTheirGradients() {
        FlowFixture flow;
        flow.select(Stage::AttentionWeights, 2, 1);
        flow.goBack();
        const HeatmapContent &large = flow.flow().current().content();
        const core::Tensor gradient = flow.backwardPass().gradients->stage(Stage::AttentionWeights);
        QCOMPARE(large.tensor.identity(), gradient.identity());
        QVERIFY2(large.title.startsWith(QStringLiteral("∂loss/∂A")), qPrintable(large.title));
        QVERIFY(isDiverging(large.scale.map())); // gradients are signed
        const QString numbers = plainText(flow.flow().strip().arithmetic);
        const float wanted = gradient.view(0, flow.document.selection().head)(2, 1);
        QVERIFY2(
            numbers.endsWith(QString::fromStdString(core::digitsText(static_cast<double>(wanted)))),
            qPrintable(numbers));
        QVERIFY(plainText(flow.flow().strip().formula).contains(QStringLiteral("Vᵀ")));

        flow.view.setShowGradients(false);
        QVERIFY(!flow.goesBack());
        QCOMPARE(flow.flow().current().content().tensor.identity(),
                 flow.document.trace()->stage(Stage::AttentionWeights).identity());
    }

    void arrowsAreTurned() {
        FlowFixture flow;
        flow.select(Stage::Context);
        const std::vector<FlowArrow> before = flow.view.geometry().arrows;
        flow.goBack();
        const std::vector<FlowArrow> after = flow.view.geometry().arrows;
        QCOMPARE(after.size(), before.size());
        QVERIFY(!before.empty());
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY(isTurned(before[i], after[i]));
    }

    void itFollowsEdits() {
        FlowFixture flow;
        flow.goBack();
        const double before = flow.backwardPass().loss;
        const auto change = edits::setTemperature(flow.document.state(), 3);
        QVERIFY(change.ok());
        QVERIFY(flow.document.apply(*change).ok());
        QVERIFY(settled(flow.document));
        QVERIFY(flow.goesBack()); // the previous gradients until the new ones are computed
        QVERIFY(until([&] { return flow.backwardPass().trace == flow.document.trace(); }));
        QVERIFY(flow.goesBack());
        QVERIFY(flow.backwardPass().trace == flow.document.trace());
        QVERIFY(flow.backwardPass().loss != before);
    }

    void whatGivesNoAnswerSaysSo() {
        FlowFixture flow(QStringLiteral("cat"));
        QSignalSpy failed(&flow.view, &FigureView::failed);
        flow.view.setShowGradients(true);
        QVERIFY(until([&] { return failed.count() == 1; }));
        const auto error = failed.front().front().value<core::Error>();
        QCOMPARE(error.where, std::string("model.head"));
        QVERIFY(!flow.view.wantsGradients());
        QVERIFY(!flow.goesBack());
    }

    void theStepperGoesFromTheLossOn() {
        FlowFixture flow;
        Filmstrip filmstrip(flow.document);
        filmstrip.setStyle(FigureStyle::light()); // the filmstrip was created after the trace
        filmstrip.show();
        QVERIFY(exposed(filmstrip));
        filmstrip.setGoesBack(true);
        filmstrip.first();
        QCOMPARE(flow.document.selection().stage, Stage::Probabilities);
        filmstrip.next();
        QCOMPARE(flow.document.selection().stage, Stage::Logits);
        filmstrip.back();
        QCOMPARE(flow.document.selection().stage, Stage::Probabilities);
        QVERIFY(!filmstrip.stepActions().front()->isEnabled()); // already at the first stage
        filmstrip.last();
        QVERIFY(flow.document.selection().stage != Stage::Probabilities);
        QVERIFY(!filmstrip.stepActions().back()->isEnabled());
        filmstrip.setGoesBack(false);
        QVERIFY(filmstrip.stepActions().back()->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(TestWayBackView)
#include "tst_gradients_view.moc"
