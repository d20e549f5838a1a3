// The expanded arithmetic: numbers do not overlap and are as large as possible, and terms that do
// not fit are added up.
#include "core/explain/derivation.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/arithmetic/arithmetic_table.h"

namespace {

core::Selection cellAt(Stage stage, core::Index row, core::Index column) {
    core::Selection selection;
    selection.stage = stage;
    selection.query = row;
    (core::infoOf(stage).overKeys() ? selection.key : selection.dimension) = column;
    return selection;
}

ArithmeticRequest request(core::Index columns, QSizeF area) {
    ArithmeticRequest request;
    request.area = QRectF(QPointF(10, 20), area);
    request.columns = columns;
    request.rows = 3;
    request.adds = true;
    request.name = 3;
    request.number = 3;
    request.lines = {6};
    for (core::Index i = 0; i < columns; ++i)
        request.importance.push_back(static_cast<double>((i * 7919) % 1000));
    return request;
}

} // namespace

class ArithmeticTableTest : public QObject {
    Q_OBJECT

  private slots:
    /// In a short area, white space and then the note give way, but no font is smaller than
    /// allowed.
    void aLowAreaHasLessWhiteSpace() {
        ArithmeticRequest low = request(16, {700, 128});
        low.hasNote = true;
        const ArithmeticLayout layout = ArithmeticLayout::of(low);
        QCOMPARE(layout.pixels, low.least);
        QCOMPARE(layout.blocks.size(), std::size_t(1));
        QVERIFY2(layout.used.bottom() <= low.area.bottom() + 0.5,
                 test::said("%1 of %2", layout.used.bottom(), low.area.bottom()));
        low.area.setHeight(106);
        const ArithmeticLayout lower = ArithmeticLayout::of(low);
        QVERIFY(lower.note.isEmpty());
        QVERIFY2(lower.used.bottom() <= low.area.bottom() + 0.5,
                 test::said("%1 of %2", lower.used.bottom(), low.area.bottom()));
        low.lines = {200}; // longer than the area in the smallest font
        QVERIFY(ArithmeticLayout::of(low).linePixels.front() >= low.least);
    }

    void everyNumberHasItsOwnPlace_data() {
        test::addCombinations<int, QSizeF>({"columns", "area"}, {1, 2, 8, 11, 16, 64, 768},
                                           {QSizeF(1200, 300), QSizeF(700, 260), QSizeF(400, 400)});
    }
    void everyNumberHasItsOwnPlace() {
        QFETCH(int, columns);
        QFETCH(QSizeF, area);
        const ArithmeticRequest wanted = request(columns, area);
        const ArithmeticLayout layout = ArithmeticLayout::of(wanted);
        QVERIFY(layout.pixels >= wanted.least);
        QVERIFY(layout.used.bottom() <= wanted.area.bottom() + 0.5);
        std::vector<QRectF> places = layout.lines;
        core::Index shown = 0, hidden = 0;
        core::Index last = -1;
        for (const ArithmeticLayout::Block &block : layout.blocks) {
            for (const QRectF &name : block.names)
                places.push_back(name);
            for (const ArithmeticLayout::Place &place : block.places) {
                QCOMPARE(place.cells.size(), std::size_t(3));
                places.insert(places.end(), place.cells.begin(), place.cells.end());
                hidden += place.hidden;
                if (!place.column)
                    continue;
                ++shown;
                QVERIFY(*place.column > last); // sorted by column
                last = *place.column;
                QVERIFY(layout.isShown[static_cast<std::size_t>(last)]);
            }
        }
        QCOMPARE(shown + hidden, core::Index(columns));
        for (std::size_t i = 0; i < places.size(); ++i) {
            QVERIFY(wanted.area.adjusted(-0.5, -0.5, 0.5, 0.5).contains(places[i]));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!places[i].intersects(places[j]));
        }
        // Every hidden term is smaller than every shown one.
        double least = HUGE_VAL, most = -1;
        for (std::size_t i = 0; i < layout.isShown.size(); ++i)
            (layout.isShown[i] ? least = std::min(least, wanted.importance[i])
                               : most = std::max(most, wanted.importance[i]));
        QVERIFY(most <= least);
    }

    void everyColumnCanBeScrolledTo_data() { test::addRows("columns", {16, 768, 4096}); }
    /// If not all columns fit, they scroll above the lines, and no font is smaller than allowed.
    void everyColumnCanBeScrolledTo() {
        QFETCH(int, columns);
        ArithmeticRequest wanted = request(columns, {700, 150});
        QVERIFY(!ArithmeticLayout::of(wanted).isShown[0] ||
                !ArithmeticLayout::of(wanted).isShown[1]); // not all fit
        wanted.scroll = ArithmeticScroll{0};
        std::vector<bool> seen(static_cast<std::size_t>(columns), false);
        const ArithmeticLayout first = ArithmeticLayout::of(wanted);
        QVERIFY(first.beyond > 0 && first.pixels >= wanted.least);
        QVERIFY(wanted.area.contains(first.window));
        QVERIFY(first.lines.front().top() >= first.window.bottom());
        QVERIFY(first.used.bottom() <= wanted.area.bottom() + 0.5);
        for (double by = 0;; by += 10) {
            wanted.scroll->by = by;
            const ArithmeticLayout layout = ArithmeticLayout::of(wanted);
            QVERIFY(layout.blocks.size() <= 3); // only visible ones
            const QRectF window = layout.window.adjusted(-0.5, -0.5, 0.5, 0.5);
            for (const ArithmeticLayout::Block &block : layout.blocks)
                for (const ArithmeticLayout::Place &place : block.places) {
                    QVERIFY(place.column && place.hidden == 0);
                    if (window.contains(place.header) && window.contains(place.cells.back()))
                        seen[static_cast<std::size_t>(*place.column)] = true;
                }
            QCOMPARE(layout.lines, first.lines);
            if (layout.scrolled < by)
                break; // the end
        }
        QVERIFY(std::ranges::find(seen, false) == seen.end());
        // The stressed column is visible at first.
        wanted.scroll->by.reset();
        wanted.stressed = columns - 2;
        const ArithmeticLayout atStressed = ArithmeticLayout::of(wanted);
        const bool isVisible = std::ranges::any_of(
            atStressed.blocks.back().places, [&](const ArithmeticLayout::Place &place) {
                return place.column == wanted.stressed &&
                       atStressed.window.adjusted(0, -0.5, 0, 0.5).contains(place.cells.back());
            });
        QVERIFY(isVisible);
    }

    void fewNumbersAreLarge() {
        QVERIFY(ArithmeticLayout::of(request(2, {1200, 300})).pixels >
                ArithmeticLayout::of(request(16, {1200, 300})).pixels);
        QCOMPARE(ArithmeticLayout::of(request(2, {1200, 400})).pixels, 26.0); // the largest size
    }

    void whatIsNotShownIsAddedUp() {
        test::TraceRecipe recipe;
        recipe.width = 768;
        const core::TracePointer trace = makeTrace(recipe);
        const core::Selection cell = cellAt(Stage::Query, 3, 2);
        const ArithmeticTable table(*trace, cell, FigureStyle::light());
        QCOMPARE(table.arithmetic().columnCount(), core::Index(768));
        const ArithmeticLayout layout = table.layout(QRectF(0, 0, 1200, 300));
        double sum = 0;
        int numbers = 0;
        for (const ArithmeticLayout::Block &block : layout.blocks)
            for (const ArithmeticLayout::Place &place : block.places) {
                QString text = table.textAt(layout, place, 2);
                sum += text.replace(QChar(0x2212), QLatin1Char('-')).toDouble();
                ++numbers;
                if (!place.column) {
                    QVERIFY(place.hidden > 600);
                    QCOMPARE(table.textAt(layout, place, 0), QStringLiteral("…"));
                }
            }
        QVERIFY2(numbers > 12, qPrintable(QString::number(numbers)));
        const double value = static_cast<double>(trace->matrix(Stage::Query, {}, 0, 0)(3, 2));
        QVERIFY(std::abs(sum - value) < 0.006 * numbers); // each number is rounded
    }

    void wordsOfEveryScriptFit() {
        test::TraceRecipe recipe;
        recipe.tokens = {{"中文的句子在這裡", "注意力", "מילה", "bank"}};
        const core::TracePointer trace = makeTrace(recipe);
        const ArithmeticTable table(*trace, cellAt(Stage::AttentionWeights, 3, 0),
                                    FigureStyle::light(2));
        const QRectF area(0, 0, 800, 300);
        const ArithmeticLayout layout = table.layout(area);
        QVERIFY(layout.used.bottom() <= area.bottom());
        QVERIFY(layout.blocks.front().names.front().width() <= 0.31 * area.width());
        QVERIFY(table.description().contains(QStringLiteral("1.00")));
    }

    void theViewsThatOpenItDescribeIt() {
        const core::TracePointer trace = makeTrace();
        for (const ViewInfo &info : allViews()) {
            core::Selection selection = cellAt(Stage::AttentionWeights, 3, 1);
            const auto closed = info.makeFigure({trace, selection})->description();
            selection.opened = true;
            const auto opened = info.makeFigure({trace, selection})->description();
            QCOMPARE(opened != closed, info.has(Choice::Arithmetic));
        }
    }
};

HEADLIGHT_WIDGET_TEST(ArithmeticTableTest)
#include "tst_arithmetic_table.moc"
