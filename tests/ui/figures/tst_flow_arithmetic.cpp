// The line under the formula: all terms are present, every number is the trace's own, and the sums
// are right.
#include "tests/support/test_main.h"
#include "tests/ui/figures/figure_traces.h"
#include "ui/figures/flow/flow_arithmetic.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/flow/flow_sources.h"
#include "ui/figures/heatmap/cell_place.h"

#include <QRegularExpression>
#include <QTest>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::makeTrace;

namespace {

core::Selection numberAt(Stage stage, core::Index row, std::optional<core::Index> column = {}) {
    core::Selection selection;
    selection.stage = stage;
    selection.head = 1;
    return atCell(selection, row, column);
}

QString line(const core::TracePointer &trace, const core::Selection &selection) {
    return plainText(arithmeticOf(*trace, selection, FigureStyle::light()));
}

core::SharedMatrix matrix(const core::TracePointer &trace, Stage stage) {
    const core::Tensor tensor = trace->stage(stage);
    return tensor.matrix(0, tensor.shape().rank() == 4 ? 1 : 0);
}

} // namespace

class FlowArithmeticTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingSelectedIsNothingSaid() {
        const auto trace = makeTrace();
        core::Selection selection;
        for (const core::StageInfo &info : core::allStages()) {
            selection.stage = info.stage;
            QVERIFY(line(trace, selection).isEmpty());
        }
        QVERIFY(line(trace, numberAt(Stage::AttentionWeights, 99))
                    .isEmpty()); // this row does not exist
    }

    void aScoreHasAllItsTerms() {
        const auto trace = makeTrace();
        const auto query = matrix(trace, Stage::Query);
        const auto key = matrix(trace, Stage::Key);
        const QString text = line(trace, numberAt(Stage::Scores, 4, 3));
        QCOMPARE(text.count(QLatin1String(" + ")), 15);
        QCOMPARE(text.count(QChar(0xB7)), 16);
        for (core::Index i = 0; i < 16; ++i) {
            QVERIFY2(text.contains(termText(query(4, i))), qPrintable(text));
            QVERIFY2(text.contains(termText(key(3, i))), qPrintable(text));
        }
        QVERIFY(
            text.endsWith(QStringLiteral(" = ") + resultText(matrix(trace, Stage::Scores)(4, 3))));
        QVERIFY(!text.contains(QLatin1Char('-'))); // the minus sign is U+2212
    }

    void aProjectionNamesItsColumn() {
        const auto trace = makeTrace();
        const QString text = line(trace, numberAt(Stage::Query, 2, 5));
        QCOMPARE(text.count(QChar(0xB7)), 32);
        const core::ParameterMatrix &weight =
            *trace->model().parameters.main.layers[0].selfAttention.query;
        QVERIFY(text.contains(QStringLiteral("·") + (weight(0, 21) < 0 ? "(" : "") +
                              termText(weight(0, 21)))); // head 1 begins at column 16
        QVERIFY(text.contains(QStringLiteral("column 21 of WQ")));
        QVERIFY(
            text.contains(QStringLiteral(" = ") + resultText(matrix(trace, Stage::Query)(2, 5))));
    }

    void scalingMaskAndSoftmax() {
        const auto trace = makeTrace();
        const auto scores = matrix(trace, Stage::Scores);
        const auto scaled = matrix(trace, Stage::ScaledScores);
        QVERIFY(line(trace, numberAt(Stage::ScaledScores, 4, 3))
                    .endsWith(QStringLiteral("%1 ÷ √16 = %2")
                                  .arg(resultText(scores(4, 3)), resultText(scaled(4, 3)))));
        QVERIFY(line(trace, numberAt(Stage::MaskedScores, 1, 6))
                    .endsWith(QStringLiteral("%1 + (−∞) = −∞").arg(resultText(scaled(1, 6)))));
        QVERIFY(
            line(trace, numberAt(Stage::MaskedScores, 6, 1)).contains(QStringLiteral(" + 0 = ")));
        const QString row = line(trace, numberAt(Stage::AttentionWeights, 3));
        QVERIFY2(row.contains(QStringLiteral("−∞ −∞ −∞ −∞ ) = (")), qPrintable(row));
        QVERIFY2(row.endsWith(QStringLiteral("0 0 0 0 )  Σ = 1.0000")), qPrintable(row));
    }

    void contextConcatenationAndOutput() {
        const auto trace = makeTrace();
        const QString context = line(trace, numberAt(Stage::Context, 7, 2));
        QCOMPARE(context.count(QChar(0xB7)), 8);
        QVERIFY(context.endsWith(resultText(matrix(trace, Stage::Context)(7, 2))));
        QVERIFY(line(trace, numberAt(Stage::Context, 7)).contains(QStringLiteral("V[money]")));
        const QString joined = line(trace, numberAt(Stage::Concatenated, 7, 18));
        QVERIFY2(joined.contains(QStringLiteral("Z₁[bank, 2] = ")), qPrintable(joined));
        QCOMPARE(line(trace, numberAt(Stage::Output, 0, 3)).count(QChar(0xB7)), 32);
    }

    void everyStageHasARowAndACell() {
        test::TraceRecipe recipe;
        recipe.positions = core::Positions::Sinusoidal;
        recipe.layers = 2;
        const auto trace = makeTrace(recipe);
        for (const core::StageId &place : FlowParts(*trace).stages())
            for (const std::optional<core::Index> column : {std::optional<core::Index>(), {3}}) {
                const core::Selection selection = atStage(numberAt(place.stage, 2, column), place);
                QVERIFY2(!line(trace, selection).isEmpty(), core::infoOf(place.stage).name.data());
            }
    }

    void zerosAreToldApart() {
        QCOMPARE(termText(0), QStringLiteral("0"));
        QCOMPARE(termText(0.001f), QStringLiteral("0.00"));
        QCOMPARE(termText(-0.25f), QStringLiteral("−0.25"));
        QCOMPARE(resultText(-INFINITY), QStringLiteral("−∞"));
        QCOMPARE(resultText(0), QStringLiteral("0"));
    }

    void onlyWhatANumberWasMadeFromIsOutlined() {
        const auto trace = makeTrace();
        const FigureStyle style = FigureStyle::light();
        const auto marks = [&](const core::Selection &selection, Stage stage) {
            return FlowSources(*trace, selection, style).marksAt({stage, {}});
        };
        const auto strong = [&](std::optional<core::Index> row, std::optional<core::Index> column,
                                core::Role role) {
            return std::vector<HeatmapMark>{{row, column, style.colourOf(role)}};
        };
        const auto faint = [&](std::optional<core::Index> row) {
            return std::vector<HeatmapMark>{{row, {}, style.mutedText, true}};
        };
        const core::Selection context = numberAt(Stage::Context, 4, 3);
        QVERIFY(marks(context, Stage::AttentionWeights) == strong(4, {}, core::Role::Weights));
        QVERIFY(marks(context, Stage::Value) == strong({}, 3, core::Role::Value));
        QVERIFY(marks(context, Stage::Scores) == faint(4));
        QVERIFY(marks(context, Stage::Query) == faint(4));
        QVERIFY(marks(context, Stage::Key).empty()); // all of it
        QVERIFY(marks(context, Stage::Output).empty());
        // Columns from 16 on belong to head 1, which is selected; column 3 belongs to head 0.
        const core::Selection own = numberAt(Stage::Concatenated, 4, 19);
        QVERIFY(marks(own, Stage::Context) == strong(4, 3, core::Role::Context));
        QVERIFY(marks(own, Stage::AttentionWeights) == faint(4));
        const core::Selection other = numberAt(Stage::Concatenated, 4, 3);
        for (const Stage stage :
             {Stage::Context, Stage::AttentionWeights, Stage::Scores, Stage::Query})
            QVERIFY(marks(other, stage).empty());
        core::Selection nothing;
        nothing.stage = Stage::Context;
        QVERIFY(marks(nothing, Stage::AttentionWeights).empty());
    }

    void aLongLineEndsInAnEllipsisInAFile() {
        const auto trace = makeTrace();
        const auto figure =
            FlowFigure::fromTrace(trace, numberAt(Stage::Output, 4, 3), FigureStyle::light());
        const FlowStrip &strip = figure.strip();
        const FigureStyle style = FigureStyle::light();
        const QRectF place(0, 0, 400, FlowStrip::heightFor(style));
        QVERIFY(strip.length(place, style) > strip.numbersIn(place, style).width());
        // Nothing is painted beyond its end, on screen or in a file.
        for (const std::optional<double> scroll : {std::optional<double>(), {0.0}, {150.0}}) {
            QImage image(500, 80, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            strip.paint(painter, place, style, scroll);
            painter.end();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 402; x < image.width(); ++x)
                    QCOMPARE(image.pixel(x, y), QColor(Qt::white).rgb());
        }
    }
};

HEADLIGHT_WIDGET_TEST(FlowArithmeticTest)
#include "tst_flow_arithmetic.moc"
