// Exported figures in every format: sizes and reproducible bytes.
#include "core/formats/figure/figure_session.h"
#include "tests/support/fixed_seed_application.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "tests/ui/figures/exported_figure.h"
#include "ui/figures/flow/flow_figure.h"
#include "ui/figures/heads/heads_figure.h"

#include <QHashSeed>
#include <QTest>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::at;
using test::makeTrace;
using test::rendered;
using test::style;
using test::TraceRecipe;

class FigureExportTest : public QObject {
    Q_OBJECT

  private slots:
    void everyFigureInEveryFormatIsTheSameTwice() {
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto flow = FlowFigure::fromTrace(trace, at(Stage::Context), FigureStyle::dark());
        const QList<const Figure *> figures{&heatmap, &heads, &flow};
        for (const Figure *figure : figures)
            for (const Format format : {Format::Png, Format::Svg, Format::Pdf}) {
                const ExportOptions options{
                    {}, 1, "A & B", "<how>", core::figureText({{"bank"}, "{\"headlight\": 1}"})};
                const qint64 second = QDateTime::currentSecsSinceEpoch();
                const QByteArray first = rendered(*figure, format, options);
                QVERIFY(first.size() > 1000);
                if (format == Format::Pdf && figure == &heatmap)
                    // Waits for the next second, which Qt would write into the file.
                    HEADLIGHT_UNTIL(QDateTime::currentSecsSinceEpoch() > second + 1);
                QVERIFY(rendered(*figure, format, options) == first);
            }
    }

    void impossibleSizesAreErrors_data() {
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<double>("scale");
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
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto flow = FlowFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto large =
            FlowFigure::fromTrace(trace, at(Stage::AttentionWeights), FigureStyle::light(2));
        QVERIFY(large.minimumSize().width() > flow.minimumSize().width());
        const QList<const Figure *> figures{&heatmap, &heads, &flow, &large};
        for (const Figure *figure : figures) {
            const QSizeF least = figure->minimumSize();
            const QSizeF natural = figure->naturalSize();
            QVERIFY(natural.width() >= least.width() && natural.height() >= least.height());
            for (const Format format : {Format::Png, Format::Svg, Format::Pdf}) {
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
            // The clipboard gets the same as a small view: the whole figure, shrunk.
            QCOMPARE(renderImage(*figure, {least / 2, 1, {}, {}})->size(),
                     QSizeF(least / 2).toSize());
        }
    }

    void tinyAreasDoNoHarm() {
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const auto flow = FlowFigure::fromTrace(trace, at(Stage::AttentionWeights), style());
        const QList<const Figure *> figures{&heatmap, &heads, &flow};
        for (const Figure *figure : figures)
            for (const QSizeF size :
                 {QSizeF(1, 1), QSizeF(30, 500), QSizeF(500, 30), QSizeF(120, 90)})
                for (const Device device : {Device::Raster, Device::Vector}) {
                    QImage image(size.toSize(), QImage::Format_RGB32);
                    QPainter painter(&image);
                    figure->paint(painter, QRectF(QPointF(), size), device);
                }
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

    void absentStagesStillMakeAFile() {
        TraceRecipe recipe;
        recipe.output = false;
        const auto figure = HeatmapFigure::fromTrace(makeTrace(recipe), at(Stage::Output), style());
        QVERIFY(render(figure, Format::Svg).ok());
    }

    void formatsGoByTheExtension() {
        QCOMPARE(formatOf(QStringLiteral("a/b.SVG")), Format::Svg);
        QCOMPARE(formatOf(QStringLiteral("b.png")), Format::Png);
        QCOMPARE(formatOf(QStringLiteral("b.pdf")), Format::Pdf);
        for (const Format format : {Format::Png, Format::Svg, Format::Pdf})
            QCOMPARE(formatOf('.' + nameOf(format)), format);
        QVERIFY(!formatOf(QStringLiteral("png")));
        QVERIFY(!formatOf(QStringLiteral("b.jpeg")));
    }
};

HEADLIGHT_TEST_WITH(headlight::test::FixedSeedApplication, FigureExportTest)
#include "tst_figure_export.moc"
