// Figures as files: the pixels, the texts and the bytes.
#include "core/formats/figure_session.h"
#include "tests/support/waiting.h"
#include "tests/ui/figures/figure_traces.h"
#include "ui/figures/export.h"
#include "ui/figures/flow_figure.h"
#include "ui/figures/heads_figure.h"
#include "ui/figures/number_text.h"
#include "ui/figures/trace_heatmap.h"

#include <QFile>
#include <QHashSeed>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <ctime>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::makeTrace;
using test::TraceRecipe;

namespace {

const FigureStyle &style() {
    static const FigureStyle style = FigureStyle::light();
    return style;
}

core::Selection at(Stage stage) {
    core::Selection selection;
    selection.stage = stage;
    return selection;
}

QByteArray rendered(const Figure &figure, Format format, const ExportOptions &options = {}) {
    const auto bytes = render(figure, format, options);
    return bytes ? *bytes : QByteArray();
}

struct SvgContent {
    bool wellFormed = false;
    QString title, description;
    QStringList texts;
    QList<QSizeF> rects;
    int images = 0;
};

SvgContent readSvg(const QByteArray &svg) {
    SvgContent content;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QString name = reader.name().toString();
        if (name == QLatin1String("title"))
            content.title = reader.readElementText();
        else if (name == QLatin1String("desc"))
            content.description = reader.readElementText();
        else if (name == QLatin1String("text"))
            content.texts.append(reader.readElementText());
        else if (name == QLatin1String("image"))
            ++content.images;
        else if (name == QLatin1String("rect"))
            content.rects.append(
                QSizeF(reader.attributes().value(QLatin1String("width")).toDouble(),
                       reader.attributes().value(QLatin1String("height")).toDouble()));
    }
    content.wellFormed = !reader.hasError();
    return content;
}

} // namespace

class FigureExportTest : public QObject {
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

    void svgHasRealCellsAndTexts() {
        const auto trace = makeTrace();
        const auto figure = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const QSizeF size(620, 520);
        const SvgContent svg = readSvg(rendered(figure, Format::Svg, {size, 1, {}, {}}));
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.images, 0);
        const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(0, 0), size));
        QVERIFY(!geometry.slanted);
        const auto isCell = [&](const QSizeF &rect) {
            return qAbs(rect.width() - geometry.cell.width()) <= 1 &&
                   qAbs(rect.height() - geometry.cell.height()) <= 1;
        };
        QCOMPARE(std::count_if(svg.rects.begin(), svg.rects.end(), isCell), 64);
        for (const QString &token :
             tokensOf(*trace, 0)) // as row and as column; "bank" is there twice
            QVERIFY(svg.texts.count(token) >= 2);
        const core::SharedMatrix matrix = trace->stage(Stage::Weights).matrix(0, 0);
        for (core::Index row = 0; row < 8; ++row)
            for (core::Index column = 0; column <= row; ++column)
                QVERIFY(svg.texts.contains(cellText(static_cast<double>(matrix(row, column)))));
    }

    void svgSurvivesAnyTitle() {
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
        const QString nasty = QStringLiteral("<&\">]]> 銀行 🏦 '--");
        const SvgContent svg = readSvg(
            rendered(figure, Format::Svg, {{}, 1, nasty, nasty + QChar(1) + QChar(0xD800)}));
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.title, nasty);
        QVERIFY(svg.description.startsWith(nasty));
    }

    void tokensMayBeAnything() {
        TraceRecipe recipe;
        recipe.tokens = {{"<b>", "a&b", "\"", "مرحبا", "🏦", "銀行", "\n", "]]>"}};
        const auto trace = makeTrace(recipe);
        const auto figure = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const SvgContent svg = readSvg(rendered(figure, Format::Svg, {{700, 600}, 1, {}, {}}));
        QVERIFY(svg.wellFormed);
        for (const QString &token : {QStringLiteral("<b>"), QStringLiteral("a&b"),
                                     QStringLiteral("مرحبا"), QStringLiteral("銀行")})
            QVERIFY2(svg.texts.contains(token), qPrintable(token));
    }

    void manyCellsAreOneImage() {
        TraceRecipe recipe;
        recipe.tokens = {test::manyTokens(201)};
        recipe.heads = 1;
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(recipe), at(Stage::Weights), style());
        QVERIFY(figure.cellCount() > kMaximumVectorCells);
        const SvgContent svg = readSvg(rendered(figure, Format::Svg));
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.images, 1);
        QVERIFY(svg.rects.size() < 10);
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

    void zeroAndAlmostZeroAreToldApart() {
        HeatmapContent content;
        content.tensor = core::Tensor({1, 1, 1, 3}, {0, 0.004f, 0.996f});
        const HeatmapFigure figure(content, style());
        const SvgContent svg = readSvg(rendered(figure, Format::Svg, {{400, 200}, 1, {}, {}}));
        QVERIFY(svg.texts.contains(QStringLiteral("0")));
        QVERIFY(svg.texts.contains(QStringLiteral(".00")));
        QVERIFY(svg.texts.contains(QStringLiteral("1.00")));
    }

    void everyFigureInEveryFormatIsTheSameTwice() {
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::Weights), style());
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
                    // Past the second that Qt would write into the file.
                    HEADLIGHT_UNTIL(QDateTime::currentSecsSinceEpoch() > second + 1);
                QVERIFY(rendered(*figure, format, options) == first);
            }
    }

    void pdfHasRealTextOnAPageOfItsSize() {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        const auto trace = makeTrace();
        const auto figure = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const QByteArray pdf = rendered(figure, Format::Pdf, {{480, 384}, 1, {}, {}});
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/MediaBox [0 0 360")); // 480 / 96 inch, 72 points each
        if (tool.isEmpty())
            QSKIP("pdftotext is not installed");
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("figure.pdf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(pdf);
        file.close();
        QProcess process;
        process.start(tool, {QStringLiteral("-raw"), path, QStringLiteral("-")});
        QVERIFY(test::finished(process));
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        for (const QString &token : tokensOf(*trace, 0))
            QVERIFY2(text.contains(token), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("attention weights")));
    }

    void pdfsAreTheSameInEveryTimeZone() {
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
        const bool hadZone = qEnvironmentVariableIsSet("TZ");
        const QByteArray zone = qgetenv("TZ");
        QByteArrayList files;
        for (const char *one : {"UTC0", "JST-9", "NST3:30", "<+0545>-5:45"}) {
            qputenv("TZ", one);
            tzset();
            files << rendered(figure, Format::Pdf, {{}, 1, "/CreationDate (D:1)", "/ID [ab]"});
        }
        hadZone ? qputenv("TZ", zone) : qunsetenv("TZ");
        tzset();
        for (const QByteArray &pdf : files) {
            QVERIFY(pdf == files.first());
            QVERIFY(pdf.contains("/CreationDate (D:20000101000000Z)"));
            QVERIFY(pdf.contains("<rdf:li xml:lang=\"x-default\">/ID [ab]")); // a text of ours
            // Every object is where the table says.
            const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
            const qsizetype table = pdf.mid(start, pdf.indexOf('\n', start) - start).toLongLong();
            QVERIFY(pdf.mid(table).startsWith("xref\n0 "));
            const QList<QByteArray> lines = pdf.mid(table).split('\n');
            const qsizetype count = lines[1].mid(2).toLongLong();
            QVERIFY(count > 5);
            for (qsizetype i = 1; i < count; ++i)
                QVERIFY(lines[2 + i].contains("f") || // what Qt wrote of the moment is gone
                        pdf.mid(lines[2 + i].left(10).toLongLong())
                            .startsWith(QByteArray::number(i) + " 0 obj"));
        }
    }

    void pdfsCarryTitleAndDescription() {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdfinfo"));
        if (tool.isEmpty())
            QSKIP("pdfinfo is not installed");
        const QString title = QStringLiteral("Tom & <Jerry> ]]> 猫 👩‍👧 \x01");
        const QString command = QStringLiteral("headlight figure 'it'\\''s' --text \"a\"\n-o x");
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("figure.pdf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(rendered(figure, Format::Pdf, {{}, 1, title, command}));
        file.close();
        QProcess process;
        process.start(tool, {QStringLiteral("-meta"), file.fileName()});
        QVERIFY(test::finished(process));
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QXmlStreamReader reader(process.readAllStandardOutput());
        QMap<QString, QString> said;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement &&
                reader.namespaceUri() == QLatin1String("http://purl.org/dc/elements/1.1/")) {
                const QString name = reader.name().toString();
                said[name] = reader.readElementText(QXmlStreamReader::IncludeChildElements);
            }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QString clean = title;
        QCOMPARE(said[QStringLiteral("title")], clean.replace(QChar(1), QChar(0xFFFD)));
        QCOMPARE(said[QStringLiteral("description")], command);
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
        const auto figure = HeatmapFigure::fromTrace(makeTrace(), at(Stage::Weights), style());
        const auto png = render(figure, Format::Png, {size, scale, {}, {}});
        QVERIFY(!png.ok());
        QVERIFY(!png.error().text().empty());
    }

    void tooSmallIsRefused() {
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto flow = FlowFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto large = FlowFigure::fromTrace(trace, at(Stage::Weights), FigureStyle::light(2));
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
            // The clipboard has what a small view shows: all of it, shrunk.
            QCOMPARE(renderImage(*figure, {least / 2, 1, {}, {}})->size(),
                     QSizeF(least / 2).toSize());
        }
    }

    void tinyAreasDoNoHarm() {
        const auto trace = makeTrace();
        const auto heatmap = HeatmapFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto heads = HeadsFigure::fromTrace(trace, at(Stage::Weights), style());
        const auto flow = FlowFigure::fromTrace(trace, at(Stage::Weights), style());
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

    void manyHeadsHaveTheirNumbers() {
        TraceRecipe recipe;
        recipe.heads = 64;
        recipe.headSize = 1;
        const auto figure = HeadsFigure::fromTrace(makeTrace(recipe), at(Stage::Weights), style());
        for (const QSizeF size : {figure.naturalSize(), figure.minimumSize()}) {
            const SvgContent svg = readSvg(rendered(figure, Format::Svg, {size, 1, {}, {}}));
            QVERIFY(svg.texts.join(' ').contains(QStringLiteral("63")));
            for (const QString &text : svg.texts)
                QVERIFY2(!text.startsWith(QStringLiteral("h")) || !text.contains(QChar(0x2026)) ||
                             text.contains(QStringLiteral("head 0")),
                         qPrintable(text));
        }
    }

    void theNaturalSizeIsFilled() {
        for (const std::size_t count : {1, 6, 20, 60}) {
            TraceRecipe recipe;
            recipe.tokens = {std::vector<std::string>(count, "word")};
            const auto figure =
                HeatmapFigure::fromTrace(makeTrace(recipe), at(Stage::Weights), style());
            const QSizeF size = figure.naturalSize();
            const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(), size));
            QVERIFY(size.height() - geometry.used.bottom() < 22);
            QVERIFY(size.width() <= 280 || size.width() - geometry.used.right() < 22);
            QVERIFY(geometry.cell.width() >= 6);
        }
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

// Qt orders fonts in a PDF by hash: as in the program itself, the seed is fixed before anything
// else.
int main(int argc, char **argv) {
    QHashSeed::setDeterministicGlobalSeed();
    QApplication application(argc, argv);
    FigureExportTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_figure_export.moc"
