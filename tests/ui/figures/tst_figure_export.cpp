// Exported figures in every format: sizes and reproducible bytes.
#include "tests/support/fixed_seed_application.h"
#include "tests/ui/figures/figure_fixture.h"

#include <QSvgRenderer>

using test::at;
using test::rendered;
using test::style;

namespace {

constexpr Format kFormats[] = {Format::Png, Format::Svg, Format::Pdf};

/// Returns a heatmap, all heads, and the Whole figure in two text sizes.
std::vector<std::unique_ptr<Figure>> someFigures() {
    const auto trace = makeTrace();
    const core::Selection weights = at(Stage::AttentionWeights);
    std::vector<std::unique_ptr<Figure>> figures;
    figures.push_back(
        std::make_unique<HeatmapFigure>(HeatmapFigure::fromTrace(trace, weights, style())));
    figures.push_back(
        std::make_unique<HeadsFigure>(HeadsFigure::fromTrace(trace, weights, style())));
    for (const FigureStyle &each : {style(), FigureStyle::dark(2)})
        figures.push_back(
            std::make_unique<WholeFigure>(WholeFigure::fromTrace(trace, weights, each)));
    return figures;
}

} // namespace

class FigureExportTest : public QObject {
    Q_OBJECT

  private slots:
    void everyFigureInEveryFormatIsTheSameTwice() {
        const auto figures = someFigures();
        for (const auto &figure : figures)
            for (const Format format : kFormats) {
                const ExportOptions options{
                    {}, 1, "A & B", "<how>", core::figureText({{"bank"}, "{\"headlight\": 1}"})};
                const qint64 second = QDateTime::currentSecsSinceEpoch();
                const QByteArray first = rendered(*figure, format, options);
                QVERIFY(first.size() > 1000);
                if (format == Format::Pdf && figure == figures.front())
                    // Waits for the next second, which Qt would write into the file.
                    HEADLIGHT_UNTIL(QDateTime::currentSecsSinceEpoch() > second + 1);
                QVERIFY(rendered(*figure, format, options) == first);
            }
    }

    void impossibleSizesAreErrors_data() {
        test::addColumns<QSizeF, double>({"size", "scale"});
        QTest::newRow("too wide") << QSizeF(30001, 10) << 1.0;
        QTest::newRow("too many pixels") << QSizeF(20000, 20001) << 1.0;
        QTest::newRow("too dense") << QSizeF(1000, 1000) << 31.0;
        QTest::newRow("no scale") << QSizeF(100, 100) << 0.0;
        QTest::newRow("negative scale") << QSizeF(100, 100) << -1.0;
        QTest::newRow("endless") << QSizeF(100, 100) << double(INFINITY);
        QTest::newRow("not a number") << QSizeF(100, 100) << double(NAN);
        QTest::newRow("less than a pixel") << QSizeF(0.5, 100) << 1.0;
    }
    void impossibleSizesAreErrors() {
        QFETCH(QSizeF, size);
        QFETCH(double, scale);
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const auto png = render(figure, Format::Png, {size, scale, {}, {}});
        QVERIFY(!png.ok());
        QVERIFY(!png.error().text().empty());
    }

    void tooSmallIsRefused() {
        const auto figures = someFigures();
        QVERIFY(figures[3]->minimumSize().width() > figures[2]->minimumSize().width());
        for (const auto &figure : figures) {
            const QSizeF least = figure->minimumSize();
            const QSizeF natural = figure->naturalSize();
            QVERIFY(natural.width() >= least.width() && natural.height() >= least.height());
            for (const Format format : kFormats) {
                QVERIFY(render(*figure, format, {least, 1, {}, {}}).ok());
                for (const QSizeF less : {QSizeF(1, 0), QSizeF(0, 1)}) {
                    const auto refused = render(*figure, format, {least - less, 1, {}, {}});
                    QVERIFY(!refused.ok());
                    const QString said = QString::fromStdString(refused.error().text());
                    QVERIFY2(
                        said.contains(QString("%1 × %2").arg(least.width()).arg(least.height())),
                        qPrintable(said));
                }
            }
            // The clipboard gets the whole figure, shrunk as in a small view.
            QCOMPARE(renderImage(*figure, {least / 2, 1, {}, {}})->size(),
                     QSizeF(least / 2).toSize());
        }
    }

    void tinyAreasDoNoHarm() {
        for (const auto &figure : someFigures())
            for (const QSize size : {QSize(1, 1), QSize(30, 500), QSize(500, 30), QSize(120, 90)})
                for (const Device device : {Device::Raster, Device::Vector})
                    (void)test::paintedOn(*figure, size, device);
    }

    void theNaturalSizeIsFilled() {
        for (const std::size_t count : {1, 6, 20, 60}) {
            TraceRecipe recipe;
            recipe.tokens = {std::vector<std::string>(count, "word")};
            const auto figure =
                HeatmapFigure::fromTrace(makeTrace(recipe), at(Stage::AttentionWeights), style());
            const QSizeF size = figure.naturalSize();
            const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(), size));
            QVERIFY(size.height() - geometry.used.bottom() < 22);
            QVERIFY(size.width() <= 280 || size.width() - geometry.used.right() < 22);
            QVERIFY(geometry.cell.width() >= 6);
        }
    }

    void formatsGoByTheExtension() {
        QCOMPARE(formatOf(QStringLiteral("a/b.SVG")), Format::Svg);
        QCOMPARE(formatOf(QStringLiteral("b.png")), Format::Png);
        QCOMPARE(formatOf(QStringLiteral("b.pdf")), Format::Pdf);
        for (const Format format : kFormats)
            QCOMPARE(formatOf('.' + nameOf(format)), format);
        QVERIFY(!formatOf(QStringLiteral("png")));
        QVERIFY(!formatOf(QStringLiteral("b.jpeg")));
    }
    void pngKnowsItsDensityAndTitle() {
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const QImage image = QImage::fromData(
            rendered(figure, Format::Png, {{300, 300}, 2, QStringLiteral("A < B"), {}}), "png");
        QCOMPARE(image.size(), QSize(600, 600));
        QCOMPARE(image.dotsPerMeterX(), 7559);
        QCOMPARE(image.text(QStringLiteral("Title")), QStringLiteral("A < B"));
        QCOMPARE(image.text(QStringLiteral("Description")), figure.description());
    }

    void aSingleStrongCellIsNeverLost() {
        constexpr core::Index kSide = 3001;
        std::vector<float> values(kSide * kSide);
        values[1234 * kSide + 2345] = 1;
        HeatmapContent content;
        content.tensor = core::Tensor({1, 1, kSide, kSide}, std::move(values));
        const HeatmapFigure figure(content, style());
        const auto image = test::valueOf(renderImage(figure, {{300, 300}, 1, {}, {}}));
        const QRectF cells = figure.geometry(QRectF(0, 0, 300, 300)).cells;
        int strong = 0;
        for (int y = qCeil(cells.top()); y < qFloor(cells.bottom()); ++y)
            for (int x = qCeil(cells.left()); x < qFloor(cells.right()); ++x)
                strong += image.pixel(x, y) == colourOf(ColourMap::Viridis, 1) ? 1 : 0;
        QCOMPARE(strong, 1);
    }

    void smallMatricesHaveABorder() {
        const auto whole =
            WholeFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const QImage image = *renderImage(whole);
        const WholeGeometry geometry = whole.places(QRectF(QPointF(), whole.naturalSize())).map;
        const auto isFramed = [&](const QRectF &cells) {
            const QPointF middle = cells.center();
            return image.pixelColor(qRound(cells.left()) - 1, qRound(middle.y())) ==
                       style().border &&
                   image.pixelColor(qRound(middle.x()), qRound(cells.bottom())) == style().border;
        };
        for (const WholeNode &node : geometry.nodes)
            if (node.at != whole.stage()) // the selected stage has an outline instead
                QVERIFY2(isFramed(node.matrix), core::infoOf(node.at.stage).name.data());
    }

    /// At least one pixel is free between the hatching of padding and the numbers, in every theme,
    /// at every cell size and in vector files.
    void theHatchLeavesTheNumbersFree_data() {
        test::addCombinations<QString, Stage>(
            {"theme", "stage"}, {"light", "dark", "paper"},
            {Stage::AttentionWeights, Stage::ScaledScores, Stage::Embeddings});
    }
    void theHatchLeavesTheNumbersFree() {
        QFETCH(QString, theme);
        QFETCH(Stage, stage);
        TraceRecipe recipe;
        recipe.tokens = {{"a", "b", "c", "d"}, {"e"}};
        recipe.width = 8;
        recipe.headSize = 4;
        const core::Selection selection = at(stage, 0, 1);
        const FigureStyle look = test::styleOf(theme);
        const HeatmapContent whole =
            HeatmapFigure::fromTrace(makeTrace(recipe), selection, look).content();
        QCOMPARE(whole.firstPaddingRow, 1);
        HeatmapContent plain = whole;
        plain.firstPaddingRow = -1;
        HeatmapContent empty = plain;
        empty.numbers = false;
        int seen = 0;
        for (double side = 165; side <= 420; side += 15)
            for (const bool isVector : {false, true}) {
                const QSizeF size(side, side + 20);
                const auto shown = [&](const HeatmapContent &content) {
                    const HeatmapFigure figure(content, look);
                    const ui::ExportOptions options{size, 1, {}, {}};
                    if (!isVector)
                        return *renderImage(figure, options);
                    QImage image(size.toSize(), QImage::Format_RGB32);
                    image.fill(Qt::white);
                    QPainter painter(&image);
                    QSvgRenderer renderer(rendered(figure, Format::Svg, options));
                    renderer.render(&painter, QRectF(QPointF(), size));
                    return image;
                };
                (void)shown(whole); // Qt's SVG reader paints the first text of a size differently
                const QImage hatched = shown(whole), written = shown(plain), blank = shown(empty);
                const QRect cells = HeatmapFigure(whole, look)
                                        .geometry(QRectF(QPointF(), size))
                                        .cells.toAlignedRect()
                                        .adjusted(1, 1, -1, -1);
                int strokes = 0, touched = 0, ink = 0;
                for (int y = cells.top(); y <= cells.bottom(); ++y)
                    for (int x = cells.left(); x <= cells.right(); ++x) {
                        ink += written.pixel(x, y) != blank.pixel(x, y);
                        if (hatched.pixel(x, y) == written.pixel(x, y))
                            continue;
                        ++strokes;
                        for (int dy = -1; dy <= 1; ++dy)
                            for (int dx = -1; dx <= 1; ++dx)
                                touched +=
                                    written.pixel(x + dx, y + dy) != blank.pixel(x + dx, y + dy);
                    }
                seen += ink > 0;
                QVERIFY2(strokes > 0, qPrintable(QString::number(side)));
                QVERIFY2(touched == 0, test::said("%1, %2: %3", side, isVector, touched));
            }
        QVERIFY(seen > 10);
    }
};

HEADLIGHT_TEST_WITH(headlight::test::FixedSeedApplication, FigureExportTest)
#include "tst_figure_export.moc"
