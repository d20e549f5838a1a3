// The stages of the flow: nothing overlaps, nothing leaves the area, at any size of figure, text
// and model.
#include "ui/figures/flow_geometry.h"

#include <QTest>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;

namespace {

std::vector<FlowStage> stagesOf(core::Index tokens, core::Index width, core::Index head,
                                bool positions, bool output) {
    std::vector<FlowStage> stages;
    const auto add = [&](Stage stage, core::Index columns) {
        stages.push_back({stage, tokens, columns, 90});
    };
    add(Stage::Embeddings, width);
    if (positions)
        add(Stage::EmbeddingSum, width);
    for (const Stage stage : {Stage::Query, Stage::Key, Stage::Value})
        add(stage, head);
    for (const Stage stage :
         {Stage::Scores, Stage::ScaledScores, Stage::MaskedScores, Stage::Weights})
        add(stage, tokens);
    add(Stage::Context, head);
    add(Stage::Concatenated, width);
    if (output)
        add(Stage::Output, width);
    return stages;
}

FlowRequest requestOf(const QSizeF &size, std::vector<FlowStage> stages, Stage current,
                      double textScale = 1) {
    FlowRequest request;
    request.area = QRectF(QPointF(3, 5), size);
    request.stages = std::move(stages);
    request.current = current;
    for (const FlowStage &stage : request.stages)
        if (stage.stage == current) {
            request.large.rows = stage.rows;
            request.large.columns = stage.columns;
        }
    request.textScale = textScale;
    request.titleHeight *= textScale;
    request.lineHeight *= textScale;
    request.formulaHeight = 58 * textScale; // two lines
    request.large.lineHeight *= textScale;
    request.large.titleHeight = 19 * textScale;
    request.large.subtitleHeight = 15 * textScale;
    request.large.rowLabelWidth = 50 * textScale;
    request.large.columnLabelWidth = (current >= Stage::Scores ? 50 : 14) * textScale;
    request.large.slantColumnLabels = current >= Stage::Scores;
    request.large.minimumAspect = 0.3;
    request.large.maximumAspect = 3;
    request.large.rowAxis = true;
    request.large.columnAxis = true;
    return request;
}

/// Points along the path, at most a few pixels apart.
QList<QPointF> pointsOf(const QPainterPath &path) {
    QList<QPointF> points;
    for (const QPolygonF &polygon : path.toSubpathPolygons())
        for (qsizetype i = 1; i < polygon.size(); ++i) {
            const QLineF line(polygon[i - 1], polygon[i]);
            const int steps = std::max(1, qCeil(line.length() / 8));
            for (int step = 0; step <= steps; ++step)
                points.append(line.pointAt(static_cast<double>(step) / steps));
        }
    return points;
}

QString nameOf(Stage stage) {
    return QString::fromStdString(std::string(core::infoOf(stage).name));
}

} // namespace

class FlowGeometryTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingOverlaps_data() {
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("textScale");
        // The first of them are the figure's minimum sizes.
        for (const QSizeF size :
             {QSizeF(600, 400), QSizeF(640, 400), QSizeF(700, 420), QSizeF(840, 560),
              QSizeF(1000, 1000), QSizeF(1600, 900), QSizeF(2400, 700)})
            for (const int tokens : {1, 2, 8, 64})
                for (const int width : {2, 32, 512})
                    QTest::addRow("%.0fx%.0f, %d tokens of %d", size.width(), size.height(), tokens,
                                  width)
                        << size << tokens << width << 1.0;
        for (const QSizeF size : {QSizeF(880, 650), QSizeF(1280, 720), QSizeF(1920, 1080)})
            for (const int tokens : {2, 8, 64})
                QTest::addRow("projector, %.0fx%.0f, %d tokens", size.width(), size.height(),
                              tokens)
                    << size << tokens << 32 << 2.0;
    }
    void nothingOverlaps() {
        QFETCH(QSizeF, size);
        QFETCH(int, tokens);
        QFETCH(int, width);
        QFETCH(double, textScale);
        for (const bool whole : {false, true}) { // with positions and an output matrix, or without
            const auto stages = stagesOf(tokens, width, std::max(1, width / 2), whole, whole);
            for (const FlowStage &current : stages)
                check(FlowGeometry::of(requestOf(size, stages, current.stage, textScale)),
                      stages.size());
        }
    }

    void pointsFindTheirStage() {
        const auto stages = stagesOf(8, 32, 16, true, true);
        const FlowGeometry geometry =
            FlowGeometry::of(requestOf({900, 600}, stages, Stage::Weights));
        for (const FlowNode &node : geometry.nodes)
            QCOMPARE(geometry.stageAt(node.matrix.center()), node.stage);
        QCOMPARE(geometry.stageAt(geometry.card.center()), Stage::Weights);
        QVERIFY(!geometry.stageAt(geometry.formula.center()));
        QVERIFY(!geometry.stageAt(QPointF(-10, -10)));
        for (core::Index row = 0; row < 8; ++row)
            QCOMPARE(geometry.cellAt(geometry.large.cellRect(row, 7 - row).center()),
                     (Cell{row, 7 - row}));
    }

    void everyStageIsReached() {
        const auto stages = stagesOf(8, 32, 16, true, true);
        for (const FlowStage &current : stages) {
            const FlowGeometry geometry =
                FlowGeometry::of(requestOf({900, 600}, stages, current.stage));
            QCOMPARE(geometry.arrows.size(), std::size_t(13));
            for (const FlowArrow &arrow : geometry.arrows)
                QVERIFY(arrow.from < arrow.to);
        }
    }

  private:
    static void check(const FlowGeometry &geometry, std::size_t count) {
        QCOMPARE(geometry.nodes.size() + 1, count);
        const QRectF area = geometry.area.adjusted(-0.01, -0.01, 0.01, 0.01);
        std::vector<std::pair<QString, QRectF>> parts{
            {QStringLiteral("card"), geometry.card}, {QStringLiteral("formula"), geometry.formula}};
        for (const FlowNode &node : geometry.nodes) {
            parts.emplace_back(nameOf(node.stage), node.frame);
            QVERIFY(node.frame.adjusted(-0.01, -0.01, 0.01, 0.01).contains(node.matrix));
            QVERIFY(!node.title.intersects(node.matrix));
            QVERIFY(node.title.width() >= 24);
            QVERIFY2(node.matrix.width() >= 36 && node.matrix.height() >= 36,
                     qPrintable(nameOf(node.stage)));
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QVERIFY2(area.contains(parts[i].second),
                     qPrintable(QStringLiteral("%1 leaves the area, current %2")
                                    .arg(parts[i].first, nameOf(geometry.current))));
            for (std::size_t j = i + 1; j < parts.size(); ++j)
                QVERIFY2(
                    !parts[i].second.intersects(parts[j].second),
                    qPrintable(QStringLiteral("%1 and %2 overlap, current %3")
                                   .arg(parts[i].first, parts[j].first, nameOf(geometry.current))));
        }
        QVERIFY(geometry.card.contains(geometry.large.cells));
        for (const QRectF &part :
             {geometry.large.title, geometry.large.colourBar, geometry.large.columnAxis})
            QVERIFY(part.isEmpty() || geometry.card.contains(part));
        for (const FlowArrow &arrow : geometry.arrows) {
            const QRectF extent = arrow.path.boundingRect(); // flat for a straight arrow
            QVERIFY(area.contains(extent.topLeft()) && area.contains(extent.bottomRight()));
            // An arrow crosses no stage but, past their titles, the two that it joins.
            for (const QPointF point : pointsOf(arrow.path)) {
                QVERIFY(!geometry.card.contains(point));
                for (const FlowNode &node : geometry.nodes) {
                    const bool joined = node.stage == arrow.from || node.stage == arrow.to;
                    QVERIFY2(!(joined ? node.matrix : node.frame).contains(point),
                             qPrintable(QStringLiteral("%1 to %2 crosses %3, current %4")
                                            .arg(nameOf(arrow.from), nameOf(arrow.to),
                                                 nameOf(node.stage), nameOf(geometry.current))));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(FlowGeometryTest)
#include "tst_flow_geometry.moc"
