// Figures as pixels: their colours are the numbers of the trace.
#include "tests/support/test_main.h"
#include "tests/ui/figures/exported_figure.h"
#include "ui/figures/flow/flow_figure.h"

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
            for (const Stage stage :
                 {Stage::Weights, Stage::MaskedScores, Stage::Scores, Stage::Query, Stage::Output})
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
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
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
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
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
        const auto flow = FlowFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
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

    void theHatchLeavesTheNumbersFree() {
        TraceRecipe recipe;
        recipe.tokens = {{"a", "b", "c", "d"}, {"e"}};
        core::Selection selection = at(Stage::Weights);
        selection.sequence = 1;
        const auto figure = HeatmapFigure::fromTrace(makeTrace(recipe), selection, style());
        const QSizeF size(210, 230); // small cells: their hatch comes close to the middle
        const QImage image = *renderImage(figure, {size, 1, {}, {}});
        const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(), size));
        const QColor hatch = mixed(style().mutedText, style().surface, 0.45);
        const QRectF cell = geometry.cellRect(3, 0);
        QVERIFY(cell.width() >= 24 && cell.width() < 40);
        for (int y = qRound(cell.center().y()) - 3; y <= qRound(cell.center().y()) + 3; ++y)
            for (int x = qRound(cell.center().x()) - 8; x <= qRound(cell.center().x()) + 8; ++x)
                QVERIFY(image.pixelColor(x, y) != hatch);
    }
};

HEADLIGHT_WIDGET_TEST(PngFiguresTest)
#include "tst_png_figures.moc"
