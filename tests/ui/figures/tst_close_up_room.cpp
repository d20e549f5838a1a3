// A close-up in which little fits: rows of joined heads, operands in colours, and long arithmetic.
#include "tests/support/long_input.h"
#include "tests/support/trained_model.h"
#include "tests/ui/figures/close_up_fixture.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"

using test::at;
using Form = CloseUpGeometry::Form;
using Placed = CloseUpGeometry::Placed;

namespace {

core::TracePointer traceOfTokens(Index tokens) {
    TraceRecipe recipe;
    recipe.tokens = {test::numberedWords(tokens)};
    return makeTrace(recipe);
}

/// Returns the words of the result's columns that are not painted above them.
QStringList wordsWithoutLabel(const CloseUpFigure &figure, const QSizeF &room) {
    const CloseUpGeometry picture = test::placesIn(figure, room).picture;
    const test::PaintingRecord record =
        test::PaintingRecord::of(figure, test::sizeAround(room), Device::Raster);
    const bool isAbove = !picture.above.empty() && !figure.parts().above.front().isSampled;
    const HeatmapGeometry &cells = isAbove ? picture.above.front().cells : picture.result.cells;
    QStringList missing;
    for (Index column = cells.origin.column; column < cells.endColumn(); ++column) {
        const QString word =
            figure.parts().result.content.columnLabels.value(static_cast<qsizetype>(column));
        const QRectF below = cells.columnRect(column);
        const bool isThere = std::ranges::any_of(record.texts, [&](const auto &text) {
            const bool isElided = text.text.endsWith(QChar(0x2026)) && text.text.size() > 2 &&
                                  word.startsWith(text.text.chopped(1));
            return (text.text == word || isElided) && text.centre.y() < below.top() &&
                   text.centre.y() > below.top() - 30 &&
                   std::abs(text.centre.x() - below.center().x()) <= below.width() / 2;
        });
        if (!isThere)
            missing << word;
    }
    return missing;
}

ArithmeticLayout tableIn(const CloseUpFigure &figure, const CloseUpFigure::Places &places) {
    return figure.table().layout(
        places.table.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding));
}

} // namespace

class CloseUpRoomTest : public QObject {
    Q_OBJECT

  private slots:
    /// With eight tokens in a small window, the complete result has numbers of at least 13 px. So
    /// do the selected row and its neighbours in each joined head above the result.
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
                QVERIFY(head.hasNumbers != head.isAside);
                if (head.isAside) // see wideHeadsAreBesideEachOther()
                    continue;
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

    /// The labels of the result's words get space before the numbers of operands that are not
    /// summed.
    void wordsComeBeforeTheNumbersOfOperands() {
        TraceRecipe recipe;
        recipe.tokens = {{":", "quatre", "cent", "quatre", "vingt", "dix", "huit", "mille"}};
        const core::TracePointer trace = makeTrace(recipe);
        int inColours = 0;
        for (const Stage stage :
             {Stage::Scores, Stage::ScaledScores, Stage::MaskedScores, Stage::AttentionWeights}) {
            const auto figure =
                CloseUpFigure::fromTrace(trace, test::cellAt(stage, 6, 5), test::style());
            for (const QSizeF &room : {test::kSmall, QSizeF(800, 280), test::kUsual}) {
                const CloseUpGeometry picture = test::placesIn(figure, room).picture;
                QCOMPARE(picture.form, Form::Numbers);
                const QStringList missing = wordsWithoutLabel(figure, room);
                QVERIFY2(missing.isEmpty(), test::said("%1 at %2 px: %3", int(stage), room.width(),
                                                       missing.join(", ")));
                for (const Placed &left : picture.left)
                    inColours += !left.hasNumbers;
            }
        }
        QVERIFY(inColours > 0); // there is not always space for both
        // Numbers of matrices that meet get space before the labels of words.
        const auto scores =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Scores, 6, 5), test::style());
        const CloseUpGeometry picture = test::placesIn(scores, test::kSmall).picture;
        QVERIFY(picture.left.front().hasNumbers && picture.above.front().hasNumbers);
    }

    /// The words of an output are above its columns.
    void theColumnsOfAnOutputHaveTheirWords() {
        std::vector<core::TracePointer> traces{test::passOf(test::opened("writing").state)};
        if (const QString model = test::trainedModel("english-lm"); !model.isEmpty()) {
            OpenedSource source = test::opened(model);
            source.state.input.batch =
                test::valueOf(core::Batch::ofWords({{"the", "European", "Commission", "is"}}, 0));
            traces.push_back(test::passOf(source.state));
        }
        int looked = 0;
        for (const core::TracePointer &trace : traces)
            for (const QSizeF &room : {test::kSmall, test::kUsual}) {
                const auto figure = CloseUpFigure::fromTrace(
                    trace, test::cellAt(Stage::Logits, 1, 5), test::style());
                QVERIFY(!figure.parts().result.content.matrix().empty());
                if (test::placesIn(figure, room).picture.form != Form::Numbers)
                    continue;
                const QStringList missing = wordsWithoutLabel(figure, room);
                QVERIFY2(missing.isEmpty(), qPrintable(missing.join(", ")));
                ++looked;
            }
        QVERIFY(looked > 0);
    }

    /// A sample of a large output matrix has other columns, so the words are in the card.
    void theWordsBelowASampleAreInTheCard() {
        const core::TracePointer trace = test::passOf(
            test::sourceOf(test::gptModel(1, 6000), {test::wordBatch(6), {core::CausalMask{}}})
                .state);
        const auto figure =
            CloseUpFigure::fromTrace(trace, test::cellAt(Stage::Logits, 2, 500), test::style());
        QVERIFY(!figure.parts().above.empty() && figure.parts().above.front().isSampled);
        for (const QSizeF &room : {QSizeF(1300, 300), QSizeF(1500, 700)}) {
            const CloseUpGeometry picture = test::placesIn(figure, room).picture;
            QCOMPARE(picture.form, Form::Numbers);
            const QStringList missing = wordsWithoutLabel(figure, room);
            QVERIFY2(missing.isEmpty(), qPrintable(missing.join(", ")));
            const QRectF label =
                picture.result.cells.columnLabel(picture.result.cells.origin.column);
            QVERIFY(label.top() >= picture.card.top());
            const QString fault =
                test::faultOf(figure, picture, QRectF(QPointF(16, 16), room + QSizeF(8, 6)));
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
    }

    /// Heads that are too wide for numbers are all beside each other: the selected one in part with
    /// numbers, and the others in colours.
    void wideHeadsAreBesideEachOther_data() {
        test::addCombinations<int, int>({"heads", "column"}, {2, 3, 12}, {0, 20, 63});
    }
    void wideHeadsAreBesideEachOther() {
        QFETCH(int, heads);
        QFETCH(int, column);
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(8)};
        recipe.heads = heads;
        recipe.headSize = 32;
        const auto figure = CloseUpFigure::fromTrace(
            makeTrace(recipe), test::cellAt(Stage::Concatenated, 3, column), test::style());
        for (const QSizeF &room : {test::kSmall, test::kUsual}) {
            const CloseUpGeometry picture = test::placesIn(figure, room).picture;
            QCOMPARE(picture.form, Form::Numbers);
            QVERIFY(picture.result.cells.showsColumn(column));
            QCOMPARE(picture.above.size(), std::size_t(heads));
            double end = 0;
            int withNumbers = 0;
            for (const Placed &head : picture.above) {
                QVERIFY2(head.cells.cells.width() > 15,
                         test::said("%1 px", head.cells.cells.width()));
                QVERIFY(head.cells.cells.left() >= end);
                end = head.cells.cells.right();
                QVERIFY(head.hasNumbers != head.isAside);
                QCOMPARE(head.cells.columns < 32, head.hasNumbers);
                withNumbers += head.hasNumbers;
            }
            QVERIFY(withNumbers >= 1 && withNumbers < heads);
            QVERIFY(picture.above[static_cast<std::size_t>(column / 32)].hasNumbers);
            const QString fault =
                test::faultOf(figure, picture, QRectF(QPointF(16, 16), room + QSizeF(8, 6)));
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
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
        // In a model without shared keys, every head has its own keys.
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

    /// Regression test: in a presentation with open arithmetic, short cells cut "hundred" off,
    /// although there was space beside them.
    void lowCellsAreAsWideAsTheirWords() {
        TraceRecipe recipe;
        recipe.tokens = {{"four", "hundred", "ninety", "eight"}};
        const core::TracePointer trace = makeTrace(recipe);
        for (const Index key : {0, 1}) {
            core::Selection selection = test::cellAt(Stage::AttentionWeights, 3, key);
            selection.opened = true;
            const auto figure =
                CloseUpFigure::fromTrace(trace, selection, FigureStyle::presented(false, 1));
            const QSizeF room(1240, 420);
            const auto places = test::placesIn(figure, room);
            QVERIFY(!places.table.isEmpty());
            QCOMPARE(places.picture.form, Form::Numbers);
            const QFont bold =
                FigureStyle::presented(false, 1).font(FigureStyle::Text::Label, key == 1);
            const QSizeF cell = places.picture.result.cells.cell;
            QVERIFY(2.8 * cell.height() - 4 < textWidth("hundred", bold)); // usual width of a cell
            QCOMPARE(wordsWithoutLabel(figure, room), QStringList());
        }
    }
};

HEADLIGHT_WIDGET_TEST(CloseUpRoomTest)
#include "tst_close_up_room.moc"
