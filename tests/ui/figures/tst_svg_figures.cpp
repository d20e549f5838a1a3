// Figures as SVG files: real cells and real texts, whatever they say.
#include "tests/support/test_main.h"
#include "tests/ui/figures/exported_figure.h"
#include "ui/figures/heads/heads_figure.h"
#include "ui/words/number_text.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::at;
using test::makeTrace;
using test::rendered;
using test::style;
using test::TraceRecipe;

namespace {

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

class SvgFiguresTest : public QObject {
    Q_OBJECT

  private slots:
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

    void zeroAndAlmostZeroAreToldApart() {
        HeatmapContent content;
        content.tensor = core::Tensor({1, 1, 1, 3}, {0, 0.004f, 0.996f});
        const HeatmapFigure figure(content, style());
        const SvgContent svg = readSvg(rendered(figure, Format::Svg, {{400, 200}, 1, {}, {}}));
        QVERIFY(svg.texts.contains(QStringLiteral("0")));
        QVERIFY(svg.texts.contains(QStringLiteral(".00")));
        QVERIFY(svg.texts.contains(QStringLiteral("1.00")));
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
};

HEADLIGHT_WIDGET_TEST(SvgFiguresTest)
#include "tst_svg_figures.moc"
