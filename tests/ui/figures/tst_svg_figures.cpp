// Figures as SVG files: cells and text are real shapes and real text, whatever the content.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/files/compact_svg.h"

#include <QSvgGenerator>
#include <QSvgRenderer>

using test::at;
using test::rendered;
using test::style;

namespace {

struct SvgContent {
    bool wellFormed = false;
    QString title, description;
    QStringList texts;
    QList<QSizeF> rects; ///< includes rectangles in paths, such as "M1 2h3v4h-3z"
    int images = 0;
};

void addRects(const QString &path, QList<QSizeF> &rects) {
    static const QRegularExpression form("M[-0-9.]+ [-0-9.]+h([0-9.]+)v([0-9.]+)h-\\1z");
    for (const auto &match : form.globalMatch(path))
        rects.append(QSizeF(match.captured(1).toDouble(), match.captured(2).toDouble()));
}

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
        else if (name == QLatin1String("path"))
            addRects(reader.attributes().value(QLatin1String("d")).toString(), content.rects);
    }
    content.wellFormed = !reader.hasError();
    return content;
}

/// Returns the SVG exactly as Qt writes it.
QByteArray asQtWritesIt(const Figure &figure, const QSizeF &size) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    QPainter painter(&generator);
    QFont font(QStringLiteral("sans-serif"));
    font.setPixelSize(12);
    painter.setFont(font);
    figure.paint(painter, QRectF(QPointF(), size), Device::Vector);
    painter.end();
    return bytes;
}

QImage shown(const QByteArray &svg, const QSizeF &size, double scale) {
    QImage image((size * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    QSvgRenderer renderer(svg);
    renderer.render(&painter, QRectF(QPointF(), size * scale));
    return image;
}

const QString kLibrsvg = QStringLiteral("rsvg-convert");

/// Returns the image, or null if the tool is not installed or cannot read the SVG.
QImage shownByLibrsvg(const QByteArray &svg, double scale) {
    if (QStandardPaths::findExecutable(kLibrsvg).isEmpty())
        return {};
    QProcess process;
    process.start(kLibrsvg, {"-z", QString::number(scale)});
    process.write(svg);
    process.closeWriteChannel();
    return test::finished(process) ? QImage::fromData(process.readAllStandardOutput(), "png")
                                   : QImage();
}

int difference(QRgb a, QRgb b) {
    return std::max(
        {qAbs(qRed(a) - qRed(b)), qAbs(qGreen(a) - qGreen(b)), qAbs(qBlue(a) - qBlue(b))});
}

/// Returns how many pixels differ by more than the antialiasing of edges explains.
int differingPixels(const QImage &a, const QImage &b, int allowed) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += difference(a.pixel(x, y), b.pixel(x, y)) > allowed;
    return count;
}

/// Returns a trace like the one of a bug report, with 29 tokens and eight heads.
core::TracePointer longTrace() {
    TraceRecipe recipe;
    recipe.tokens = {test::numberedWords(29)};
    recipe.heads = 8;
    recipe.headSize = 4;
    return makeTrace(recipe);
}

} // namespace

class SvgFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    /// Attributes that Qt repeats for every shape are dropped, without changing the picture.
    void aShortFileShowsTheSame_data() {
        test::addCombinations<int, QString>({"tokens", "theme"}, {3, 8, 29},
                                            {"light", "dark", "paper"});
    }
    void aShortFileShowsTheSame() {
        QFETCH(int, tokens);
        QFETCH(QString, theme);
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(tokens), {"<b>", "a  b"}}; // padded
        recipe.heads = 4;
        recipe.headSize = 4;
        const auto trace = makeTrace(recipe);
        const FigureStyle style = test::styleOf(theme);
        core::Selection padded = at(Stage::AttentionWeights);
        padded.sequence = 1;
        std::vector<std::unique_ptr<Figure>> figures;
        for (const core::Selection &selection : {at(Stage::AttentionWeights), padded}) {
            figures.push_back(
                std::make_unique<HeadsFigure>(HeadsFigure::fromTrace(trace, selection, style)));
            figures.push_back(
                std::make_unique<WholeFigure>(WholeFigure::fromTrace(trace, selection, style)));
        }
        for (const auto &figure : figures) {
            const QSizeF size = figure->naturalSize();
            const QByteArray whole = asQtWritesIt(*figure, size);
            const QByteArray compact = rendered(*figure, Format::Svg, {size, 1, {}, {}});
            QVERIFY(!compact.isEmpty());
            QVERIFY2(compact.size() * 2 < whole.size(),
                     test::said("%1 of %2", compact.size(), whole.size()));
            const SvgContent before = readSvg(whole), after = readSvg(compact);
            QVERIFY(after.wellFormed);
            QCOMPARE(after.texts, before.texts);
            QCOMPARE(after.images, before.images);
            QCOMPARE(after.rects.size(), before.rects.size());
            // As in a raster image, the background no longer shows between cells of one colour.
            // Nothing else changes.
            const QImage one = shown(whole, size, 1), other = shown(compact, size, 1);
            const QImage pixels = *renderImage(*figure, {size, 1, {}, {}});
            QVERIFY(!one.isNull() && one.size() == other.size());
            int worse = 0;
            for (int y = 0; y < std::min(one.height(), pixels.height()); ++y)
                for (int x = 0; x < std::min(one.width(), pixels.width()); ++x) {
                    const QRgb now = other.pixel(x, y), wanted = pixels.pixel(x, y);
                    worse += difference(one.pixel(x, y), now) > 24 &&
                             difference(now, wanted) > difference(one.pixel(x, y), wanted);
                }
            QCOMPARE(worse, 0);
            // Other programs show the same cell colours.
            if (QStandardPaths::findExecutable(kLibrsvg).isEmpty())
                continue;
            const QImage elsewhere = shownByLibrsvg(compact, 1);
            QCOMPARE(elsewhere.size(), pixels.size());
            const double differing = differingPixels(pixels, elsewhere, 48);
            const double area = pixels.width() * pixels.height();
            QVERIFY2(differing < 0.03 * area, qPrintable(QString::number(differing / area)));
        }
    }

    /// All pixels of a small heatmap match up to its edges: no gaps between cells.
    void cellsHaveCrispEdges() {
        const auto figure =
            HeadsFigure::fromTrace(longTrace(), at(Stage::AttentionWeights), style());
        const QSizeF size(960, 480);
        const HeadsGeometry geometry = figure.geometry(QRectF(QPointF(), size));
        const QByteArray svg = rendered(figure, Format::Svg, {size, 1, {}, {}});
        QVERIFY(svg.contains("shape-rendering=\"crispEdges\""));
        const QImage elsewhere = shownByLibrsvg(svg, 1);
        if (QStandardPaths::findExecutable(kLibrsvg).isEmpty())
            QSKIP("rsvg-convert is not installed");
        QCOMPARE(elsewhere.size(), size.toSize()); // null if it cannot be read
        const QImage pixels = *renderImage(figure, {size, 1, {}, {}});
        for (std::size_t tile = 0; tile < geometry.matrices.size(); ++tile) {
            const QRect inside = geometry.matrices[tile].toAlignedRect().adjusted(1, 1, -1, -1);
            int differing = 0;
            for (int y = inside.top(); y <= inside.bottom(); ++y)
                for (int x = inside.left(); x <= inside.right(); ++x)
                    differing += difference(pixels.pixel(x, y), elsewhere.pixel(x, y)) > 2;
            QCOMPARE(differing, 0);
        }
    }

    void heads29TokensLongAreASmallFile() {
        const auto trace = longTrace();
        for (const FigureStyle &style : {FigureStyle::light(), FigureStyle::paper()}) {
            const auto figure = HeadsFigure::fromTrace(trace, at(Stage::AttentionWeights), style);
            QVERIFY(figure.cellCount() < kMaxVectorCells);
            const QByteArray svg = rendered(figure, Format::Svg);
            QVERIFY2(svg.size() < 300000, qPrintable(QString::number(svg.size())));
            const SvgContent content = readSvg(svg);
            QCOMPARE(content.images, 0);
            QVERIFY(content.rects.size() >= 9 * 29 * 29);
            QCOMPARE(rendered(figure, Format::Svg), svg);
        }
    }

    /// SVG that Qt did not write is left unchanged.
    void whatIsUnknownIsLeftAsItIs() {
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const QByteArray whole = asQtWritesIt(figure, figure.naturalSize());
        QVERIFY(compactSvg(whole).size() < whole.size());
        for (const char *unknown :
             {"<switch>a</switch>", "<g/>", "<text>a", "text", "<!-- a -->", "<rect x=1/>"}) {
            QByteArray other = whole;
            other.insert(other.indexOf("<rect"), unknown);
            QCOMPARE(compactSvg(other), other);
        }
        for (const qsizetype cut :
             {whole.size() / 2, whole.size() - 10, qsizetype(5), qsizetype(0)})
            QCOMPARE(compactSvg(whole.first(cut)), whole.first(cut));
    }

    void svgSurvivesAnyTitle() {
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), at(Stage::AttentionWeights), style());
        const QString nasty = QStringLiteral("<&\">]]> 銀行 🏦 '--");
        const SvgContent svg = readSvg(
            rendered(figure, Format::Svg, {{}, 1, nasty, nasty + QChar(1) + QChar(0xD800)}));
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.title, nasty);
        QVERIFY(svg.description.startsWith(nasty));
    }

    void manyCellsAreOneImage() {
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(201)};
        recipe.heads = 1;
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(recipe), at(Stage::AttentionWeights), style());
        QVERIFY(figure.cellCount() > kMaxVectorCells);
        const SvgContent svg = readSvg(rendered(figure, Format::Svg));
        QVERIFY(svg.wellFormed);
        QCOMPARE(svg.images, 1);
        QVERIFY(svg.rects.size() < 10);
    }

    void manyHeadsHaveTheirNumbers() {
        TraceRecipe recipe;
        recipe.heads = 64;
        recipe.headSize = 1;
        const auto figure =
            HeadsFigure::fromTrace(makeTrace(recipe), at(Stage::AttentionWeights), style());
        for (const QSizeF size : {figure.naturalSize(), figure.minimumSize()}) {
            const SvgContent svg = readSvg(rendered(figure, Format::Svg, {size, 1, {}, {}}));
            QVERIFY(svg.texts.join(' ').contains(QStringLiteral("63")));
            for (const QString &text : svg.texts)
                QVERIFY2(!text.startsWith(QStringLiteral("h")) || !text.contains(QChar(0x2026)) ||
                             text.contains(QStringLiteral("head 0")),
                         qPrintable(text));
        }
    }
};

HEADLIGHT_WIDGET_TEST(SvgFiguresTest)
#include "tst_svg_figures.moc"
