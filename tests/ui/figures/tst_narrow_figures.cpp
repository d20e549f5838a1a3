// Figures for a narrow column of a paper: they shrink, nothing overlaps, and omissions are
// reported.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/words/words_figure.h"

using test::at;
using test::rendered;

namespace {

constexpr double kMillimetre = 96 / 25.4;

core::TracePointer traceOf(int heads, int tokens, core::Index width = 12) {
    TraceRecipe recipe;
    recipe.tokens = {test::numberedWords(tokens), {"word1", "bank"}};
    recipe.heads = heads;
    recipe.headSize = 2;
    recipe.width = width;
    return makeTrace(recipe);
}

/// Returns the smallest font size in the file, in px.
double minType(const QByteArray &svg) {
    static const QRegularExpression size(QStringLiteral("font-size=\"([0-9.]+)\""));
    double least = 1000;
    for (const auto &match : size.globalMatch(QString::fromUtf8(svg)))
        least = std::min(least, match.captured(1).toDouble());
    return least;
}

} // namespace

class NarrowFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    void headsShrink_data() {
        test::addCombinations<int, int, double>({"heads", "tokens", "textScale"}, {1, 2, 4, 8, 12},
                                                {3, 8, 29}, {1.0, 1.5});
    }
    void headsShrink() {
        QFETCH(int, heads);
        QFETCH(int, tokens);
        QFETCH(double, textScale);
        const auto trace = traceOf(heads, tokens);
        const auto figure = HeadsFigure::fromTrace(trace, at(Stage::AttentionWeights),
                                                   FigureStyle::paper(textScale));
        for (int millimetres = 40; millimetres <= 180; millimetres += 4) {
            ExportOptions options;
            options.size = FigureSize(millimetres, 0, LengthUnit::Millimetre);
            const core::Outcome possible = canRender(figure, Format::Pdf, options);
            QVERIFY(test::isOk(possible));
            const QSizeF size = sizeOf(figure, options.size);
            const auto where = [&](const char *what) {
                return QString("%1 at %2 mm (%3 × %4)")
                    .arg(what)
                    .arg(millimetres)
                    .arg(size.width())
                    .arg(size.height())
                    .toUtf8();
            };
            QVERIFY2(size.height() < 5 * size.width() && size.height() > 0.4 * size.width(),
                     where("height"));
            const QRectF area(QPointF(), size);
            const HeadsGeometry places = figure.geometry(area);
            const char *fault = test::faultOf(places, area, heads);
            QVERIFY2(!fault, where(fault));
            QVERIFY2(places.enlarged.cell.width() >= 1, where("cell"));
            QCOMPARE(places.enlarged.columns, tokens);
            for (const QRectF &matrix : places.matrices)
                QVERIFY2(matrix.width() >= 12, where("matrix"));
        }
    }

    /// The font shrinks to the smallest printable size, but no further. Every head has its name and
    /// all cells.
    void headsStayReadable() {
        for (const int heads : {1, 2, 4, 8, 12}) {
            const auto figure = HeadsFigure::fromTrace(
                traceOf(heads, 8), at(Stage::AttentionWeights), FigureStyle::paper());
            for (const int millimetres : {40, 60, 84, 120, 180}) {
                ExportOptions options;
                options.size = FigureSize(millimetres, 0, LengthUnit::Millimetre);
                const QByteArray svg = rendered(figure, Format::Svg, options);
                QVERIFY(!svg.isEmpty());
                QVERIFY(svg == rendered(figure, Format::Svg, options));
                const double type = minType(svg);
                QVERIFY2(type >= 7, qPrintable(QString::number(type)));
                for (int head = 0; head < heads && heads > 1; ++head) {
                    const QString name = QString::number(head);
                    const QString all = QString::fromUtf8(svg);
                    QVERIFY2(all.contains(">head " + name + '<') || all.contains('>' + name + '<'),
                             test::said("%1 at %2 mm", head, millimetres));
                }
            }
        }
    }

    /// The file has every column of numbers, even if it is narrow. Columns beyond the limit are
    /// counted in readable text.
    void wordsLoseNoColumn_data() { test::addRows("width", std::vector<int>{12, 16, 48, 64, 96}); }
    void wordsLoseNoColumn() {
        QFETCH(int, width);
        const auto trace = traceOf(2, 20, width);
        const auto figure =
            WordsFigure::fromTrace(trace, at(Stage::AttentionWeights), FigureStyle::paper());
        const core::Index shown = std::min<core::Index>(width, core::kMaxWrittenColumns);
        for (double side = figure.minimumSize().width(); side < 1600; side *= 1.15) {
            const QSizeF size(std::ceil(side), figure.heightFor(std::ceil(side)));
            const WordsGeometry places = figure.geometry(QRectF(QPointF(), size));
            for (std::size_t i = 0; i < places.cards.size(); ++i) {
                const HeatmapGeometry &numbers = places.cards[i].numbers;
                const core::SharedMatrix matrix =
                    figure.content().cards[i].numbers.content().matrix();
                QCOMPARE(numbers.columns, matrix.columns);
                QCOMPARE(numbers.rows, matrix.rows);
                QVERIFY(!numbers.isWindow);
                QVERIFY(places.cards[i].rect.contains(numbers.cells));
                QVERIFY2(
                    numbers.cell.width() >= 1 && numbers.cell.height() >= 8,
                    test::said("%1 × %2 at %3", numbers.cell.width(), numbers.cell.height(), side));
            }
        }
        const WordsCard &embeddings =
            figure.content().cards[static_cast<std::size_t>(core::TextEncoding::Embeddings)];
        QCOMPARE(embeddings.numbers.content().matrix().columns, shown);
        QCOMPARE(embeddings.explanation.contains(
                     QString("The first %1 of %2 columns").arg(shown).arg(width)),
                 shown < width);
    }
};

HEADLIGHT_WIDGET_TEST(NarrowFiguresTest)
#include "tst_narrow_figures.moc"
