// Flow of whole transformers: parts in the order of the computation, two token axes, rows read and
// written, the map above, and arithmetic with the trace's own numbers.
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/figures/flow/flow_arithmetic.h"
#include "ui/figures/flow/flow_diagram.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/flow/part_titles.h"
#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/stage_formula.h"
#include "ui/words/number_text.h"
#include "ui/words/token_names.h"

#include <QDir>
#include <QRegularExpression>

#include <cmath>
#include <set>

using namespace headlight;
using namespace headlight::ui;
using core::AttentionId;
using core::Block;
using core::Stack;
using core::Stage;
using core::StageId;

namespace {

core::TracePointer traceOf(const QString &session) {
    SourceRequest request;
    request.source = QStringLiteral(HEADLIGHT_TEST_DATA "/sessions/%1.headlight").arg(session);
    auto opened = openSource(request);
    if (!opened)
        qFatal("%s", opened.error().text().c_str());
    auto trace = test::forward(opened->state.model, opened->state.input);
    if (!trace)
        qFatal("%s", trace.error().text().c_str());
    return *trace;
}

const QStringList kSessions{"encoder_prenorm", "encoder_postnorm",
                            "batch_norm",      "decoder_rotary",
                            "decoder_alibi",   "encoder_decoder",
                            "t5_like",         "cross_attention_only",
                            "gemma_2",         "gpt_j",
                            "gpt_neox",        "olmo_2",
                            "qwen_3",          "wide_encoder"};

HeatmapContent contentAt(const core::TracePointer &trace, StageId at) {
    return contentOf(trace, atStage({}, at), FigureStyle::light(), {});
}

QString placeName(StageId at) {
    return QString::fromStdString(core::stageName(at.stage, at.attention));
}

/// Returns the value of a line of sums and products, or NaN if it is something else.
double sumOf(QString line) {
    line = line.section(QStringLiteral(":  "), 1).section(QStringLiteral(" = "), 0, 0);
    line.replace(QChar(0x2212), QLatin1Char('-'));
    double total = 0;
    for (const QString &term : line.split(QStringLiteral(" + "))) {
        double product = 1;
        for (QString factor : term.split(QChar(0xB7))) {
            bool ok = false;
            factor.remove(QLatin1Char('(')).remove(QLatin1Char(')'));
            if (factor.startsWith(QChar(0x221A)))
                product *= std::sqrt(factor.mid(1).toDouble(&ok));
            else
                product *= factor.toDouble(&ok);
            if (!ok)
                return std::nan("");
        }
        total += product;
    }
    return total;
}

} // namespace

class FlowBlocksTest : public QObject {
    Q_OBJECT

    /// Returns the steps whose numbers the figures of the trace's parts show.
    static std::set<core::StepId> drawnBy(const core::Trace &trace) {
        std::set<core::StepId> drawn;
        const FlowParts parts(trace);
        for (const FlowPart &part : parts.parts()) {
            const std::vector<StageId> stages = parts.stagesOf(part);
            const FlowDiagram diagram = FlowDiagram::of(part, parts.inputsOf(part), stages);
            for (const StageId &at : stages)
                if (diagram.place(at))
                    drawn.insert(trace.plan().origin(*trace.plan().find(at)));
        }
        return drawn;
    }

    static void everySession() {
        QTest::addColumn<QString>("session");
        for (const QString &session : kSessions)
            QTest::newRow(qPrintable(session)) << session;
    }

  private slots:
    /// Covers every test session, so that new stages are checked too.
    void everyStageIsDrawn() {
        const QDir sessions(QStringLiteral(HEADLIGHT_TEST_DATA "/sessions"));
        const QStringList files = sessions.entryList({"*.headlight"}, QDir::Files);
        QVERIFY(files.size() >= kSessions.size());
        for (const QString &file : files) {
            const core::TracePointer trace = traceOf(QString(file).remove(".headlight"));
            const std::set<core::StepId> drawn = drawnBy(*trace);
            for (core::StepId id = 0; id < trace->plan().size(); ++id) {
                const core::Step &step = trace->plan()[id];
                if (step.isNamed() && step.isOwn() && !step.isAside)
                    QVERIFY2(drawn.contains(id),
                             qPrintable(file + QStringLiteral(": ") + placeName(step.at)));
            }
        }
    }

    void partsFollowTheComputation() {
        const auto trace = traceOf("encoder_decoder");
        QStringList names;
        const FlowParts parts(*trace);
        for (const FlowPart &part : parts.parts())
            names << QStringLiteral("%1 %2 %3")
                         .arg(titleOf(part.attention.stack))
                         .arg(part.attention.layer)
                         .arg(titleOf(*trace, part));
        const QStringList expected{
            "encoder 0 self-attention", "encoder 0 feed-forward",   "encoder 1 self-attention",
            "encoder 1 feed-forward",   "decoder 0 self-attention", "decoder 0 cross-attention",
            "decoder 0 feed-forward",   "decoder 1 self-attention", "decoder 1 cross-attention",
            "decoder 1 feed-forward",   "decoder 1 next token"};
        QCOMPARE(names, expected);
    }

    void everyStageOfTheTraceIsInOnePart_data() { everySession(); }
    /// Aliases of other stages are excluded.
    void everyStageOfTheTraceIsInOnePart() {
        QFETCH(QString, session);
        const auto trace = traceOf(session);
        const FlowParts parts(*trace);
        QStringList shown;
        QSet<const void *> numbers;
        for (const StageId &at : parts.stages()) {
            QVERIFY2(!shown.contains(placeName(at)), qPrintable(placeName(at)));
            shown << placeName(at);
            numbers.insert(trace->stage(at.stage, at.attention).identity());
            QVERIFY(parts.shown(atStage({}, at)) == at);
        }
        for (const std::string &name : trace->names())
            QVERIFY2(shown.contains(QString::fromStdString(name)) ||
                         numbers.contains(trace->stage(name).identity()),
                     name.c_str());
    }

    void everyPartIsDrawnWithItsNumbers_data() { everySession(); }
    void everyPartIsDrawnWithItsNumbers() {
        QFETCH(QString, session);
        const auto trace = traceOf(session);
        for (const StageId &at : FlowParts(*trace).stages()) {
            const auto figure = FlowFigure::fromTrace(trace, atStage({}, at), FigureStyle::light());
            QVERIFY(figure.stage() == at);
            const core::SharedMatrix large = figure.current().content().matrix();
            const core::SharedMatrix own = matrixOf(*trace, atStage({}, at));
            QCOMPARE(large.rows, own.rows);
            QCOMPARE(large.columns, own.columns);
            for (core::Index row = 0; row < own.rows; ++row)
                for (core::Index column = 0; column < own.columns; ++column)
                    QCOMPARE(large(row, column), own(row, column));
            QVERIFY2(!figure.strip().formula.isEmpty(), qPrintable(placeName(at)));
            const HeatmapContent &content = figure.current().content();
            QCOMPARE(content.rowLabels.size(), static_cast<qsizetype>(own.rows));
            QCOMPARE(content.columnLabels.size(), static_cast<qsizetype>(own.columns));
        }
    }

    void linesGiveTheTracesNumbers_data() { everySession(); }
    void linesGiveTheTracesNumbers() {
        QFETCH(QString, session);
        const auto trace = traceOf(session);
        int sums = 0;
        for (const StageId &at : FlowParts(*trace).stages()) {
            core::Selection selection = atStage({}, at);
            selection = atCell(selection, 1, 1);
            const float value = matrixOf(*trace, selection)(
                rowOf(selection).value(), 1); // a classifier's row is the selected sequence
            const QString line = plainText(arithmeticOf(*trace, selection, FigureStyle::light()));
            QVERIFY2(line.contains(resultText(value)),
                     qPrintable(placeName(at) + ": " + line + " != " + resultText(value)));
            selection = atCell(selection, 1, {});
            QVERIFY(!arithmeticOf(*trace, selection, FigureStyle::light()).isEmpty());
            if (!line.contains(QStringLiteral(" = ")))
                continue;
            if (const double sum = sumOf(line); !std::isnan(sum)) {
                ++sums;
                // Terms are rounded to two decimals.
                QVERIFY2(std::abs(sum - static_cast<double>(value)) < 0.15,
                         qPrintable(placeName(at) + ": " + line));
            }
        }
        QVERIFY(sums >= 8);
    }

    void crossAttentionHasTwoAxes() {
        for (const QString session : {"encoder_decoder", "t5_like", "cross_attention_only"}) {
            const auto trace = traceOf(session);
            const AttentionId attention(0, Block::CrossAttention, trace->model().mainStack());
            const QStringList rows = tokensOf(trace->queries(attention), 0);
            const QStringList columns = tokensOf(trace->keys(attention), 0);
            QVERIFY(rows.size() != columns.size());
            const HeatmapContent weights = contentAt(trace, {Stage::AttentionWeights, attention});
            QCOMPARE(weights.columnLabels, columns);
            QCOMPARE(weights.matrix().rows, static_cast<core::Index>(rows.size()));
            QCOMPARE(weights.matrix().columns, static_cast<core::Index>(columns.size()));
            QVERIFY(weights.rowLabels[0].startsWith(rows[0]));
            QVERIFY(weights.rowAxis != weights.columnAxis);
            QCOMPARE(contentAt(trace, {Stage::Key, attention}).rowLabels, columns);
            QCOMPARE(contentAt(trace, {Stage::Value, attention}).rowLabels, columns);
            QCOMPARE(contentAt(trace, {Stage::Query, attention}).matrix().rows,
                     static_cast<core::Index>(rows.size()));
        }
    }

    void aDecodersRowsAreReadAndWritten() {
        const auto trace = traceOf("encoder_decoder");
        const core::Sequence &written = trace->batch()[0];
        const QStringList tokens = tokensOf(trace->batch(), 0);
        const AttentionId self(0, Block::SelfAttention, Stack::Decoder);
        const AttentionId cross(0, Block::CrossAttention, Stack::Decoder);
        for (const StageId at :
             {StageId{Stage::AttentionWeights, self}, StageId{Stage::AttentionWeights, cross},
              StageId{Stage::Query, self}, StageId{Stage::Hidden, self},
              StageId{Stage::Probabilities, self}}) {
            const QStringList labels = contentAt(trace, at).rowLabels;
            QCOMPARE(labels[0], tokens[0] + QStringLiteral(" → ") + tokens[1]);
            QVERIFY(labels[written.length - 1].endsWith(QStringLiteral(" → …")));
        }
        for (const StageId at : {StageId{Stage::Key, self}, StageId{Stage::Value, self},
                                 StageId{Stage::Embeddings, self}})
            QCOMPARE(contentAt(trace, at).rowLabels, tokens);
        QVERIFY(
            !contentAt(trace, {Stage::AttentionWeights, {0, Block::SelfAttention, Stack::Encoder}})
                 .rowLabels.join(QString())
                 .contains(QStringLiteral("→")));
        QVERIFY(!contentAt(traceOf("encoder_postnorm"), {Stage::AttentionWeights, {}})
                     .rowLabels.join(QString())
                     .contains(QStringLiteral("→")));
        QVERIFY(contentAt(traceOf("decoder_rotary"), {Stage::AttentionWeights, {}})
                    .rowLabels[0]
                    .contains(QStringLiteral("→")));
    }

    void wordsAndClassesAreColumns() {
        const auto trace = traceOf("decoder_rotary");
        const core::Vocabulary &words = *trace->model().vocabulary;
        const HeatmapContent logits = contentAt(trace, {Stage::Logits, {}});
        QCOMPARE(logits.columnLabels.size(), static_cast<qsizetype>(words.size()));
        QCOMPARE(logits.columnLabels.last(), tokenText(words.words().back()));
        const auto classifier = traceOf("encoder_prenorm");
        const HeatmapContent classes = contentAt(classifier, {Stage::ClassLogits, {}});
        QCOMPARE(classes.matrix().rows, classifier->batch().count());
        QCOMPARE(classes.columnLabels.first(), QStringLiteral("0"));
        QCOMPARE(classes.columnLabels.size(),
                 static_cast<qsizetype>(classifier->model().config.outputLayer.classes));
    }

    void headsThatShareKeysShowThem() {
        const auto trace = traceOf("decoder_rotary");
        const core::Config &config = trace->model().config;
        QVERIFY(config.groups() < config.heads);
        for (core::Index head = 0; head < config.heads; ++head) {
            core::Selection selection;
            selection.stage = Stage::Key;
            selection.head = head;
            const core::SharedMatrix shown =
                contentOf(trace, selection, FigureStyle::light(), {}).matrix();
            const core::SharedMatrix own = trace->stage(Stage::Key).matrix(0, config.groupOf(head));
            for (core::Index i = 0; i < own.columns; ++i)
                QCOMPARE(shown(2, i), own(2, i));
        }
    }

    void whatIsSaidOfNormsIsTrue() {
        const auto said = [](const QString &session, Stage stage) {
            core::Selection selection;
            selection.stage = stage;
            return plainText(formulaSpans(*traceOf(session), selection, FigureStyle::light()));
        };
        QVERIFY(
            said("encoder_prenorm", Stage::Norm).contains(QStringLiteral("(X − μ) / √(σ² + ε)")));
        QVERIFY(said("decoder_rotary", Stage::Norm).contains(QStringLiteral("√(mean of X²")));
        QVERIFY(said("batch_norm", Stage::Residual).contains(QStringLiteral("leaks")));
        QVERIFY(
            said("decoder_alibi", Stage::PositionBias).contains(QStringLiteral("−m · |i − j|")));
    }

    void mapBoxesLieBesideEachOther_data() {
        QTest::addColumn<QString>("session");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("textScale");
        for (const QString &session : kSessions)
            for (const double width : {700.0, 1000.0, 1600.0})
                for (const double scale : {1.0, 2.0})
                    QTest::addRow("%s, %.0f at %.0f", qPrintable(session), width, scale)
                        << session << width * scale << scale;
    }
    void mapBoxesLieBesideEachOther() {
        QFETCH(QString, session);
        QFETCH(double, width);
        QFETCH(double, textScale);
        const auto trace = traceOf(session);
        const FigureStyle style = FigureStyle::light(textScale);
        const FlowParts parts(*trace);
        for (const FlowPart &part : parts.parts()) {
            const StageId at = parts.stagesOf(part).front();
            const auto figure = FlowFigure::fromTrace(trace, atStage({}, at), style);
            const QRectF area(0, 0, width, 900 * textScale);
            const FlowMapGeometry map = figure.geometry(area).map;
            QCOMPARE(std::ranges::count(map.boxes, FlowMapBox::Time::Current, &FlowMapBox::time),
                     1);
            for (std::size_t i = 0; i < map.boxes.size(); ++i) {
                const FlowMapBox &box = map.boxes[i];
                QVERIFY(map.area.contains(box.rect));
                QVERIFY(box.rect.width() >=
                        textWidth(box.text, style.font(FigureStyle::Text::Label, true)));
                for (std::size_t j = i + 1; j < map.boxes.size(); ++j)
                    QVERIFY(!box.rect.intersects(map.boxes[j].rect));
                for (const FlowMapLabel &label : map.labels)
                    QVERIFY(!box.rect.intersects(label.rect));
                // The map box leads to its own part, which is then the current one.
                const auto there = FlowFigure::fromTrace(trace, atStage({}, box.goesTo), style);
                QVERIFY(there.stage() == box.goesTo);
            }
        }
    }

    void onePartHasNoMap() {
        const auto opened = test::opened("cat");
        const auto trace = test::forward(opened.state.model, opened.state.input);
        QVERIFY(trace.ok());
        const auto figure = FlowFigure::fromTrace(*trace, {}, FigureStyle::light());
        QVERIFY(figure.geometry(QRectF(0, 0, 900, 600)).map.boxes.empty());
    }
};

HEADLIGHT_WIDGET_TEST(FlowBlocksTest)
#include "tst_flow_blocks.moc"
