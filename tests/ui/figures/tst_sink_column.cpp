// The weights of a head's sink: a column next to the attention weights that is not a token, the
// same in every figure.
#include "tests/ui/figures/figure_fixture.h"

namespace {

core::TracePointer traceWithSinks() {
    TraceRecipe recipe;
    recipe.heads = 4;
    recipe.headSize = 8;
    const core::TracePointer plain = makeTrace(recipe);
    core::Model model = plain->model();
    model.parameters.main.layers[0].selfAttention.sinks =
        core::makeParameter(core::Matrix(1, 4, {-0.5F, 0.5F, 1.5F, 2.5F}));
    return test::passOf(model, plain->input());
}

/// True if each row of the head's weights and its number in the column sum to 1.
bool hasRests(const core::Trace &trace, const HeatmapContent &content, Index head) {
    const core::SharedMatrix weights =
        trace.matrix(Stage::AttentionWeights, core::AttentionId{}, 0, head);
    if (core::Index(content.beside.size()) != weights.rows)
        return false;
    for (Index row = 0; row < weights.rows; ++row) {
        double sum = static_cast<double>(content.beside[static_cast<std::size_t>(row)]);
        for (const float weight : weights.row(row))
            sum += static_cast<double>(weight);
        if (std::abs(sum - 1) > 1e-5)
            return false;
    }
    return true;
}

/// Returns the first row of the column that is not painted in the colours of the cells, or −1.
/// Looks near the corner of each cell, next to its number.
Index unpaintedRow(const QImage &picture, const HeatmapGeometry &places,
                   const HeatmapContent &content) {
    for (Index row = places.origin.row; row < places.endRow(); ++row) {
        const QPointF at = places.besideRect(row).topLeft() + QPointF(2.5, 1.5);
        const auto number = static_cast<double>(content.beside[static_cast<std::size_t>(row)]);
        if (picture.pixel(static_cast<int>(at.x()), static_cast<int>(at.y())) !=
            QColor(content.scale.colour(row, number)).rgb())
            return row;
    }
    return -1;
}

} // namespace

class SinkColumnTest : public QObject {
    Q_OBJECT

  private slots:
    /// Each weight is the exponential to its left, divided by the sum of the two numbers next to
    /// it.
    void theExponentialsGiveTheWeights() {
        const core::TracePointer trace = traceWithSinks();
        for (Index head = 0; head < 4; ++head) {
            const auto figure = CloseUpFigure::fromTrace(
                trace, test::at(Stage::AttentionWeights, head), test::style(), {});
            const std::vector<CloseUpPart> &left = figure.parts().left;
            QCOMPARE(left.size(), std::size_t(4)); // scores, exponentials, sum, the sink's
            const core::SharedMatrix exponentials = left[1].content.matrix();
            const core::SharedMatrix sums = left[2].content.matrix();
            const core::SharedMatrix ofSink = left[3].content.matrix();
            const core::SharedMatrix weights = figure.parts().result.content.matrix();
            QCOMPARE(plainText(left[3].symbol), QStringLiteral("e^s"));
            QCOMPARE(ofSink.rows, weights.rows);
            for (Index row = 0; row < weights.rows; ++row)
                for (Index key = 0; key < weights.columns; ++key)
                    QVERIFY(std::abs(exponentials(row, key) / (sums(row, 0) + ofSink(row, 0)) -
                                     weights(row, key)) < 1e-6F);
        }
    }

    void isInTheCardOfACloseUp_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("lines");
        QTest::newRow("wide") << QSize(1100, 520) << false;
        QTest::newRow("low") << QSize(760, 290) << false;
        QTest::newRow("with lines") << QSize(1100, 520) << true;
    }
    void isInTheCardOfACloseUp() {
        QFETCH(QSize, size);
        QFETCH(bool, lines);
        const core::TracePointer trace = traceWithSinks();
        FigureOptions options;
        options.lines = lines;
        const auto figure = CloseUpFigure::fromTrace(trace, test::at(Stage::AttentionWeights, 1),
                                                     test::style(), options);
        const HeatmapContent &content = figure.parts().result.content;
        QVERIFY(hasRests(*trace, content, 1));
        const CloseUpFigure::Places places = figure.places(QRectF(QPointF(), size));
        const HeatmapGeometry &result = places.picture.result.cells;
        QVERIFY(!result.cells.isEmpty());
        QVERIFY(result.beside.left() > result.cells.right());
        QCOMPARE(result.beside.top(), result.cells.top());
        QCOMPARE(result.beside.height(), result.cells.height());
        QVERIFY(places.picture.card.contains(result.beside));
        QVERIFY(places.picture.card.contains(result.besideLabel));
        QVERIFY(QRectF(QPointF(), size).contains(places.picture.card));
        QVERIFY(!result.besideLabel.intersects(result.cells));
        QVERIFY(!result.besideLabel.intersects(result.colourBar));
        if (lines) {
            QVERIFY(result.lines.left() >= result.beside.right());
            QVERIFY(places.picture.card.contains(result.lines));
            for (const AttentionLines::Line &line : figure.lines()->lines(result, {}))
                QVERIFY(line.from.x() > result.beside.right());
        }
        QVERIFY(!figure.cellAt(places, result.beside.center())); // no token can be selected there
        QCOMPARE(result.besideRowAt(result.besideRect(3).center()), Index(3));
        QCOMPARE(unpaintedRow(test::paintedOn(figure, size), result, content), Index(-1));
        QVERIFY(figure.description().contains(QStringLiteral("sink (no token)")));
        QVERIFY(test::textOf(figure, size).contains(QStringLiteral("sink (no token)")));
    }

    /// Only the attention weights have the column. It is not an operand, and scores have no sink.
    void otherStagesHaveNone() {
        const core::TracePointer trace = traceWithSinks();
        for (const Stage stage : {Stage::MaskedScores, Stage::Context, Stage::SinkWeights}) {
            const auto figure = CloseUpFigure::fromTrace(trace, test::at(stage), test::style(), {});
            QVERIFY(figure.parts().result.content.beside.empty());
            QVERIFY(figure.places(QRectF(0, 0, 1100, 520)).picture.result.cells.beside.isEmpty());
            for (const CloseUpPart &part : figure.parts().left)
                QVERIFY(part.content.beside.empty());
        }
        const auto plain = CloseUpFigure::fromTrace(makeTrace(), test::at(Stage::AttentionWeights),
                                                    test::style(), {});
        QVERIFY(plain.parts().result.content.beside.empty());
        QVERIFY(!plain.description().contains(QStringLiteral("sink")));
    }

    void isInTheMap() {
        const core::TracePointer trace = traceWithSinks();
        const auto figure = WholeFigure::fromTrace(trace, test::at(Stage::AttentionWeights, 2),
                                                   test::style(), {}, nullptr);
        const core::StageId id{Stage::AttentionWeights, {}};
        const HeatmapContent &content = *figure.contentAt(id);
        QVERIFY(hasRests(*trace, content, 2));
        for (const QSize size : {QSize(1500, 800), QSize(1000, 480)}) {
            const WholeGeometry map = figure.places(QRectF(QPointF(), size)).map;
            const WholeNode &node = *map.node(id);
            QVERIFY(node.beside.left() > node.matrix.right());
            QCOMPARE(node.beside.height(), node.matrix.height());
            QVERIFY(node.besideLabel.top() >= node.beside.bottom());
            QVERIFY(node.frame().contains(node.beside) && node.frame().contains(node.besideLabel));
            for (const auto *list : {&map.nodes, &map.learned})
                for (const WholeNode &other : *list)
                    if (&other != &node)
                        QVERIFY(!other.frame().intersects(node.frame()));
            QVERIFY(map.stageAt(node.beside.center()) == id);
            QVERIFY(!node.cells().cellAt(node.beside.center()));
            QCOMPARE(unpaintedRow(test::paintedOn(figure, size), node.cells(), content), Index(-1));
        }
        QVERIFY(figure.description().contains(QStringLiteral("sink (no token)")));
    }

    /// Each small heatmap has the column of its own head.
    void isInEachSmallHead() {
        const core::TracePointer trace = traceWithSinks();
        const QSize size(1000, 560);
        const auto figure = HeadsFigure::fromTrace(trace, test::at(Stage::AttentionWeights, 1),
                                                   test::style(), {}, nullptr, {}, {});
        const HeadsGeometry places = figure.geometry(QRectF(QPointF(), size));
        QCOMPARE(places.tiles.size(), std::size_t(4));
        const QImage picture = test::paintedOn(figure, size);
        for (Index tile = 0; tile < 4; ++tile) {
            const HeatmapGeometry small = places.tileCells(tile);
            const HeatmapContent &content = figure.head(figure.headOfTile(tile));
            QVERIFY(hasRests(*trace, content, figure.headOfTile(tile)));
            QVERIFY(small.beside.left() > small.cells.right());
            QVERIFY(places.tiles[static_cast<std::size_t>(tile)].contains(small.beside));
            QCOMPARE(unpaintedRow(picture, small, content), Index(-1));
            const QPointF point = small.besideRect(2).center();
            QVERIFY(!places.tileCellAt(point));
            QCOMPARE(places.tileBesideRowAt(point), Index(2));
        }
        QVERIFY(!places.card.isEmpty());
        QVERIFY(places.card.contains(places.enlarged.beside));
        const HeadsGeometry plain =
            HeadsFigure::fromTrace(makeTrace(), test::at(Stage::AttentionWeights), test::style(),
                                   {}, nullptr, {}, {})
                .geometry(QRectF(QPointF(), size));
        QVERIFY(plain.tileCells(0).beside.isEmpty());
    }
};

HEADLIGHT_WIDGET_TEST(SinkColumnTest)
#include "tst_sink_column.moc"
