// Figures as pixels: their colours match the numbers of the trace.
#include "tests/support/test_main.h"
#include "tests/ui/figures/exported_figure.h"
#include "ui/figures/flow/flow_figure.h"

#include <QSvgRenderer>
#include <QTest>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::at;
using test::makeTrace;
using test::rendered;
using test::style;
using test::TraceRecipe;

class PngFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    void pixelsAreTheTracesNumbers_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("stage");
        for (const double scale : {1.0, 1.5, 2.0})
            for (const Stage stage : {Stage::AttentionWeights, Stage::MaskedScores, Stage::Scores,
                                      Stage::Query, Stage::Output})
                QTest::addRow("%s at %.1f", std::string(core::infoOf(stage).name).c_str(), scale)
                    << scale << int(stage);
    }
    void pixelsAreTheTracesNumbers() {
        QFETCH(double, scale);
        QFETCH(int, stage);
        const auto trace = makeTrace();
        FigureOptions options;
        options.numbers = false;
        const auto figure = HeatmapFigure::fromTrace(trace, at(Stage(stage)), style(), options);
        const QImage image =
            QImage::fromData(rendered(figure, Format::Png, {{}, scale, {}, {}}), "png");
        const QSizeF size = figure.naturalSize();
        QCOMPARE(image.width(), qCeil(size.width() * scale));
        const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(0, 0), size));
        const core::SharedMatrix matrix = trace->stage(Stage(stage)).matrix(0, 0);
        for (core::Index row = 0; row < matrix.rows; ++row)
            for (core::Index column = 0; column < matrix.columns; ++column) {
                if (figure.content().isHidden(row, column))
                    continue;
                const QPointF centre = geometry.cellRect(row, column).center() * scale;
                QCOMPARE(QColor(image.pixel(centre.toPoint())).name(),
                         QColor(figure.content().scale.colour(
                                    row, static_cast<double>(matrix(row, column))))
                             .name());
            }
    }

    void hiddenCellsLookHidden() {
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const auto image = renderImage(figure);
        QVERIFY(image.ok());
        const HeatmapGeometry geometry =
            figure.geometry(QRectF(QPointF(0, 0), figure.naturalSize()));
        const QRectF cell = geometry.cellRect(0, 5);
        const QRgb corner = image->pixel((cell.topLeft() + QPointF(2, 2)).toPoint());
        QCOMPARE(QColor(corner).name(), QColor(0xECEFF3).name());
        int marked = 0;
        for (int step = 0; step < int(cell.width()); ++step) {
            const QPointF along(cell.left() + step,
                                cell.bottom() - 1 - step * cell.height() / cell.width());
            marked += QColor(image->pixel(along.toPoint())) != QColor(corner) ? 1 : 0;
        }
        QVERIFY(marked > 3);
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
        const auto image = renderImage(figure, {{300, 300}, 1, {}, {}});
        QVERIFY(image.ok());
        const QRectF cells = figure.geometry(QRectF(0, 0, 300, 300)).cells;
        int strong = 0;
        for (int y = qCeil(cells.top()); y < qFloor(cells.bottom()); ++y)
            for (int x = qCeil(cells.left()); x < qFloor(cells.right()); ++x)
                strong += image->pixel(x, y) == colourOf(ColourMap::Viridis, 1) ? 1 : 0;
        QCOMPARE(strong, 1);
    }

    void smallMatricesHaveABorder() {
        const auto flow = FlowFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const QImage image = *renderImage(flow);
        const FlowGeometry geometry = flow.geometry(QRectF(QPointF(), flow.naturalSize()));
        const auto isFramed = [&](const QRectF &cells) {
            const QPointF middle = cells.center();
            return image.pixelColor(qRound(cells.left()) - 1, qRound(middle.y())) ==
                       style().border &&
                   image.pixelColor(qRound(middle.x()), qRound(cells.bottom())) == style().border;
        };
        for (const FlowNode &node : geometry.nodes)
            QVERIFY2(isFramed(node.matrix), core::infoOf(node.at.stage).name.data());
        QVERIFY(isFramed(geometry.large.cells));
    }

    /// At least one pixel is free between the hatching of padding and the numbers, in every theme,
    /// at every cell size and in vector files.
    void theHatchLeavesTheNumbersFree_data() {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<int>("stage");
        for (const QString theme : {"light", "dark", "paper"})
            for (const Stage stage :
                 {Stage::AttentionWeights, Stage::ScaledScores, Stage::Embeddings})
                QTest::addRow("%s, %s", qPrintable(theme), core::infoOf(stage).name.data())
                    << theme << int(stage);
    }
    void theHatchLeavesTheNumbersFree() {
        QFETCH(QString, theme);
        QFETCH(int, stage);
        TraceRecipe recipe;
        recipe.tokens = {{"a", "b", "c", "d"}, {"e"}};
        recipe.width = 8;
        recipe.headSize = 4;
        core::Selection selection = at(Stage(stage));
        selection.sequence = 1;
        const FigureStyle look = theme == "dark"    ? FigureStyle::dark()
                                 : theme == "paper" ? FigureStyle::paper()
                                                    : FigureStyle::light();
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
                QVERIFY2(touched == 0,
                         qPrintable(QString("%1, %2: %3").arg(side).arg(isVector).arg(touched)));
            }
        QVERIFY(seen > 10);
    }
};

HEADLIGHT_WIDGET_TEST(PngFiguresTest)
#include "tst_png_figures.moc"
