// Parts of the flow besides numbers: stacks of heads and sequences, the heads in Concat, the
// meaning of outlines, the column of W that belongs to the selected row, and the size of the
// current matrix.
#include "tests/ui/figures/figure_fixture.h"

namespace {

const FigureStyle kScreen = FigureStyle::light();
const QSizeF kSize(1300, 900);

test::TraceRecipe recipe(Index heads, bool batch) {
    test::TraceRecipe recipe;
    recipe.tokens = {{"the", "river", "near", "the", "bank"}};
    if (batch)
        recipe.tokens.push_back({"She", "visited", "the", "bank"});
    recipe.masks = {core::CausalMask{}, core::PaddingMask{}};
    recipe.heads = heads;
    recipe.headSize = 3;
    recipe.width = 6;
    return recipe;
}

struct Painted {
    FlowFigure figure;
    FlowGeometry geometry;
    PaintingRecord record;

    Painted(const core::TracePointer &trace, const core::Selection &selection, QSizeF size = kSize)
        : figure(FlowFigure::fromTrace(trace, selection, kScreen)),
          geometry(figure.geometry(QRectF(QPointF(), size))),
          record(PaintingRecord::of(figure, size, Device::Vector)) {}

    bool says(const QString &words) const {
        return std::ranges::any_of(
            record.texts, [&](const PaintingRecord::Text &text) { return text.text == words; });
    }
    /// Returns the number of cards behind a matrix, shifted down and to the right.
    int behind(const QRectF &front) const {
        return static_cast<int>(std::ranges::count_if(record.fills, [&](const auto &fill) {
            const QPointF by = fill.rect.topLeft() - front.topLeft();
            return fill.colour == kScreen.surface.rgb() && fill.rect.size() == front.size() &&
                   by.x() > 0 && by.x() < 7 && std::abs(by.x() - by.y()) < 0.01;
        }));
    }
};

} // namespace

class FlowPictureTest : public QObject {
    Q_OBJECT

  private slots:
    void headsAreStacked() {
        for (const Index heads : {1, 2, 4}) {
            const Painted painted(test::makeTrace(recipe(heads, false)),
                                  test::at(Stage::AttentionWeights));
            const int expected = static_cast<int>(std::min<Index>(heads - 1, 2));
            for (const Stage stage : {Stage::Query, Stage::Key, Stage::Scores, Stage::Context})
                QCOMPARE(painted.behind(painted.geometry.node({stage, {}})->matrix), expected);
            for (const Stage stage : {Stage::Embeddings, Stage::Concatenated})
                QCOMPARE(painted.behind(painted.geometry.node({stage, {}})->matrix), 0);
            QCOMPARE(painted.behind(painted.geometry.learnedOf({Stage::Query, {}})->matrix),
                     expected);
            QCOMPARE(painted.behind(painted.geometry.learnedOf({Stage::Output, {}})->matrix), 0);
            QCOMPARE(painted.says(QStringLiteral("5 × 3 · head 0 of %1").arg(heads)), heads > 1);
        }
    }

    void aBatchIsAStackOfSheets() {
        const Painted one(test::makeTrace(recipe(2, false)), test::at(Stage::AttentionWeights));
        QVERIFY(one.says(QStringLiteral("5 × 6")));
        const Painted two(test::makeTrace(recipe(2, true)), test::at(Stage::AttentionWeights));
        QCOMPARE(two.behind(two.geometry.node({Stage::Embeddings, {}})->matrix), 1);
        QVERIFY(two.says(QStringLiteral("(B, T, C) = (2, 5, 6)")) ||
                two.says(QStringLiteral("(2, 5, 6)")));
    }

    /// A line separates the columns of two heads, with their names below.
    void concatShowsItsHeads() {
        const auto trace = test::makeTrace(recipe(3, false));
        const auto lineAt = [](const Painted &painted, const HeatmapGeometry &cells, Index column) {
            const double x = cells.columnRect(column).left();
            return std::ranges::any_of(painted.record.fills, [&](const auto &fill) {
                return fill.colour == kScreen.text.rgb() && fill.rect.width() == 1 &&
                       std::abs(fill.rect.right() - x) < 0.01 &&
                       fill.rect.top() <= cells.cells.top() + 0.01 &&
                       fill.rect.bottom() >= cells.cells.bottom() - 0.01;
            });
        };
        const Painted large(trace, test::at(Stage::Concatenated));
        const HeatmapGeometry &cells = large.geometry.large;
        for (Index column = 1; column < 9; ++column)
            QCOMPARE(lineAt(large, cells, column), column % 3 == 0);
        for (Index head = 0; head < 3; ++head) {
            const QRectF beneath(cells.columnRect(3 * head).left(), cells.columnGroups.top(),
                                 3 * cells.cell.width(), cells.columnGroups.height());
            QCOMPARE(large.record.textsIn(beneath),
                     QStringList(QStringLiteral("head %1").arg(head)));
        }
        QVERIFY(cells.columnGroups.bottom() <= cells.colourBar.top());
        const Painted small(trace, test::at(Stage::AttentionWeights));
        const HeatmapGeometry node = small.geometry.node({Stage::Concatenated, {}})->cells();
        for (Index column = 1; column < 9; ++column)
            QCOMPARE(lineAt(small, node, column), column % 3 == 0);
    }

    /// Padding is hatched, even in cells too small for one stroke each.
    void paddingIsHatchedInSmallCells() {
        test::TraceRecipe padded = recipe(1, false);
        padded.tokens.front() = test::manyTokens(60);
        padded.atLeast = 90;
        const auto trace = test::makeTrace(padded);
        const auto figure =
            FlowFigure::fromTrace(trace, test::at(Stage::AttentionWeights), kScreen);
        const QImage image = test::paintedOn(figure, kSize.toSize());
        const HeatmapGeometry large = figure.geometry(QRectF(QPointF(), kSize)).large;
        QVERIFY(large.cell.height() < 8);
        const auto changesIn = [&](Index row) {
            int changes = 0;
            const int y = static_cast<int>(large.rowRect(row).center().y());
            for (int x = static_cast<int>(large.cells.left()) + 2;
                 x < static_cast<int>(large.columnRect(59).left()); ++x)
                changes += image.pixel(x, y) != image.pixel(x - 1, y);
            return changes;
        };
        QVERIFY(changesIn(59) <= 60); // at most one per cell border
        QVERIFY(changesIn(80) > 80);
    }

    /// Only the column that produces the selected number is marked.
    void theColumnOfTheMatrixLightsUp() {
        const auto trace = test::makeTrace(recipe(2, false));
        const auto marksOf = [&](const core::Selection &selection, Stage made) {
            const auto figure = FlowFigure::fromTrace(trace, selection, kScreen);
            return figure.learnedOf({made, {}})->content.marks;
        };
        const auto query = marksOf(test::cellAt(Stage::Query, 2, 1), Stage::Query);
        QCOMPARE(query.size(), std::size_t(1));
        QVERIFY(!query[0].row && query[0].column == 1 && !query[0].isFaint);
        QCOMPARE(query[0].colour, kScreen.query);
        QVERIFY(marksOf(test::cellAt(Stage::Query, 2, 1), Stage::Key).empty());
        QVERIFY(marksOf(test::cellAt(Stage::Query, 2), Stage::Query).empty()); // all columns
        QVERIFY(
            marksOf(test::cellAt(Stage::Scores, 2, 1), Stage::Query).empty()); // all columns again
        const auto value = marksOf(test::cellAt(Stage::Context, 2, 1), Stage::Value);
        QCOMPARE(value.size(), std::size_t(1));
        QVERIFY(value[0].column == 1 && value[0].isFaint);
        const auto output = marksOf(test::cellAt(Stage::Output, 2, 4), Stage::Output);
        QCOMPARE(output.size(), std::size_t(1));
        QVERIFY(output[0].column == 4);
    }

    /// The key explains the outlines that are shown, and no others.
    void theKeySaysWhatOutlinesMean() {
        const auto trace = test::makeTrace(recipe(2, false));
        const Painted none(trace, test::at(Stage::AttentionWeights));
        const Painted cell(trace, test::cellAt(Stage::Scores, 3, 1));
        const Painted row(trace, test::cellAt(Stage::Scores, 3));
        for (const char *words :
             {"selected", "its row", "computed from", "computed from earlier"}) {
            QVERIFY(!none.says(QString::fromLatin1(words)));
            QVERIFY2(cell.says(QString::fromLatin1(words)), words);
        }
        QVERIFY(row.says(QStringLiteral("selected")));
        QVERIFY(!row.says(QStringLiteral("its row")));
        const Painted narrow(trace, test::cellAt(Stage::Scores, 3, 1), {560, 500});
        for (const PaintingRecord::Text &text : narrow.record.texts)
            if (text.text == QStringLiteral("computed from"))
                QVERIFY(narrow.geometry.formula.contains(text.centre));
    }

    /// The picture of a long text uses all available space.
    void aLongTextHasTheRoom() {
        for (const Index tokens : {50, 76}) {
            test::TraceRecipe longer = recipe(2, false);
            longer.tokens = {test::manyTokens(tokens)};
            const Painted painted(test::makeTrace(longer), test::at(Stage::AttentionWeights),
                                  {858, 680});
            const QRectF cells = painted.geometry.large.cells;
            QVERIFY2(std::min(cells.width(), cells.height()) >= 310,
                     test::said("%1 × %2", cells.width(), cells.height()));
        }
    }
};

HEADLIGHT_WIDGET_TEST(FlowPictureTest)
#include "tst_flow_picture.moc"
