// The map of the computation. All stages of a part have one scale and do not overlap at any size.
// Arrows come from the operands of each stage, and parameter matrices are before the stages that
// they produce. The figure also shows the numbers that the selected one was computed from.
#include "core/formats/capture/capture_trace.h"
#include "core/formats/safetensors/writer.h"
#include "core/training/run/targets.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/whole/whole_figure.h"

using core::StageId;

namespace {

const FigureStyle kScreen = FigureStyle::light();

QString nameOf(StageId at) {
    return QString::fromStdString(core::stageName(at.stage, at.attention));
}

/// Returns the first stage of each part of a model.
std::vector<StageId> partsOf(const core::Trace &trace) {
    std::vector<StageId> firsts;
    const ModelParts parts(trace);
    for (const ModelPart &part : parts.parts())
        if (const std::vector<StageId> stages = parts.stagesOf(part); !stages.empty())
            firsts.push_back(stages.back());
    return firsts;
}

WholeFigure figureOf(const core::TracePointer &trace, const core::Selection &selection,
                     double textScale = 1, const FigureOptions &options = {}) {
    return WholeFigure::fromTrace(trace, selection, FigureStyle::light(textScale), options);
}

} // namespace

class WholeTest : public QObject {
    Q_OBJECT

    static std::vector<QRectF> framesOf(const WholeGeometry &map) {
        std::vector<QRectF> frames;
        for (const auto *list : {&map.nodes, &map.learned})
            for (const WholeNode &node : *list)
                frames.push_back(node.frame());
        return frames;
    }

    /// Checks that nothing overlaps or leaves the area, and that all matrices have one scale.
    static void check(const WholeFigure &figure, const QSizeF &size) {
        const QRectF area(QPointF(), size);
        const WholeGeometry map = figure.places(area).map;
        const std::vector<QRectF> frames = framesOf(map);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            QVERIFY2(area.contains(frames[i]), test::said("frame %1", i));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!frames[i].intersects(frames[j]), test::said("%1 and %2", i, j));
        }
        for (const auto *list : {&map.nodes, &map.learned})
            for (const WholeNode &node : *list) {
                QVERIFY(node.matrix.width() >= 14 && node.matrix.height() >= 14);
                if (node.columns <= 32 && node.matrix.width() > 14)
                    QCOMPARE(node.matrix.width(),
                             std::floor(map.scale * static_cast<double>(node.columns)));
                if (node.rows <= 32 && node.matrix.height() > 14)
                    QCOMPARE(node.matrix.height(),
                             std::floor(map.scale * static_cast<double>(node.rows)));
            }
        for (const WholeArrow &arrow : map.arrows) {
            QVERIFY2(area.contains(arrow.path.boundingRect().center()),
                     qPrintable(nameOf(arrow.to)));
            const WholeNode *weights = map.learnedOf(arrow.to);
            const QRectF target = weights ? weights->frame() : map.node(arrow.to)->frame();
            QVERIFY2(target.adjusted(-6, -6, 6, 6).contains(arrow.path.currentPosition()),
                     qPrintable(nameOf(arrow.to)));
        }
    }

  private slots:
    void nothingOverlaps_data() { test::addRows("session", test::allSessions()); }
    void nothingOverlaps() {
        QFETCH(QString, session);
        const core::TracePointer trace = test::traceOf(session);
        for (const StageId at : partsOf(*trace))
            for (const double textScale : {1.0, 1.5, 2.0}) {
                const WholeFigure figure = figureOf(trace, atStage({}, at), textScale);
                for (const QSizeF &size :
                     {QSizeF(928, 280), QSizeF(1088, 460), QSizeF(1600, 800), QSizeF(600, 900)})
                    check(figure, size.expandedTo(figure.minimumSize()));
                // The view scrolls until every title has its size and the parameter matrices are
                // shown.
                const QSizeF readable = figure.readableSize({1088, 460});
                QVERIFY(figure.places(QRectF(QPointF(), readable)).map.isComplete);
            }
    }

    /// A lesson's map does not scroll on a small screen.
    void lessonsFit() {
        for (const QString &id : lessonIds()) {
            const OpenedSource source = test::opened(id);
            const auto trace = test::passOf(source.state);
            for (const StageId at : partsOf(*trace)) {
                const WholeFigure figure = figureOf(trace, atStage(source.selection, at));
                const QSizeF size(1088, 460);
                QVERIFY2(figure.readableSize(size) == size, qPrintable(id + ' ' + nameOf(at)));
            }
        }
    }

    void titlesAreNotCut() {
        for (const QString &session : test::allSessions()) {
            const core::TracePointer trace = test::traceOf(session);
            for (const StageId at : partsOf(*trace))
                for (const QSizeF &size : {QSizeF(928, 280), QSizeF(1088, 460)}) {
                    const WholeFigure figure = figureOf(trace, atStage({}, at));
                    const PaintingRecord record = PaintingRecord::of(
                        figure, size.expandedTo(figure.minimumSize()), Device::Vector);
                    for (const PaintingRecord::Text &text : record.texts)
                        QVERIFY2(!text.text.contains(QStringLiteral("…")),
                                 qPrintable(session + ' ' + nameOf(at) + text.text));
                }
        }
    }

    /// Every stage except the inputs has operands, and comes after them.
    void arrowsFollowTheComputation_data() { nothingOverlaps_data(); }
    void arrowsFollowTheComputation() {
        QFETCH(QString, session);
        const core::TracePointer trace = test::traceOf(session);
        const ModelParts parts(*trace);
        for (const ModelPart &part : parts.parts()) {
            const WholeGraph graph = WholeGraph::of(*trace, parts, part);
            for (const WholeGraph::Link &link : graph.links) {
                QVERIFY2(graph.stages[graph.indexOf(link.from)].column <
                             graph.stages[graph.indexOf(link.to)].column,
                         qPrintable(nameOf(link.to)));
                QVERIFY(graph.indexOf(link.from) < graph.indexOf(link.to));
            }
            for (const WholeGraph::Stage &stage : graph.stages) {
                const core::StepId step = trace->plan().origin(*trace->plan().find(stage.at));
                const bool isMade = std::ranges::any_of(
                    graph.links, [&](const WholeGraph::Link &link) { return link.to == stage.at; });
                const bool reads = !trace->plan()[step].reads.empty();
                const bool isOwn = std::ranges::count(parts.stagesOf(part), stage.at) > 0;
                const bool begins = core::infoOf(stage.at.stage).part == core::Part::Layer &&
                                    stage.at.stage == Stage::LayerInput;
                const bool isTable =
                    stage.at.stage ==
                    Stage::DistanceEmbeddings; // belongs to the model, not to a layer
                if (isOwn && reads && !begins && !isTable && stage.at.stage != Stage::PositionBias)
                    QVERIFY2(isMade, qPrintable(nameOf(stage.at)));
            }
        }
    }

    void theLinksOfAttentionAreThoseOfItsFormula() {
        const core::TracePointer trace = test::traceOf("encoder_postnorm");
        const ModelParts parts(*trace);
        const WholeGraph graph =
            WholeGraph::of(*trace, parts, parts.partOf(test::at(Stage::Query)));
        const auto madeFrom = [&](Stage stage) {
            std::set<Stage> from;
            for (const WholeGraph::Link &link : graph.links)
                if (link.to.stage == stage)
                    from.insert(link.from.stage);
            return from;
        };
        QCOMPARE(madeFrom(Stage::Scores), (std::set{Stage::Query, Stage::Key}));
        QCOMPARE(madeFrom(Stage::ScaledScores), std::set{Stage::Scores});
        QCOMPARE(madeFrom(Stage::Context), (std::set{Stage::AttentionWeights, Stage::Value}));
        QCOMPARE(madeFrom(Stage::Output), std::set{Stage::Concatenated});
        const std::set<Stage> sum = madeFrom(Stage::ResidualSum);
        QCOMPARE(sum.size(), std::size_t(2));
        QVERIFY(sum.contains(Stage::Output)); // the other operand is the input of the layer
    }

    /// A capture stores no steps, so its stages are linked as in a usual attention module.
    void capturesAreJoinedToo() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("capture.safetensors");
        std::vector<core::NamedTensor> tensors;
        for (const auto &[name, columns] :
             {std::pair("query", 4), std::pair("key", 4), std::pair("value", 4),
              std::pair("weights", 3), std::pair("context", 4)})
            tensors.push_back({std::string("layers.0.self_attention.") + name,
                               core::Tensor({1, 2, 3, columns},
                                            std::vector<float>(std::size_t(6 * columns), 0.5F))});
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(test::valueOf(
            core::safetensorsBytes(tensors, {{"tokens", R"(["The"," cat"," sat"])"}}))));
        file.close();
        const core::TracePointer trace =
            test::valueOf(core::traceOf(test::valueOf(core::readCapture(path.toStdString()))));
        QVERIFY(trace->model().captured);
        const ModelParts parts(*trace);
        const WholeGraph graph =
            WholeGraph::of(*trace, parts, parts.partOf(test::at(Stage::AttentionWeights)));
        std::set<std::pair<Stage, Stage>> links;
        for (const WholeGraph::Link &link : graph.links)
            links.emplace(link.from.stage, link.to.stage);
        QCOMPARE(links,
                 (std::set<std::pair<Stage, Stage>>{{Stage::Query, Stage::AttentionWeights},
                                                    {Stage::Key, Stage::AttentionWeights},
                                                    {Stage::Value, Stage::Context},
                                                    {Stage::AttentionWeights, Stage::Context}}));
    }

    void weightsStandBeforeWhatTheyMake() {
        const core::TracePointer trace = test::traceOf("cat");
        for (const QSizeF &size : {QSizeF(928, 280), QSizeF(1088, 460), QSizeF(500, 900)}) {
            const WholeFigure figure = figureOf(trace, test::at(Stage::Query));
            const WholeGeometry map = figure.places(QRectF(QPointF(), size)).map;
            for (const Stage stage : {Stage::Query, Stage::Key, Stage::Value, Stage::Output}) {
                const WholeNode *weights = map.learnedOf({stage, {}});
                QVERIFY(weights);
                const QRectF &made = map.node({stage, {}})->matrix;
                QVERIFY(weights->matrix.right() < made.left() ||
                        weights->matrix.bottom() < made.top());
                const auto entering = std::ranges::find_if(
                    map.arrows, [&](const WholeArrow &one) { return one.to.stage == stage; });
                const QPointF tip = entering->path.currentPosition();
                QVERIFY(weights->frame().adjusted(-6, -6, 6, 6).contains(tip));
            }
            QCOMPARE(map.signs.size(), map.learned.size());
        }
        FigureOptions folded;
        folded.learned = false;
        QVERIFY(figureOf(trace, test::at(Stage::Query), 1, folded)
                    .places(QRectF(0, 0, 928, 280))
                    .map.learned.empty());
    }

    void pointsFindTheirStage() {
        const core::TracePointer trace = test::traceOf("cat");
        const WholeFigure figure = figureOf(trace, test::at(Stage::Query));
        const WholeGeometry map = figure.places(QRectF(0, 0, 1088, 460)).map;
        for (const auto *list : {&map.nodes, &map.learned})
            for (const WholeNode &node : *list) {
                QVERIFY(map.stageAt(node.matrix.center()) == node.at);
                QVERIFY(map.stageAt(node.title.center()) == node.at);
            }
        QVERIFY(!map.stageAt({-10, -10}));
        const HeatmapGeometry cells = map.node({Stage::Scores, {}})->cells();
        for (core::Index i = 0; i < cells.rows; ++i)
            QCOMPARE(cells.cellAt(cells.cellRect(i, cells.columns - 1 - i).center()),
                     (Cell{i, cells.columns - 1 - i}));
    }

    /// In the parameter matrix, only the column that produces the selected number is marked.
    void theColumnOfTheWeightsLightsUp() {
        const core::TracePointer trace = test::traceOf("cat");
        const auto marksOf = [&](const core::Selection &selection, Stage made) {
            const WholeFigure figure = figureOf(trace, selection);
            return figure.learnedOf({made, {}})->content.marks;
        };
        const auto query = marksOf(test::cellAt(Stage::Query, 2, 1), Stage::Query);
        QCOMPARE(query.size(), std::size_t(1));
        QVERIFY(!query[0].row && query[0].column == 1 && !query[0].isFaint);
        QCOMPARE(query[0].colour, kScreen.query);
        QVERIFY(marksOf(test::cellAt(Stage::Query, 2, 1), Stage::Key).empty());
        QVERIFY(marksOf(test::cellAt(Stage::Query, 2), Stage::Query)
                    .empty()); // without a column, nothing is marked
        const auto value = marksOf(test::cellAt(Stage::Context, 2, 1), Stage::Value);
        QCOMPARE(value.size(), std::size_t(1));
        QVERIFY(value[0].column == 1 && value[0].isFaint);
    }

    /// Stages after the current one are faint on the screen, but not on paper.
    void laterStagesAreFaint() {
        const core::TracePointer trace = test::traceOf("cat");
        const auto darkest = [&](const FigureStyle &style, Stage shown) {
            const auto figure = WholeFigure::fromTrace(trace, test::at(shown), style);
            QImage image(1088, 460, QImage::Format_RGB32);
            QPainter painter(&image);
            figure.paint(painter, QRectF(image.rect()), Device::Raster);
            painter.end();
            const WholeGeometry map = figure.places(QRectF(image.rect())).map;
            const QRect matrix = map.node({Stage::Context, {}})->matrix.toRect();
            int least = 255;
            for (int y = matrix.top() + 2; y < matrix.bottom() - 1; ++y)
                for (int x = matrix.left() + 2; x < matrix.right() - 1; ++x)
                    least = std::min(least, qGray(image.pixel(x, y)));
            return least;
        };
        QVERIFY(darkest(kScreen, Stage::Query) > darkest(kScreen, Stage::Context) + 20);
        QCOMPARE(darkest(FigureStyle::paper(), Stage::Query),
                 darkest(FigureStyle::paper(), Stage::Context));
    }

    /// With gradients, the arrows lead from each stage to its operands, and the numbers of the
    /// selected gradient are shown at the bottom.
    void gradientsGoBack() {
        const core::TracePointer trace = test::traceOf("decoder_rotary");
        FigureOptions options;
        options.backwardPass =
            test::valueOf(core::runBackward(trace, core::taskTargetsOf(*trace, nullptr)));
        const core::Selection selection = atCell(test::at(Stage::Value), 1, 1);
        const WholeFigure back = figureOf(trace, selection, 1, options);
        const WholeFigure forth = figureOf(trace, selection);
        const QRectF area(0, 0, 1088, 560);
        QVERIFY(back.goesBack() && !back.places(area).strip.isEmpty());
        QVERIFY(!back.strip().formula.isEmpty() && !back.strip().arithmetic.isEmpty());
        const auto backwards = back.places(area).map.arrows,
                   forwards = forth.places(area).map.arrows;
        QCOMPARE(backwards.size(), forwards.size());
        for (std::size_t i = 0; i < backwards.size(); ++i)
            QVERIFY(backwards[i].from == forwards[i].to && backwards[i].to == forwards[i].from);
        QVERIFY(forth.places(area).strip.isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(WholeTest)
#include "tst_whole.moc"
