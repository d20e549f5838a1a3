// The parts of complete transformers in the order of the computation: both token axes, the rows
// that they read and write, and arithmetic with the trace's own numbers.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/whole/whole_figure.h"

using core::AttentionId;
using core::Block;
using core::Stack;
using core::StageId;

namespace {

const QStringList kSessions{"encoder_prenorm", "encoder_postnorm",
                            "batch_norm",      "decoder_rotary",
                            "decoder_alibi",   "encoder_decoder",
                            "t5_like",         "cross_attention_only",
                            "gemma_2",         "gpt_j",
                            "gpt_neox",        "olmo_2",
                            "qwen_3",          "wide_encoder",
                            "deberta",         "deepseek"};

HeatmapContent contentAt(const core::TracePointer &trace, StageId at) {
    return contentOf(trace, atStage({}, at), FigureStyle::light(), {});
}

QString placeName(StageId at) {
    return QString::fromStdString(core::stageName(at.stage, at.attention));
}

} // namespace

class ModelPartsTest : public QObject {
    Q_OBJECT

    /// Returns the steps whose numbers are shown by the figures of all parts.
    static std::set<core::StepId> drawnBy(const core::Trace &trace) {
        std::set<core::StepId> drawn;
        const ModelParts parts(trace);
        for (const ModelPart &part : parts.parts()) {
            for (const WholeGraph::Stage &stage : WholeGraph::of(trace, parts, part).stages)
                drawn.insert(trace.plan().origin(*trace.plan().find(stage.at)));
        }
        return drawn;
    }

    static void everySession() { test::addRows("session", kSessions); }

  private slots:
    /// Covers every test session, so that new stages are checked too.
    void everyStageIsDrawn() {
        for (const QString &file : test::allSessions()) {
            const core::TracePointer trace = test::traceOf(file);
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
        const auto trace = test::traceOf("encoder_decoder");
        QStringList names;
        const ModelParts parts(*trace);
        for (const ModelPart &part : parts.parts())
            names << QStringLiteral("%1 %2 %3")
                         .arg(titleOf(part.attention.stack))
                         .arg(part.attention.layer)
                         .arg(titleOf(trace->model(), part));
        const QStringList expected{
            "encoder 0 self-attention", "encoder 0 feed-forward",   "encoder 1 self-attention",
            "encoder 1 feed-forward",   "decoder 0 self-attention", "decoder 0 cross-attention",
            "decoder 0 feed-forward",   "decoder 1 self-attention", "decoder 1 cross-attention",
            "decoder 1 feed-forward",   "decoder 1 next token"};
        QCOMPARE(names, expected);
    }

    void everyStageOfTheTraceIsInOnePart_data() { everySession(); }
    /// Does not count aliases of other stages.
    void everyStageOfTheTraceIsInOnePart() {
        QFETCH(QString, session);
        const auto trace = test::traceOf(session);
        const ModelParts parts(*trace);
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
        const auto trace = test::traceOf(session);
        for (const StageId &at : ModelParts(*trace).stages()) {
            const auto figure =
                WholeFigure::fromTrace(trace, atStage({}, at), FigureStyle::light());
            QVERIFY(figure.stage() == at);
            const HeatmapContent &content = *figure.contentAt(at);
            const core::SharedMatrix shown = content.matrix();
            const core::SharedMatrix own = matrixOf(*trace, atStage({}, at));
            QCOMPARE(shown.rows, own.rows);
            QCOMPARE(shown.columns, own.columns);
            for (core::Index row = 0; row < own.rows; ++row)
                for (core::Index column = 0; column < own.columns; ++column)
                    QCOMPARE(shown(row, column), own(row, column));
            QCOMPARE(content.rowLabels.size(), static_cast<qsizetype>(own.rows));
            QCOMPARE(content.columnLabels.size(), static_cast<qsizetype>(own.columns));
        }
    }

    void linesGiveTheTracesNumbers_data() { everySession(); }
    void linesGiveTheTracesNumbers() {
        QFETCH(QString, session);
        const auto trace = test::traceOf(session);
        for (const StageId &at : ModelParts(*trace).stages()) {
            core::Selection selection = atStage({}, at);
            selection = atCell(selection, 1, 1);
            const float value = matrixOf(*trace, selection)(
                rowOf(selection).value(), 1); // a classifier's row is the selected sequence
            const QString line = plainText(arithmeticOf(*trace, selection, FigureStyle::light()));
            QVERIFY2(line.contains(resultText(value)),
                     qPrintable(placeName(at) + ": " + line + " != " + resultText(value)));
            selection = atCell(selection, 1, {});
            QVERIFY(!arithmeticOf(*trace, selection, FigureStyle::light()).isEmpty());
        }
    }

    void crossAttentionHasTwoAxes() {
        for (const QString session : {"encoder_decoder", "t5_like", "cross_attention_only"}) {
            const auto trace = test::traceOf(session);
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
        const auto trace = test::traceOf("encoder_decoder");
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
        QVERIFY(!contentAt(test::traceOf("encoder_postnorm"), {Stage::AttentionWeights, {}})
                     .rowLabels.join(QString())
                     .contains(QStringLiteral("→")));
        QVERIFY(contentAt(test::traceOf("decoder_rotary"), {Stage::AttentionWeights, {}})
                    .rowLabels[0]
                    .contains(QStringLiteral("→")));
    }

    void wordsAndClassesAreColumns() {
        const auto trace = test::traceOf("decoder_rotary");
        const core::Vocabulary &words = *trace->model().vocabulary;
        const HeatmapContent logits = contentAt(trace, {Stage::Logits, {}});
        QCOMPARE(logits.columnLabels.size(), static_cast<qsizetype>(words.size()));
        QCOMPARE(logits.columnLabels.last(), tokenText(words.words().back()));
        const auto classifier = test::traceOf("encoder_prenorm");
        const HeatmapContent classes = contentAt(classifier, {Stage::ClassLogits, {}});
        QCOMPARE(classes.matrix().rows, classifier->batch().count());
        QCOMPARE(classes.columnLabels.first(), QStringLiteral("0"));
        QCOMPARE(classes.columnLabels.size(),
                 static_cast<qsizetype>(classifier->model().config.outputLayer.classes));
    }

    void headsThatShareKeysShowThem() {
        const auto trace = test::traceOf("decoder_rotary");
        const core::Config &config = trace->model().config;
        QVERIFY(config.groups() < config.heads);
        for (core::Index head = 0; head < config.heads; ++head) {
            const core::SharedMatrix shown =
                contentOf(trace, test::at(Stage::Key, head), FigureStyle::light(), {}).matrix();
            const core::SharedMatrix own = trace->stage(Stage::Key).matrix(0, config.groupOf(head));
            for (core::Index i = 0; i < own.columns; ++i)
                QCOMPARE(shown(2, i), own(2, i));
        }
    }

    void whatIsSaidOfNormsIsTrue() {
        const auto said = [](const QString &session, Stage stage) {
            return plainText(
                formulaSpans(*test::traceOf(session), test::at(stage), FigureStyle::light()));
        };
        QVERIFY(
            said("encoder_prenorm", Stage::Norm).contains(QStringLiteral("(X − μ) / √(σ² + ε)")));
        QVERIFY(said("decoder_rotary", Stage::Norm).contains(QStringLiteral("√(mean of X²")));
        QVERIFY(said("batch_norm", Stage::Residual).contains(QStringLiteral("leak")));
        QVERIFY(
            said("decoder_alibi", Stage::PositionBias).contains(QStringLiteral("−m · |i − j|")));
    }
};

HEADLIGHT_WIDGET_TEST(ModelPartsTest)
#include "tst_model_parts.moc"
