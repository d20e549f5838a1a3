// Figures in a narrow column of a paper: they shrink, nothing overlaps, and omissions are reported.
#include "tests/support/test_main.h"
#include "tests/ui/figures/exported_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/figures/words/words_figure.h"

#include <QRegularExpression>
#include <QTest>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::at;
using test::makeTrace;
using test::rendered;
using test::TraceRecipe;

namespace {

constexpr double kMillimetre = 96 / 25.4;

core::TracePointer traceOf(int heads, int tokens, core::Index width = 12) {
    TraceRecipe recipe;
    recipe.tokens = {test::manyTokens(tokens), {"word1", "bank"}};
    recipe.heads = heads;
    recipe.headSize = 2;
    recipe.width = width;
    return makeTrace(recipe);
}

/// Returns the smallest type size in the file, in px.
double leastType(const QByteArray &svg) {
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
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<double>("textScale");
        for (const int heads : {1, 2, 4, 8, 12})
            for (const int tokens : {3, 8, 29})
                for (const double textScale : {1.0, 1.5})
                    QTest::addRow("%d heads, %d tokens, text %.1f", heads, tokens, textScale)
                        << heads << tokens << textScale;
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
            QVERIFY2(possible.ok(), possible.ok() ? "" : possible.error().text().c_str());
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
            const QRectF room = area.adjusted(-0.01, -0.01, 0.01, 0.01);
            QCOMPARE(places.tiles.size(), std::size_t(heads == 1 ? 0 : heads));
            QVERIFY2(room.contains(places.card), where("card"));
            QVERIFY2(places.card.contains(places.enlarged.cells), where("enlarged"));
            QVERIFY2(places.enlarged.cell.width() >= 1, where("cell"));
            QCOMPARE(places.enlarged.columns, tokens);
            QVERIFY2(!places.title.intersects(places.card), where("title"));
            for (std::size_t i = 0; i < places.tiles.size(); ++i) {
                const QRectF &tile = places.tiles[i];
                QVERIFY2(room.contains(tile), where("tile"));
                QVERIFY2(places.matrices[i].width() >= 12 && tile.contains(places.matrices[i]),
                         where("matrix"));
                QVERIFY2(!places.titles[i].intersects(places.matrices[i]), where("name"));
                QVERIFY2(!tile.intersects(places.card), where("tile, card"));
                QVERIFY2(!tile.intersects(places.colourBar), where("tile, bar"));
                QVERIFY2(!tile.intersects(places.title), where("tile, title"));
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(!tile.intersects(places.tiles[j]), where("tiles"));
            }
            QVERIFY2(!places.colourBar.intersects(places.card), where("bar, card"));
        }
    }

    /// The type shrinks to the smallest printable size and no further. Every head has its name and
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
                const double type = leastType(svg);
                QVERIFY2(type >= 7, qPrintable(QString::number(type)));
                for (int head = 0; head < heads && heads > 1; ++head) {
                    const QString name = QString::number(head);
                    const QString all = QString::fromUtf8(svg);
                    QVERIFY2(all.contains(">head " + name + '<') || all.contains('>' + name + '<'),
                             qPrintable(QString("%1 at %2 mm").arg(head).arg(millimetres)));
                }
            }
        }
    }

    void whatIsTooNarrowSaysTheLeastWidth() {
        for (const int heads : {1, 2, 4, 8, 12}) {
            const auto figure = HeadsFigure::fromTrace(
                traceOf(heads, 8), at(Stage::AttentionWeights), FigureStyle::paper());
            ExportOptions options;
            options.size = FigureSize(39, 0, LengthUnit::Millimetre);
            const core::Outcome refused = canRender(figure, Format::Pdf, options);
            QVERIFY(!refused.ok());
            const QString said = QString::fromStdString(refused.error().text());
            QVERIFY2(said.contains("39 × ") && said.contains("at least 40 × "), qPrintable(said));
            // The suggested size is large enough.
            static const QRegularExpression least("at least ([0-9.]+ × [0-9.]+ mm)");
            options.size = *FigureSize::parse(least.match(said).captured(1));
            QVERIFY(canRender(figure, Format::Pdf, options).ok());
        }
    }

    /// Every column of numbers is in the file, however narrow. If there are more columns than the
    /// limit, the figure says so in readable text.
    void wordsLoseNoColumn_data() {
        QTest::addColumn<int>("width");
        for (const int width : {12, 16, 48, 64, 96})
            QTest::addRow("%d", width) << width;
    }
    void wordsLoseNoColumn() {
        QFETCH(int, width);
        const auto trace = traceOf(2, 20, width);
        const auto figure =
            WordsFigure::fromTrace(trace, at(Stage::AttentionWeights), FigureStyle::paper());
        const core::Index shown = std::min<core::Index>(width, core::kMostWrittenColumns);
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
                QVERIFY2(numbers.cell.width() >= 1 && numbers.cell.height() >= 8,
                         qPrintable(QString("%1 × %2 at %3")
                                        .arg(numbers.cell.width())
                                        .arg(numbers.cell.height())
                                        .arg(side)));
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
