// The layout of the flow: nothing overlaps or leaves the area, at any size of figure, text and
// model.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/flow/flow_geometry.h"

namespace {

/// A part of some model, and the rows and columns of its stages.
struct Example {
    ModelPart part;
    std::vector<core::StageId> inputs;
    std::vector<core::StageId> stages;
    core::Index tokens = 8;
    core::Index width = 32;
    core::Index head = 16;
    core::Index sources = 8; ///< number of keys' tokens

    core::Index rowsOf(core::StageId at) const {
        return core::infoOf(at.stage).ofKeys() || at.attention.stack != part.attention.stack
                   ? sources
                   : tokens;
    }
    core::Index columnsOf(core::StageId at) const {
        const core::StageInfo &info = core::infoOf(at.stage);
        return info.overKeys() ? sources : info.perHead ? head : width;
    }
    /// Returns the size of the parameter matrix that makes a stage.
    std::optional<FlowSize> learnedOf(core::StageId at) const {
        switch (at.stage) {
        case Stage::Query:
        case Stage::Key: // with rotary embedding, it makes the stage before
        case Stage::Value:
        case Stage::UnrotatedQuery:
        case Stage::UnrotatedKey:
            return FlowSize{width, head, 90};
        case Stage::Output:
            return FlowSize{2 * head, width, 90};
        default:
            return std::nullopt;
        }
    }
};

Example attention(core::Index tokens, core::Index width, core::Index head, bool positions,
                  bool output) {
    Example example{{}, {}, {{Stage::Embeddings, {}}}, tokens, width, head, tokens};
    if (positions)
        example.stages.push_back({Stage::EmbeddingSum, {}});
    for (const Stage stage :
         {Stage::Query, Stage::Key, Stage::Value, Stage::Scores, Stage::ScaledScores,
          Stage::MaskedScores, Stage::AttentionWeights, Stage::Context, Stage::Concatenated})
        example.stages.push_back({stage, {}});
    if (output)
        example.stages.push_back({Stage::Output, {}});
    return example;
}

/// The largest part of each kind.
enum class Whole { Rotary, Biased, PostNorm, Cross, FeedForward, Head, Embedding };

Example whole(Whole kind, core::Index tokens = 8, core::Index sources = 5) {
    using enum core::Stage;
    const core::AttentionId self(1), cross(1, core::Block::CrossAttention, core::Stack::Decoder);
    const core::AttentionId decoder(1, core::Block::SelfAttention, core::Stack::Decoder);
    Example example;
    example.tokens = tokens;
    example.sources = kind == Whole::Cross ? sources : tokens;
    const auto add = [&](core::AttentionId attention, std::initializer_list<Stage> stages) {
        for (const Stage stage : stages)
            example.stages.push_back({stage, attention});
    };
    switch (kind) {
    case Whole::Rotary:
        example.part = {ModelPart::Kind::Attention, self, true};
        add(self, {LayerInput, Norm, UnrotatedQuery, UnrotatedKey, Query, Key, Value, Scores,
                   ScaledScores, MaskedScores, AttentionWeights, Context, Concatenated, Output,
                   Residual});
        break;
    case Whole::Biased:
        example.part = {ModelPart::Kind::Attention, self, true};
        add(self, {Embeddings, EmbeddingSum, Norm, Query, Key, Value, Scores, ScaledScores,
                   PositionBias, BiasedScores, MaskedScores, AttentionWeights, Context,
                   Concatenated, Output, Residual, FinalNorm});
        break;
    case Whole::PostNorm:
        example.part = {ModelPart::Kind::Attention, self, true};
        add(self, {LayerInput, Query, Key, Value, Scores, ScaledScores, MaskedScores,
                   AttentionWeights, Context, Concatenated, Output, ResidualSum, Residual});
        break;
    case Whole::Cross:
        example.part = {ModelPart::Kind::Attention, cross, true};
        example.inputs = {{Residual, decoder},
                          {FinalNorm, {1, core::Block::SelfAttention, core::Stack::Encoder}}};
        add(cross, {Norm, Query, Key, Value, Scores, ScaledScores, MaskedScores, AttentionWeights,
                    Context, Concatenated, Output, Residual});
        break;
    case Whole::FeedForward:
        example.part = {ModelPart::Kind::FeedForward, self, true};
        example.inputs = {{Residual, self}};
        add(self, {FeedForwardNorm, Gate, Hidden, Activated, FeedForwardOutput,
                   FeedForwardResidualSum, LayerOutput, FinalNorm});
        break;
    case Whole::Head:
        example.part = {ModelPart::Kind::Head, self};
        example.inputs = {{LayerOutput, self}};
        add(self, {FinalNorm, OutputLayerInput, Logits, Probabilities});
        break;
    case Whole::Embedding:
        example.part = {ModelPart::Kind::Embedding, {}};
        add({}, {Embeddings, EmbeddingSum, Positioned, EmbeddingProjected});
        break;
    }
    return example;
}

FlowRequest requestOf(const QSizeF &size, const Example &example, core::StageId current,
                      double textScale = 1, bool learned = false) {
    FlowRequest request;
    request.area = QRectF(QPointF(3, 5), size);
    const FlowDiagram diagram = FlowDiagram::of(example.part, example.inputs, example.stages);
    for (const FlowCell &place : diagram.places)
        request.stages.push_back({place.at, place.column, place.parallel, example.rowsOf(place.at),
                                  example.columnsOf(place.at), 90,
                                  learned ? example.learnedOf(place.at) : std::nullopt});
    request.links = diagram.links;
    request.current = current;
    for (const FlowStage &stage : request.stages)
        if (stage.at == current) {
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
    const bool overKeys = core::infoOf(current.stage).overKeys();
    request.large.columnLabelWidth = (overKeys ? 50 : 14) * textScale;
    request.large.slantColumnLabels = overKeys;
    request.large.minimumAspect = 0.3;
    request.large.maximumAspect = 3;
    request.large.rowAxis = true;
    request.large.columnAxis = true;
    return request;
}

/// Returns points along the path, at most a few pixels apart.
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

QString nameOf(core::StageId at) {
    return QString::fromStdString(std::string(core::infoOf(at.stage).name));
}

} // namespace

Q_DECLARE_METATYPE(Whole)

class FlowGeometryTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingOverlaps_data() {
        test::addColumns<QSizeF, int, int, double>({"size", "tokens", "width", "textScale"});
        // The first two are the minimum sizes of the figure.
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
        for (const bool whole : {false, true}) { // with and without positions and all matrices
            const Example example = attention(tokens, width, std::max(1, width / 2), whole, whole);
            for (const core::StageId &current : example.stages)
                check(FlowGeometry::of(requestOf(size, example, current, textScale, whole)),
                      example);
        }
    }

    void wholeBlocksDoNotOverlap_data() {
        test::addColumns<Whole, QSizeF, double>({"kind", "size", "textScale"});
        const std::pair<Whole, const char *> kinds[] = {
            {Whole::Rotary, "rotary"},       {Whole::Biased, "biased"},
            {Whole::PostNorm, "post-norm"},  {Whole::Cross, "cross"},
            {Whole::FeedForward, "network"}, {Whole::Head, "head"},
            {Whole::Embedding, "embedding"}};
        for (const auto &[kind, name] : kinds) {
            // The first two are the minimum sizes of the figure.
            for (const QSizeF size : {QSizeF(660, 442), QSizeF(700, 480), QSizeF(900, 560),
                                      QSizeF(1440, 900), QSizeF(2400, 700)})
                QTest::addRow("%s, %.0fx%.0f", name, size.width(), size.height())
                    << kind << size << 1.0;
            for (const QSizeF size : {QSizeF(940, 692), QSizeF(1280, 720)})
                QTest::addRow("projector, %s, %.0fx%.0f", name, size.width(), size.height())
                    << kind << size << 2.0;
        }
    }
    void wholeBlocksDoNotOverlap() {
        QFETCH(Whole, kind);
        QFETCH(QSizeF, size);
        QFETCH(double, textScale);
        for (const core::Index tokens : {2, 8, 64})
            for (const core::Index sources : {1, 40}) {
                const Example example = whole(kind, tokens, sources);
                for (const auto *list : {&example.inputs, &example.stages})
                    for (const core::StageId &current : *list)
                        check(FlowGeometry::of(requestOf(size, example, current, textScale,
                                                         sources == 1 || tokens == 8)),
                              example);
            }
    }

    /// Every stage except the inputs has an incoming arrow, and every arrow points forward.
    void arrowsFollowTheComputation() {
        for (const Whole kind : {Whole::Rotary, Whole::Biased, Whole::PostNorm, Whole::Cross,
                                 Whole::FeedForward, Whole::Head, Whole::Embedding}) {
            const Example example = whole(kind);
            std::vector<core::StageId> order = example.inputs;
            order.insert(order.end(), example.stages.begin(), example.stages.end());
            const auto indexOf = [&](core::StageId at) {
                return std::ranges::find(order, at) - order.begin();
            };
            const FlowGeometry geometry =
                FlowGeometry::of(requestOf({1200, 700}, example, order.back()));
            for (const FlowArrow &arrow : geometry.arrows)
                QVERIFY(indexOf(arrow.from) < indexOf(arrow.to));
            for (const core::StageId &at : example.stages) {
                const bool reached = std::ranges::any_of(
                    geometry.arrows, [at](const FlowArrow &arrow) { return arrow.to == at; });
                const bool begins = at == order.front() || at.stage == Stage::PositionBias;
                QVERIFY2(reached != begins, qPrintable(nameOf(at)));
            }
            const bool adds = example.part.residual;
            QCOMPARE(std::ranges::count_if(geometry.arrows,
                                           [&](const FlowArrow &arrow) {
                                               return arrow.from == order.front() &&
                                                      (arrow.to.stage == Stage::ResidualSum ||
                                                       arrow.to.stage == Stage::Residual ||
                                                       arrow.to.stage ==
                                                           Stage::FeedForwardResidualSum);
                                           }),
                     adds && kind != Whole::Biased ? 1 : 0);
        }
    }

    void pointsFindTheirStage() {
        const Example example = attention(8, 32, 16, true, true);
        const FlowGeometry geometry =
            FlowGeometry::of(requestOf({900, 600}, example, {Stage::AttentionWeights, {}}));
        for (const FlowNode &node : geometry.nodes)
            QVERIFY(geometry.stageAt(node.matrix.center()) == node.at);
        QVERIFY((geometry.stageAt(geometry.card.center()) ==
                 core::StageId{Stage::AttentionWeights, {}}));
        QVERIFY(!geometry.stageAt(geometry.formula.center()));
        QVERIFY(!geometry.stageAt(QPointF(-10, -10)));
        for (core::Index row = 0; row < 8; ++row)
            QCOMPARE(geometry.cellAt(geometry.large.cellRect(row, 7 - row).center()),
                     (Cell{row, 7 - row}));
    }

    /// W_Q, W_K and W_V are to the left of their products, and W_O is after Concat. Arrows lead to
    /// them, and an operator is between them and their product.
    void learnedMatricesStandBeforeWhatTheyMake_data() {
        test::addRows("current", {Stage::Embeddings, Stage::Query, Stage::Key, Stage::Value,
                                  Stage::Scores, Stage::AttentionWeights, Stage::Context,
                                  Stage::Concatenated, Stage::Output});
    }
    void learnedMatricesStandBeforeWhatTheyMake() {
        QFETCH(Stage, current);
        const Example example = attention(8, 16, 8, false, true);
        const core::StageId large{current, {}};
        const FlowGeometry geometry =
            FlowGeometry::of(requestOf({1300, 900}, example, large, 1, true));
        const auto boxOf = [&](core::StageId at) {
            const FlowNode *node = geometry.node(at);
            return node ? node->matrix : geometry.card;
        };
        QCOMPARE(geometry.learned.size(), std::size_t(4));
        for (const FlowNode &learned : geometry.learned) {
            const QRectF made = boxOf(learned.at);
            const bool isAbove = learned.matrix.bottom() < made.top();
            QVERIFY(isAbove ? learned.at.stage == Stage::Output
                            : learned.matrix.right() < made.left());
            QVERIFY(geometry.learnedAt(learned.matrix.center()) == &learned);
            QVERIFY(!geometry.stageAt(learned.matrix.center()));
            const auto isTo = [&](const FlowArrow &arrow) { return arrow.to == learned.at; };
            const auto arrow = std::ranges::find_if(geometry.arrows, isTo);
            QVERIFY(arrow != geometry.arrows.end());
            const QRectF around = learned.frame.adjusted(-8, -8, 8, 8);
            QVERIFY2(around.contains(arrow->tip), qPrintable(nameOf(learned.at)));
            const auto sign = std::ranges::find(geometry.signs, learned.at, &FlowOperator::at);
            const bool ends =
                isAbove && geometry.card == made; // an arrow leads to the card instead
            QCOMPARE(sign != geometry.signs.end(), !ends);
            if (!ends)
                QVERIFY(isAbove ? sign->centre.y() > learned.matrix.bottom() &&
                                      sign->centre.y() < made.top()
                                : sign->centre.x() > learned.matrix.right() &&
                                      sign->centre.x() < made.left());
        }
    }

    /// In small figures, the parameter matrices give way to the card, never the reverse.
    void theCardComesFirst() {
        const Example example = attention(8, 16, 8, true, true);
        for (const core::StageId &current : example.stages) {
            const QSizeF size(640, 400);
            const FlowGeometry with = FlowGeometry::of(requestOf(size, example, current, 1, true));
            QVERIFY2(with.card.width() >= 200, qPrintable(nameOf(current)));
        }
    }

    /// At 1280 × 720 with both docks, the flow is about this large.
    void noMatrixIsTiny() {
        for (const core::Index tokens : {6, 11, 30})
            for (const bool learned : {false, true}) {
                const Example example = attention(tokens, 16, 8, true, true);
                for (const core::StageId &current : example.stages) {
                    const FlowGeometry geometry =
                        FlowGeometry::of(requestOf({698, 498}, example, current, 1, learned));
                    const QRectF &large = geometry.large.cells;
                    QVERIFY2(std::min(large.width(), large.height()) >= 80,
                             test::said("%1 is %2 × %3", nameOf(current), large.width(),
                                        large.height()));
                    for (const auto *list : {&geometry.nodes, &geometry.learned})
                        for (const FlowNode &node : *list)
                            QVERIFY2(node.matrix.width() >= 58 && node.matrix.height() >= 58,
                                     test::said("%1 is %2 × %3, current %4", nameOf(node.at),
                                                node.matrix.width(), node.matrix.height(),
                                                nameOf(current)));
                }
            }
    }

    void everyStageIsReached() {
        const Example example = attention(8, 32, 16, true, true);
        for (const core::StageId &current : example.stages) {
            const FlowGeometry geometry = FlowGeometry::of(requestOf({900, 600}, example, current));
            QCOMPARE(geometry.arrows.size(), std::size_t(13));
            for (const FlowArrow &arrow : geometry.arrows)
                QVERIFY(arrow.from.stage < arrow.to.stage);
        }
    }

  private:
    static void check(const FlowGeometry &geometry, const Example &example) {
        QCOMPARE(geometry.nodes.size() + 1, example.inputs.size() + example.stages.size());
        const QRectF area = geometry.area.adjusted(-0.01, -0.01, 0.01, 0.01);
        std::vector<std::pair<QString, QRectF>> parts{
            {QStringLiteral("card"), geometry.card}, {QStringLiteral("formula"), geometry.formula}};
        for (const FlowNode &node : geometry.nodes) {
            parts.emplace_back(nameOf(node.at), node.frame);
            QVERIFY(node.frame.adjusted(-0.01, -0.01, 0.01, 0.01).contains(node.matrix));
            QVERIFY(!node.title.intersects(node.matrix));
            QVERIFY(node.title.width() >= 24);
            QVERIFY2(node.matrix.width() >= 36 && node.matrix.height() >= 36,
                     qPrintable(nameOf(node.at)));
        }
        for (const FlowNode &node : geometry.learned) {
            parts.emplace_back(QStringLiteral("learned ") + nameOf(node.at), node.frame);
            QVERIFY(node.frame.adjusted(-0.01, -0.01, 0.01, 0.01).contains(node.matrix));
            QVERIFY(!node.title.intersects(node.matrix));
            QVERIFY2(node.matrix.width() >= 36 && node.matrix.height() >= 36,
                     qPrintable(nameOf(node.at)));
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            QVERIFY2(area.contains(parts[i].second),
                     test::said("%1 leaves the area, current %2", parts[i].first,
                                nameOf(geometry.current)));
            for (std::size_t j = i + 1; j < parts.size(); ++j)
                QVERIFY2(!parts[i].second.intersects(parts[j].second),
                         test::said("%1 and %2 overlap, current %3", parts[i].first, parts[j].first,
                                    nameOf(geometry.current)));
        }
        QVERIFY(geometry.card.contains(geometry.large.cells));
        for (const QRectF &part :
             {geometry.large.title, geometry.large.colourBar, geometry.large.columnAxis})
            QVERIFY(part.isEmpty() || geometry.card.contains(part));
        for (const FlowArrow &arrow : geometry.arrows) {
            const QRectF extent = arrow.path.boundingRect(); // flat for a straight arrow
            QVERIFY(area.contains(extent.topLeft()) && area.contains(extent.bottomRight()));
            // Arrows cross no stages, except the two that they join, below their titles.
            for (const QPointF point : pointsOf(arrow.path)) {
                QVERIFY2(!geometry.card.contains(point),
                         test::said("%1 to %2 crosses the card %3", nameOf(arrow.from),
                                    nameOf(arrow.to), nameOf(geometry.current)));
                for (const FlowNode &node : geometry.nodes) {
                    const bool joined = node.at == arrow.from || node.at == arrow.to;
                    QVERIFY2(!(joined ? node.matrix : node.frame).contains(point),
                             test::said("%1 to %2 crosses %3, current %4", nameOf(arrow.from),
                                        nameOf(arrow.to), nameOf(node.at),
                                        nameOf(geometry.current)));
                }
                for (const FlowNode &node : geometry.learned)
                    QVERIFY2(!(node.at == arrow.to ? node.matrix : node.frame).contains(point),
                             test::said("%1 to %2 crosses the matrix of %3, current %4",
                                        nameOf(arrow.from), nameOf(arrow.to), nameOf(node.at),
                                        nameOf(geometry.current)));
            }
        }
    }
};

HEADLIGHT_APPLESS_TEST(FlowGeometryTest)
#include "tst_flow_geometry.moc"
