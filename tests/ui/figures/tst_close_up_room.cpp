// A close-up in which little fits: rows of joined heads, operands in colours, and long arithmetic.
#include "tests/ui/figures/close_up_fixture.h"
#include "ui/figures/base/spacing.h"

using test::at;
using Form = CloseUpGeometry::Form;
using Placed = CloseUpGeometry::Placed;

namespace {

core::TracePointer traceOfTokens(Index tokens) {
    TraceRecipe recipe;
    recipe.tokens = {test::numberedWords(tokens)};
    return makeTrace(recipe);
}

ArithmeticLayout tableIn(const CloseUpFigure &figure, const CloseUpFigure::Places &places) {
    return figure.table().layout(
        places.table.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding));
}

} // namespace

class CloseUpRoomTest : public QObject {
    Q_OBJECT

  private slots:
    /// With eight tokens in a small window, the selected row of each joined head and its neighbours
    /// have numbers of at least 13 px, and so does the complete result.
    void joinedHeadsHaveNumbersBesideEightTokens() {
        for (const Index row : {0, 3, 7}) {
            const auto figure = CloseUpFigure::fromTrace(
                traceOfTokens(8), test::cellAt(Stage::Concatenated, row, 5), test::style());
            QCOMPARE(figure.parts().above.size(), std::size_t(2));
            const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
            QCOMPARE(picture.form, Form::Numbers);
            QCOMPARE(picture.result.cells.rows, Index(8));
            const test::PaintingRecord record =
                test::PaintingRecord::of(figure, test::sizeAround(test::kSmall), Device::Raster);
            for (const Placed &head : picture.above) {
                QVERIFY(head.hasNumbers);
                QVERIFY2(head.cells.rows >= 3 && head.cells.rows < 8,
                         test::said("%1 rows", head.cells.rows));
                QVERIFY(head.cells.showsRow(row));
                QCOMPARE(head.cells.rows, picture.above.front().cells.rows);
                QCOMPARE(head.hasMoreAbove, head.cells.columns > 0 && row > 2);
                int numbers = 0;
                for (const test::PaintingRecord::Text &text : record.texts)
                    if (head.cells.cells.contains(text.centre)) {
                        QVERIFY2(text.shown > 12.99, qPrintable(text.text));
                        ++numbers;
                    }
                QCOMPARE(numbers, head.cells.rows * head.cells.columns);
            }
            const QString fault = test::faultOf(
                figure, picture, QRectF(QPointF(16, 16), test::kSmall + QSizeF(8, 6)));
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
    }

    /// The row is outlined in every head if no number is selected, and its label is bold.
    void aSelectedRowIsOutlinedInEveryHead() {
        const auto figure = CloseUpFigure::fromTrace(
            traceOfTokens(5), test::cellAt(Stage::Concatenated, 3), test::style());
        QCOMPARE(figure.parts().above.size(), std::size_t(2));
        for (const CloseUpPart &head : figure.parts().above) {
            QCOMPARE(head.content.marks.size(), std::size_t(1));
            QCOMPARE(head.content.marks.front().row, test::some(3));
            QVERIFY(!head.content.marks.front().column);
            QCOMPARE(head.content.selectedRow, test::some(3));
        }
    }

    /// In colours, the result is as wide as the operands with the same columns.
    void theResultIsAsWideAsItsOperands() {
        const core::TracePointer trace = traceOfTokens(17);
        for (const Stage stage :
             {Stage::ScaledScores, Stage::MaskedScores, Stage::AttentionWeights}) {
            const auto figure =
                CloseUpFigure::fromTrace(trace, test::cellAt(stage, 9, 4), test::style());
            const CloseUpFigure::Places places = test::placesIn(figure, test::kSmall);
            QCOMPARE(places.picture.form, Form::Colours);
            QVERIFY(!places.table.isEmpty());
            const HeatmapGeometry &made = places.picture.result.cells;
            QVERIFY2(made.cells.width() > 60, test::said("%1 px", made.cells.width()));
            int alike = 0;
            for (const Placed &left : places.picture.left)
                if (left.cells.columns == made.columns) {
                    QVERIFY(std::abs(left.cells.cell.width() - made.cell.width()) < 0.01);
                    ++alike;
                }
            QVERIFY(alike > 0);
            const QString fault = test::faultOf(
                figure, places.picture, QRectF(QPointF(16, 16), test::kSmall + QSizeF(8, 6)));
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
    }

    /// A line of the arithmetic that is too long is broken, not smaller than 13 px.
    void aLongLineIsBroken() {
        const core::TracePointer trace = test::traceOf("encoder_prenorm");
        const auto figure =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Norm, 1, 2), test::style());
        const ArithmeticTable &table = figure.table();
        const ArithmeticLayout wide = table.layout(QRectF(0, 0, 1400, 400));
        const ArithmeticLayout narrow = table.layout(QRectF(0, 0, 430, 400));
        QCOMPARE(narrow.lines.size(), wide.lines.size() + 1);
        for (std::size_t i = 0; i < narrow.lines.size(); ++i) {
            QVERIFY2(narrow.linePixels[i] > 12.9, test::said("%1 px", narrow.linePixels[i]));
            QVERIFY(narrow.lines[i].left() >= 0 && narrow.lines[i].right() <= 430.5);
            QVERIFY(i == 0 || narrow.lines[i].top() >= narrow.lines[i - 1].bottom());
        }
        QVERIFY(narrow.used.bottom() <= 400.5);
    }

    /// The sum of the numbers that are left out fits in its place.
    void theSumOfTheOthersFits() {
        TraceRecipe recipe;
        recipe.tokens = {std::vector<std::string>(1500, "word")}; // all exponentials are 1
        const core::TracePointer trace = makeTrace(recipe);
        const auto figure = CloseUpFigure::fromTrace(
            trace, test::cellAt(Stage::AttentionWeights, 1400, 700), test::style());
        const CloseUpFigure::Places places = test::placesIn(figure, test::kSmall);
        QVERIFY(!places.table.isEmpty());
        const ArithmeticLayout layout = tableIn(figure, places);
        const ArithmeticLayout::Place &others = layout.blocks.back().places.back();
        QVERIFY(others.hidden > 1000);
        const std::size_t last = others.cells.size() - 1;
        const QString text = figure.table().textAt(layout, others, last);
        QVERIFY2(text.toDouble() > 1000, qPrintable(text));
        const test::PaintingRecord record =
            test::PaintingRecord::of(figure, test::sizeAround(test::kSmall), Device::Raster);
        QVERIFY2(record.textsIn(others.cells[last]).contains(text), qPrintable(text));
    }

    /// A query that sees no key has no exponentials, and their sum is 0.
    void aRowThatSeesNothingHasNoExponentials() {
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(4)};
        recipe.masks = {core::CausalMask{}, core::DiagonalMask{}}; // the first sees only itself
        const core::TracePointer trace = makeTrace(recipe);
        const auto figure = CloseUpFigure::fromTrace(
            trace, test::cellAt(Stage::AttentionWeights, 0, 0), test::style());
        const core::SharedMatrix made = figure.parts().result.content.matrix();
        QCOMPARE(figure.parts().left.size(), std::size_t(3)); // scores, exponentials and their sum
        const core::SharedMatrix e = figure.parts().left[1].content.matrix(),
                                 sum = figure.parts().left[2].content.matrix();
        for (Index row = 0; row < 4; ++row) {
            double total = 0;
            for (Index column = 0; column < 4; ++column) {
                total += double(e(row, column));
                QVERIFY(row > 0 || (e(row, column) == 0 && made(row, column) == 0));
            }
            QVERIFY(std::abs(total - double(sum(row, 0))) < 1e-5);
            QCOMPARE(total > 0, row > 0);
        }
    }

    /// Without a selected row, a part of a long axis is around its largest term.
    void aPartIsAroundTheLargestTermOfAllRows() {
        const core::TracePointer trace = test::traceOf("sentence");
        const auto figure =
            CloseUpFigure::fromTrace(trace, at(Stage::Key), test::style()); // no row, no column
        const core::SharedMatrix x = figure.parts().left.front().content.matrix(),
                                 w = figure.parts().above.front().content.matrix();
        QVERIFY(figure.parts().largestTerm);
        const auto sizeOf = [&](Index term) {
            float left = 0, above = 0;
            for (Index row = 0; row < x.rows; ++row)
                left = std::max(left, std::abs(x(row, term)));
            for (Index column = 0; column < w.columns; ++column)
                above = std::max(above, std::abs(w(term, column)));
            return left * above;
        };
        for (Index term = 0; term < w.rows; ++term)
            QVERIFY(sizeOf(term) <= sizeOf(*figure.parts().largestTerm));
        QVERIFY(*figure.parts().largestTerm > 7); // the first eight dimensions are 0
        const CloseUpGeometry picture = test::placesIn(figure, test::kSmall).picture;
        QVERIFY(picture.left.front().cells.showsColumn(*figure.parts().largestTerm));
    }

    /// Keys and values that several heads share name these heads.
    void sharedKeysNameTheirHeads() {
        const core::TracePointer trace =
            test::passOf(QStringLiteral(HEADLIGHT_TEST_DATA "/folders/llama-grouped-tied"));
        core::Selection selection = test::cellAt(Stage::Scores, 1, 1);
        for (const Index head : {0, 1, 2, 3}) {
            selection.head = head;
            const auto figure = CloseUpFigure::fromTrace(trace, selection, test::style());
            const QString heads = head < 2 ? "heads 0 and 1" : "heads 2 and 3";
            QVERIFY2(figure.parts().above.front().name.contains(heads),
                     qPrintable(figure.parts().above.front().name));
            QVERIFY(!figure.parts().left.front().name.contains("heads"));
        }
        // Every head of another model has its own.
        const auto own = CloseUpFigure::fromTrace(test::traceOf("cat"),
                                                  test::cellAt(Stage::Scores, 1, 1), test::style());
        QVERIFY(!own.parts().above.front().name.contains("heads"));
    }

    void aLargeMatrixHasTheRowAndTheColumnBesideIt() {
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(60)};
        const core::TracePointer trace = makeTrace(recipe);
        const auto figure =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Scores, 40, 30), test::style());
        const CloseUpFigure::Places places = test::placesIn(figure, test::kUsual);
        QCOMPARE(places.picture.form, Form::Colours);
        QVERIFY(!places.table.isEmpty());
        QVERIFY(!places.table.intersects(places.picture.used));
        QCOMPARE(figure.table().arithmetic().columnCount(),
                 Index(16)); // one column for each product
        // Without a selected row there is no table.
        const auto unselected =
            CloseUpFigure::fromTrace(trace, test::at(Stage::Scores, 0), test::style());
        QVERIFY(test::placesIn(unselected, test::kUsual).table.isEmpty());
    }

    void fourThousandRowsAreAPicture() {
        CloseUpRequest request;
        request.area = QRectF(QPointF(0, 0), test::kSmall);
        request.result.rows = request.result.columns = 4096;
        const CloseUpGeometry picture = CloseUpGeometry::of(request);
        QVERIFY(picture.result.cells.cells.width() > 100);
        QVERIFY(picture.result.cells.cells.height() > 100);
        QVERIFY(picture.used.bottom() <= test::kSmall.height());
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpRoomTest)
#include "tst_close_up_room.moc"
