// Flow as a view: it scrolls if it is too small, its stacks turn, and attention lines join the
// tokens.
#include "tests/ui/views/view_fixture.h"

using headlight::test::Fixture;

class FlowViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// A view that is too small scrolls. If it is even smaller, it also shrinks the figure.
    void aSmallViewScrolls() {
        Fixture<FlowView> fixture("cat", {}, {420, 300});
        fixture.select(Stage::AttentionWeights);
        QCOMPARE(fixture.view.shrink(), 1.0);
        auto *down = fixture.view.findChild<QScrollBar *>(QStringLiteral("scrollDown"));
        auto *across = fixture.view.findChild<QScrollBar *>(QStringLiteral("scrollAcross"));
        QVERIFY(down && across && !down->isHidden() && !across->isHidden());
        QVERIFY(!down->accessibleName().isEmpty() && !across->accessibleName().isEmpty());
        // Every matrix can be scrolled into view.
        fixture.view.setPan({});
        const FlowGeometry first = fixture.view.geometry();
        for (const FlowNode &node : first.nodes) {
            fixture.view.setPan(node.matrix.center() - first.sight.center());
            const FlowGeometry now = fixture.view.geometry();
            QVERIFY2(now.sight.contains(now.node(node.at)->matrix),
                     core::infoOf(node.at.stage).name.data());
        }
        // The wheel, the scroll bars and keys scroll it.
        fixture.view.setPan({});
        const QPoint middle = fixture.view.geometry().sight.center().toPoint();
        fixture.wheel(QPoint(10, middle.y()), -1);
        QCOMPARE(fixture.view.pan(), QPointF(0, 60));
        QCOMPARE(down->value(), 60);
        across->setValue(40);
        QCOMPARE(fixture.view.pan(), QPointF(40, 60));
        fixture.key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(fixture.view.pan(), QPointF(40, 120));
        // A selection is scrolled into view.
        for (const Stage stage : {Stage::Embeddings, Stage::Output, Stage::Query}) {
            fixture.select(stage, 3, 2);
            (void)fixture.view.figure();
            const FlowGeometry now = fixture.view.geometry();
            QVERIFY2(now.sight.contains(now.large.cellRect(3, 2)), core::infoOf(stage).name.data());
        }
        fixture.view.resize(300, 120);
        QVERIFY(fixture.view.shrink() < 1);
        fixture.view.resize(1400, 900);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.shrink(), 1.0);
        QCOMPARE(fixture.view.pan(), QPointF());
        QVERIFY(down->isHidden() && across->isHidden());
    }

    /// The edges behind a matrix turn its stack to the next head or, in a batch, to the next
    /// sequence.
    void stacksTurn() {
        Fixture<FlowView> fixture("cat", {}, {1200, 800});
        fixture.select(Stage::AttentionWeights, 2, 1);
        const auto edgeOf = [&](Stage stage) {
            const FlowGeometry places = fixture.view.geometry();
            for (const FlowStack &stack : places.stacks)
                if (stack.at.stage == stage) {
                    const QRectF &sheet = stack.behind.front();
                    return QPointF(sheet.right() - 1, sheet.center().y()).toPoint();
                }
            return QPoint(-1, -1);
        };
        const core::Selection before = fixture.selection();
        for (const Stage stage : {Stage::Query, Stage::AttentionWeights}) {
            const core::Index head = fixture.selection().head;
            QCOMPARE(fixture.hover(edgeOf(stage)),
                     QStringLiteral("Click to bring head %1 of 2 to the front").arg(1 - head));
            QCOMPARE(fixture.view.cursor().shape(), Qt::PointingHandCursor);
            fixture.click(edgeOf(stage));
            core::Selection expected = before;
            expected.head = 1 - head;
            QVERIFY(fixture.selection() == expected);
            (void)fixture.view.figure();
        }
        fixture.move({2, 2});
        QCOMPARE(fixture.view.cursor().shape(), Qt::ArrowCursor);
    }

    void sheetsOfABatchTurn() {
        Fixture<FlowView> fixture("batch", {}, {1200, 800});
        fixture.select(Stage::AttentionWeights);
        const core::Index count = fixture.document.trace()->batch().count();
        QVERIFY(count > 1);
        for (core::Index turn = 0; turn < count; ++turn) {
            const core::Index sequence = fixture.selection().sequence;
            const FlowGeometry places = fixture.view.geometry();
            const auto stack =
                std::ranges::find(places.stacks, core::StageId{Stage::Key, {}}, &FlowStack::at);
            QVERIFY(stack != places.stacks.end());
            const QRectF &sheet = stack->behind.front();
            fixture.click(QPointF(sheet.center().x(), sheet.bottom() - 1));
            QCOMPARE(fixture.selection().sequence, (sequence + 1) % count);
            QVERIFY(fixture.selection().stage == Stage::AttentionWeights);
            (void)fixture.view.figure();
        }
    }

    /// Next to the current matrix if its rows are queries, for the selected row only.
    void linesStandBesideTheMatrix() {
        Fixture<FlowView> fixture("cat", {}, {1200, 800});
        fixture.select(Stage::AttentionWeights, 2);
        const auto figure = [&] { return static_cast<const FlowFigure *>(fixture.view.figure()); };
        QVERIFY(!figure()->lines());
        QVERIFY(fixture.view.geometry().large.lines.isEmpty());
        fixture.view.setOption(&FigureOptions::lines, true);
        for (const Stage stage : {Stage::Scores, Stage::AttentionWeights, Stage::Context}) {
            fixture.select(stage, 2);
            const AttentionLines *lines = figure()->lines();
            QVERIFY(lines);
            const FlowGeometry places = fixture.view.geometry();
            QVERIFY(places.card.contains(places.large.lines));
            const core::Tensor stageOfWeights =
                fixture.document.trace()->stage(Stage::AttentionWeights);
            const core::SharedMatrix weights = stageOfWeights.matrix(0, fixture.selection().head);
            double last = 0, sum = 0;
            for (const AttentionLines::Line &line : lines->lines(places.large, 2)) {
                QCOMPARE(line.query, core::Index(2));
                QCOMPARE(line.weight, static_cast<double>(weights(2, line.key)));
                QCOMPARE(line.from.y(), places.large.rowRect(2).center().y());
                QCOMPARE(line.to.y(), lines->wordPlace(places.large, line.key).center().y());
                QVERIFY(line.width >= last);
                last = line.width;
                sum += line.weight;
            }
            QVERIFY(sum > 0.9);
            QVERIFY(lines->lines(places.large, {}).size() > lines->lines(places.large, 2).size());
            QVERIFY(figure()->description().contains(QStringLiteral("sat attends to ")));
        }
        fixture.select(Stage::Query, 2);
        QVERIFY(!figure()->lines()); // its columns are not tokens
        Document other;
        QVERIFY(FlowView(other).options().lines); // the setting is stored
    }
};

HEADLIGHT_WIDGET_TEST(FlowViewTest)
#include "tst_flow_view.moc"
