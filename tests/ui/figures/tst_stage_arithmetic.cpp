// The line under the formula has all terms, every number is the trace's own, and the sums are
// right.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/figures/arithmetic/arithmetic_table.h"
#include "ui/figures/arithmetic/folded_line.h"
#include "ui/figures/heatmap/parameter_heatmap.h"
#include "ui/figures/whole/source_marks.h"

namespace {

core::Selection numberAt(Stage stage, core::Index row, std::optional<core::Index> column = {}) {
    return atCell(test::at(stage, 1), row, column);
}

QString line(const core::TracePointer &trace, const core::Selection &selection) {
    return plainText(arithmeticOf(*trace, selection, FigureStyle::light()));
}

} // namespace

class StageArithmeticTest : public QObject {
    Q_OBJECT

    /// Returns the results of the line: the numbers in the selection's colour, otherwise the first
    /// number after the last "=".
    static QStringList resultsOf(const Spans &line, const FigureStyle &style) {
        QStringList results;
        for (const Span &span : line)
            if (span.bold && span.colour == style.selection)
                results.append(span.text);
        if (!results.isEmpty())
            return results;
        for (qsizetype i = line.size() - 1; i >= 0; --i) {
            if (line[i].text.trimmed() != "=")
                continue;
            for (++i; i < line.size(); ++i)
                if (line[i].text.contains(QRegularExpression("[0-9]")))
                    return {line[i].text};
        }
        return {};
    }

    static void check(const CloseUpFigure &figure, const QSizeF &size, const FigureStyle &style,
                      int &shortened) {
        const auto places = figure.places(QRectF(QPointF(), size));
        if (!places.stripHasNumbers) { // the table has the numbers, in a larger font
            QVERIFY(!places.table.isEmpty());
            return;
        }
        const QRectF strip = places.strip;
        const Spans line = figure.strip().shownNumbers(strip, style);
        const QRectF numbers = figure.strip().numbersIn(strip, style);
        const PaintingRecord record = PaintingRecord::of(figure, size, Device::Vector);
        QStringList painted;
        for (const PaintingRecord::Text &text : record.texts)
            if (numbers.adjusted(-1, -1, 1, 1).contains(text.centre)) {
                painted.append(text.text);
                QVERIFY2(text.centre.x() + text.width / 2 <= numbers.right() + 1,
                         qPrintable(text.text + " goes beyond the strip"));
            }
        const QString result = figure.strip().arithmetic.size() > line.size()
                                   ? resultsOf(figure.strip().arithmetic, style).value(0)
                                   : QString();
        QVERIFY2(result.isEmpty() || plainText(line).contains(result),
                 qPrintable(result + " is not in: " + plainText(line)));
        // The whole line is painted, in order. A piece with symbols is painted as several texts.
        QString whole = plainText(line).remove(' ');
        for (char16_t digit = 0; digit < 10; ++digit) // painted as a smaller digit
            whole.replace(QChar(0x2080 + digit), QChar('0' + digit));
        QCOMPARE(painted.join(QString()).remove(' '), whole);
        shortened += plainText(line).contains(QStringLiteral("…")) ? 1 : 0;
        if (MonospaceWidths(figure.strip().numbersFont(strip, style))
                .of(figure.strip().arithmetic) <= numbers.width())
            QCOMPARE(plainText(line), plainText(figure.strip().arithmetic));
    }

  private slots:
    void nothingSelectedIsNothingSaid() {
        const auto trace = makeTrace();
        core::Selection selection;
        for (const core::StageInfo &info : core::allStages()) {
            selection.stage = info.stage;
            QVERIFY(line(trace, selection).isEmpty());
        }
        QVERIFY(line(trace, numberAt(Stage::AttentionWeights, 99))
                    .isEmpty()); // this row does not exist
    }

    /// tst_printed_arithmetic checks whether the terms give the result.
    void aLineNamesItsTokensAndColumns() {
        const auto trace = makeTrace();
        const QString projection = line(trace, numberAt(Stage::Query, 2, 5));
        QVERIFY(test::says(projection, "column 5 of WQ, head 1"));
        QVERIFY(!projection.contains(QLatin1Char('-'))); // the minus sign is U+2212
        QVERIFY(test::says(line(trace, numberAt(Stage::Context, 7)), "V[money]"));
        QVERIFY(test::says(line(trace, numberAt(Stage::Concatenated, 7, 18)), "Z₁[bank, 2] = "));
        const QString row = line(trace, numberAt(Stage::AttentionWeights, 3));
        QVERIFY(test::says(row, {"−∞ −∞ −∞ −∞ ) = (", "0 0 0 0 )  sum = 1.0000"}));
    }

    /// The close-up draws the columns of one head, so the words count them in the same way.
    void aColumnOfTheWeightsCountsAsItIsDrawn() {
        const FigureStyle style = FigureStyle::light();
        TraceRecipe recipe;
        for (recipe.heads = 1; recipe.heads <= 2; ++recipe.heads) {
            const auto trace = makeTrace(recipe);
            core::Selection selection = numberAt(Stage::Key, 2, 5);
            selection.head = recipe.heads - 1;
            const QString said = line(trace, selection);
            const bool isOfHeads = recipe.heads > 1;
            QVERIFY(test::says(said, isOfHeads ? "column 5 of WK, head 1" : "column 5 of WK"));
            QCOMPARE(said.contains(", head"), isOfHeads);
            const QString opened = ArithmeticTable(*trace, selection, style).description();
            QVERIFY(test::says(opened, "WK [5]"));
            QCOMPARE(opened.contains("column 5 of WK, head 1"), isOfHeads);
            const auto drawn = learnedOf(trace, selection, style, {}, nullptr);
            QVERIFY(drawn && drawn->sample.isWhole());
            const core::Parameter &key = trace->model().parameters.main.layers[0].selfAttention.key;
            QCOMPARE(drawn->content.matrix()(3, 5), (*key)(3, selection.head * 16 + 5));
        }
    }

    void onlyWhatANumberWasMadeFromIsOutlined() {
        const auto trace = makeTrace();
        const FigureStyle style = FigureStyle::light();
        const auto marks = [&](const core::Selection &selection, Stage stage) {
            return SourceMarks(*trace, selection, style).marksAt({stage, {}});
        };
        const auto strong = [&](std::optional<core::Index> row, std::optional<core::Index> column,
                                core::Role role) {
            return std::vector<HeatmapMark>{{row, column, style.colourOf(role)}};
        };
        const auto faint = [&](std::optional<core::Index> row) {
            return std::vector<HeatmapMark>{{row, {}, style.mutedText, true}};
        };
        const core::Selection context = numberAt(Stage::Context, 4, 3);
        QVERIFY(marks(context, Stage::AttentionWeights) == strong(4, {}, core::Role::Weights));
        QVERIFY(marks(context, Stage::Value) == strong({}, 3, core::Role::Value));
        QVERIFY(marks(context, Stage::Scores) == faint(4));
        QVERIFY(marks(context, Stage::Query) == faint(4));
        QVERIFY(
            marks(context, Stage::Key).empty()); // the whole matrix is used, so nothing is marked
        QVERIFY(marks(context, Stage::Output).empty());
        // Columns from 16 belong to head 1, which is selected, and column 3 to head 0.
        const core::Selection own = numberAt(Stage::Concatenated, 4, 19);
        QVERIFY(marks(own, Stage::Context) == strong(4, 3, core::Role::Context));
        QVERIFY(marks(own, Stage::AttentionWeights) == faint(4));
        const core::Selection other = numberAt(Stage::Concatenated, 4, 3);
        for (const Stage stage :
             {Stage::Context, Stage::AttentionWeights, Stage::Scores, Stage::Query})
            QVERIFY(marks(other, stage).empty());
        QVERIFY(marks(test::at(Stage::Context), Stage::AttentionWeights).empty());
    }

    /// A sum that is too long shows its largest terms and adds up the others.
    void aLongSumFoldsItsSmallestTerms() {
        const auto trace = makeTrace();
        const FigureStyle style = FigureStyle::light();
        const auto figure = CloseUpFigure::fromTrace(trace, numberAt(Stage::Output, 4, 3), style);
        const ArithmeticStrip &strip = figure.strip();
        std::map<int, double> values;
        for (const Span &span : strip.arithmetic)
            if (span.term > 0)
                values[span.term] = span.termValue;
        QCOMPARE(values.size(), std::size_t(32));
        static const QRegularExpression fold("\\(… (\\d+) more = (\\S+)\\)");
        std::size_t before = 0;
        for (const double width : {560.0, 800.0, 1000.0, 1300.0}) {
            const QRectF place(0, 0, width, ArithmeticStrip::heightFor(style));
            const Spans shown = strip.shownNumbers(place, style);
            std::map<int, double> kept;
            for (const Span &span : shown)
                if (span.term > 0)
                    kept[span.term] = span.termValue;
            const auto match = fold.match(plainText(shown));
            QVERIFY2(match.hasMatch(), qPrintable(plainText(shown)));
            QCOMPARE(match.captured(1).toULongLong(), values.size() - kept.size());
            QVERIFY(kept.size() > before);
            before = kept.size();
            double others = 0, least = std::numeric_limits<double>::infinity();
            for (const auto &[term, value] : kept)
                least = std::min(least, std::abs(value));
            for (const auto &[term, value] : values)
                if (!kept.contains(term)) {
                    others += value;
                    QVERIFY(std::abs(value) <= least);
                }
            QCOMPARE(match.captured(2), QString::fromStdString(core::termText(others)));
            QVERIFY(MonospaceWidths(strip.numbersFont(place, style)).of(shown) <=
                    strip.numbersIn(place, style).width());
            QVERIFY(plainText(shown).contains(
                resultText(trace->stage(Stage::Output).matrix(0, 0)(4, 3))));
        }
        const QRectF wide(0, 0, 9000, ArithmeticStrip::heightFor(style));
        QCOMPARE(plainText(strip.shownNumbers(wide, style)), plainText(strip.arithmetic));
    }

    /// A sum of weighted vectors shows its largest weights, in the order of the tokens.
    void aLongSumOfVectorsFoldsItsSmallestWeights() {
        const auto trace = makeTrace();
        const FigureStyle style = FigureStyle::light();
        const auto figure = CloseUpFigure::fromTrace(trace, numberAt(Stage::Context, 7), style);
        const auto sizesIn = [](const Spans &line) {
            std::map<int, double> sizes;
            int last = 0;
            bool isInOrder = true;
            for (const Span &span : line)
                if (span.term > 0) {
                    isInOrder &= span.term >= std::exchange(last, span.term);
                    sizes[span.term] = span.termSize;
                }
            return isInOrder ? sizes : std::map<int, double>();
        };
        const std::map<int, double> all = sizesIn(figure.strip().arithmetic);
        QCOMPARE(all.size(), std::size_t(8));
        const core::SharedMatrix weights = trace->matrix(Stage::AttentionWeights, {}, 0, 1);
        for (const auto &[term, size] : all)
            QCOMPARE(size, std::abs(static_cast<double>(weights(7, term - 1))));
        bool isFolded = false;
        for (double width = 560; width <= 1200; width += 50) {
            const QRectF place(0, 0, width, ArithmeticStrip::heightFor(style));
            const auto kept = sizesIn(figure.strip().shownNumbers(place, style));
            isFolded |= !kept.empty() && kept.size() < all.size();
            for (const auto &[term, size] : all)
                for (const auto &[shown, least] : kept)
                    QVERIFY(kept.contains(term) || size <= least);
        }
        QVERIFY(isFolded);
    }

    /// Without the name of the function, the line would be a false equation.
    void aNarrowLineKeepsTheNameOfItsFunction() {
        const OpenedSource source = test::opened("cat", 0);
        const core::TracePointer trace = test::passOf(source.state);
        const FigureStyle style = FigureStyle::light();
        int folded = 0;
        for (const bool wholeRow : {false, true}) {
            core::Selection selection = source.selection;
            selection.stage = Stage::AttentionWeights;
            selection.opened = false;
            selection.query = 2;
            selection.key = wholeRow ? std::nullopt : std::optional<core::Index>(1);
            const auto figure = CloseUpFigure::fromTrace(trace, selection, style);
            for (double width = 1000; width >= 260; width -= 10) {
                const QRectF place(0, 0, width, ArithmeticStrip::heightFor(style));
                const Spans shown = figure.strip().shownNumbers(place, style);
                QVERIFY2(plainText(shown).contains("softmax"), qPrintable(plainText(shown)));
                QVERIFY(MonospaceWidths(figure.strip().numbersFont(place, style)).of(shown) <=
                        figure.strip().numbersIn(place, style).width());
                folded += plainText(shown).contains("more )") ? 1 : 0;
            }
        }
        QVERIFY(folded > 0);
    }

    void everyStepOfEveryLessonKeepsItsResult() {
        const FigureStyle style = FigureStyle::light();
        int shortened = 0, lines = 0;
        for (const QString &id : lessonIds()) {
            const auto steps = test::opened(id).session.lesson->steps.size();
            for (std::size_t step = 0; step < steps; ++step) {
                const OpenedSource source = test::opened(id, static_cast<core::Index>(step));
                const core::TracePointer trace = test::passOf(source.state);
                for (const bool wholeRow : {false, true}) {
                    core::Selection selection = source.selection;
                    selection.opened = false;
                    if (wholeRow)
                        selection.key = selection.dimension = std::nullopt;
                    const auto figure = CloseUpFigure::fromTrace(trace, selection, style);
                    if (figure.strip().arithmetic.isEmpty())
                        continue;
                    ++lines;
                    for (const double width : {figure.naturalSize().width(), 760.0, 1900.0})
                        check(figure, {width, figure.naturalSize().height()}, style, shortened);
                    if (QTest::currentTestFailed())
                        qFatal("%s, step %zu", qPrintable(id), step);
                }
            }
        }
        QVERIFY(lines > 20);
        QVERIFY(shortened > 10);
    }

    /// In a row that is too long, each vector shows the same positions, and the selected one.
    void aLongRowFoldsItsVectors() {
        const OpenedSource source = test::opened("sentence");
        const core::TracePointer trace = test::passOf(source.state);
        core::Selection selection = source.selection;
        selection.query = 1;
        const FigureStyle style = FigureStyle::light();
        int shortened = 0;
        for (const core::StageInfo &info : core::allStages()) {
            selection.stage = info.stage;
            const auto figure = CloseUpFigure::fromTrace(trace, selection, style);
            if (!figure.strip().arithmetic.isEmpty())
                check(figure, figure.minimumSize(), style, shortened);
        }
        QVERIFY(shortened > 0);

        const auto trace2 = makeTrace();
        core::Selection number = numberAt(Stage::AttentionWeights, 4, 4);
        const auto figure = CloseUpFigure::fromTrace(trace2, number, style);
        const ArithmeticStrip &strip = figure.strip();
        const auto elements = [](const Spans &line) {
            std::map<int, QList<core::Index>> found; // the shown elements of each vector
            for (const Span &span : line)
                if (span.vector > 0 && !found[span.vector].contains(span.element))
                    found[span.vector].append(span.element);
            return found;
        };
        const auto all = elements(strip.arithmetic);
        QCOMPARE(all.size(), std::size_t(2)); // the vectors of scores and weights
        const QRectF place(0, 0, 560, ArithmeticStrip::heightFor(style));
        const Spans shown = strip.shownNumbers(place, style);
        const auto kept = elements(shown);
        QCOMPARE(kept.at(1), kept.at(2));
        QVERIFY(kept.at(1).contains(4));
        QVERIFY(kept.at(1).size() < all.at(1).size());
        static const QRegularExpression fold("… (\\d+) more");
        auto matches = fold.globalMatch(plainText(shown));
        for (int vector = 1; vector <= 2; ++vector) {
            QVERIFY2(matches.hasNext(), qPrintable(plainText(shown)));
            QCOMPARE(matches.next().captured(1).toLongLong(),
                     all.at(vector).size() - kept.at(vector).size());
        }
    }
};

HEADLIGHT_WIDGET_TEST(StageArithmeticTest)
#include "tst_stage_arithmetic.moc"
