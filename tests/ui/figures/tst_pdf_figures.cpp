// Figures as PDF files, rendered by Poppler: they do not depend on the Qt version.
#include "tests/support/fixed_seed_application.h"
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/files/pdf_writer.h"

#include <QPdfWriter>

using test::rendered;
using test::style;

namespace {

HeatmapFigure heatmapOf(Index side, std::vector<float> values) {
    HeatmapContent content;
    content.tensor = core::Tensor({1, 1, side, side}, std::move(values));
    return HeatmapFigure(content, style());
}

/// Returns the PDF rendered by pdftoppm, or null if it is not installed.
QImage shown(const QByteArray &pdf, int pixelsPerInch) {
    const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftoppm"));
    if (tool.isEmpty())
        return {};
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("figure.pdf")));
    if (!file.open(QIODevice::WriteOnly) || file.write(pdf) != pdf.size())
        return {};
    file.close();
    QProcess process;
    process.start(tool, {"-png", "-singlefile", "-r", QString::number(pixelsPerInch),
                         file.fileName(), folder.filePath("page")});
    if (!test::finished(process))
        return {};
    return QImage(folder.filePath(QStringLiteral("page.png")));
}

/// Returns a PDF with the objects, numbered from 1, and a cross-reference table.
QByteArray pdfWith(const QByteArrayList &objects, const QByteArray &trailer) {
    QByteArray pdf = "%PDF-1.4\n";
    QByteArray table = "0000000000 65535 f \n";
    for (qsizetype i = 0; i < objects.size(); ++i) {
        table += QByteArray::number(pdf.size()).rightJustified(10, '0') + " 00000 n \n";
        pdf += QByteArray::number(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
    }
    const QByteArray count = QByteArray::number(objects.size() + 1);
    const QByteArray place = QByteArray::number(pdf.size());
    return pdf + "xref\n0 " + count + '\n' + table + "trailer\n<<\n/Size " + count + '\n' +
           trailer + ">>\nstartxref\n" + place + "\n%%EOF\n";
}

const PdfText &words() {
    static const PdfText words{
        QStringLiteral("Tom (猫) \\"), QStringLiteral("<how>"),
        core::figureText({{"figure", "bank"}, "{\"headlight\": 1, \"text\": \"a (b) c\"}"})};
    return words;
}

} // namespace

class PdfFiguresTest : public QObject {
    Q_OBJECT

  private slots:
    void whatQtSaysOfTheMomentIsGone() {
        // Documents as written by Qt 6.4 and 6.8, without their pages.
        const QByteArray page = "<<\n/Type /Pages\n/Kids [ ]\n/Count 0\n>>";
        const QByteArray old =
            pdfWith({"<<\n/Title (x)\n/CreationDate (D:20261121204238+09'00')\n>>",
                     "<<\n/Type /Catalog\n/Pages 3 0 R\n>>", page},
                    "/Info 1 0 R\n/Root 2 0 R\n");
        const QByteArray young = pdfWith(
            {"<<\n/Title (x)\n/CreationDate (D:20261121204339Z)\n/ModDate "
             "(D:20261121204339Z)\n/Trapped /False\n>>",
             "<<\n/Type /Catalog\n/Pages 3 0 R\n/Names 4 0 R\n/Metadata 5 0 R\n>>", page, "<<\n>>",
             "<<\n/Length 6 0 R\n>>\nstream\n<CreateDate>2026</CreateDate>\nendstream", "29"},
            "/Info 1 0 R\n/Root 2 0 R\n/ID [ <646531> <646531> ]\n");
        for (const QByteArray &written : {old, young}) {
            const QByteArray pdf = finishedPdf(written, words());
            QVERIFY(!pdf.contains("2026"));
            QVERIFY(!pdf.contains("<646531>"));
            QVERIFY(pdf.contains(page));
            const auto carried = test::valueOf(core::readFigure(pdf.toStdString()));
            QCOMPARE(core::figureText(carried), words().session);
        }
    }

    void whatNoQtWritesIsLeftAlone() {
        const QByteArray good =
            pdfWith({"<<\n>>", "<<\n/Pages 1 0 R\n>>"}, "/Info 1 0 R\n/Root 2 0 R\n");
        QVERIFY(finishedPdf(good, words()) != good);
        QByteArrayList others{"",
                              "%PDF-1.7\n",
                              good.left(good.size() / 2),
                              QByteArray(good).replace("/Root 2", "/Root 9"),
                              QByteArray(good).replace("/Pages", "/Pagen"),
                              QByteArray(good).replace("xref\n0 3", "xref\n0 9"),
                              QByteArray(good).replace("2 0 obj", "7 0 obj"),
                              QByteArray(good).replace("startxref\n", "startxref\n9")};
        for (const QByteArray &other : others)
            QCOMPARE(finishedPdf(other, words()), other);
    }

    void attachmentsOfEveryQtAreRead() {
        // Attachments as Headlight wrote them with Qt 6.4 and 6.8.
        for (const QByteArray &name :
             {QByteArray("headlight-figure.json"),
              QByteArray("\xFE\xFF\0h\0e\0a\0d\0l\0i\0g\0h\0t\0-\0f\0i\0g\0u\0r\0e\0.\0j\0s\0o\0n",
                         44)}) {
            const QByteArray text = QByteArray::fromStdString(words().session);
            const QByteArray pdf =
                pdfWith({"<<\n/Length 2 0 R\n>>\nstream\n" + text + "\nendstream",
                         QByteArray::number(text.size()),
                         "<<\n/F (" + name + ")\n/EF <</F 1 0 R>>\n/Type/Filespec\n>>"},
                        "");
            const auto carried = test::valueOf(core::readFigure(pdf.toStdString()));
            QCOMPARE(core::figureText(carried), words().session);
        }
    }

    void largeHeatmapsHaveTheMapsColours() {
        constexpr Index kSide = 220;
        core::Random random(7);
        std::vector<float> values(kSide * kSide);
        for (float &value : values)
            value = static_cast<float>(random.uniform());
        const HeatmapFigure figure = heatmapOf(kSide, values);
        QVERIFY(figure.cellCount() > kMaxVectorCells);
        const QSizeF size(800, 800);
        const QByteArray pdf = rendered(figure, Format::Pdf, {size, 1, {}, {}});
        QVERIFY(!pdf.isEmpty() && !pdf.contains("/DCTDecode"));
        constexpr int kScale = 4;
        const QImage page = shown(pdf, 96 * kScale);
        if (page.isNull())
            QSKIP("pdftoppm is not installed");
        const HeatmapGeometry geometry = figure.geometry(QRectF(QPointF(), size));
        QVERIFY(geometry.cell.width() >= 1);
        for (Index row = 0; row < kSide; ++row)
            for (Index column = 0; column < kSide; ++column) {
                const QPointF centre = geometry.cellRect(row, column).center() * kScale;
                const double value =
                    static_cast<double>(values[static_cast<std::size_t>(row * kSide + column)]);
                QCOMPARE(QColor(page.pixel(centre.toPoint())).name(),
                         QColor(figure.content().scale.colour(row, value)).name());
            }
    }

    /// True if the colour shows at least this weight, painted over the colour of zero.
    static bool isAtLeast(QRgb colour, double weight) {
        constexpr int kYellow = 120; // yellow has less blue than this; text and frames are grey
        return qBlue(colour) < kYellow &&
               qGreen(colour) >= qGreen(mixed(QColor(colourOf(ColourMap::Viridis, 1)),
                                              QColor(colourOf(ColourMap::Viridis, 0)), weight)
                                            .rgb());
    }
    void aLoneStrongCellIsSeen_data() { test::addRows("pixelsPerInch", std::vector<int>{96, 150}); }
    void aLoneStrongCellIsSeen() {
        QFETCH(int, pixelsPerInch);
        constexpr Index kSide = 1024;
        for (const auto &[row, column] : {std::pair<Index, Index>(517, 300), {0, 1023}, {1, 1}}) {
            std::vector<float> values(kSide * kSide);
            values[static_cast<std::size_t>(row * kSide + column)] = 1;
            const HeatmapFigure figure = heatmapOf(kSide, std::move(values));
            const QSizeF size = figure.naturalSize();
            const QByteArray pdf = rendered(figure, Format::Pdf);
            const QImage page = shown(pdf, pixelsPerInch);
            if (page.isNull())
                QSKIP("pdftoppm is not installed");
            const double scale = pixelsPerInch / 96.0;
            const QRectF cells = figure.geometry(QRectF(QPointF(), size)).cells;
            const QRectF inside(cells.topLeft() * scale, cells.size() * scale);
            QList<QPointF> strong;
            for (int y = qFloor(inside.top()); y <= qCeil(inside.bottom()); ++y)
                for (int x = qFloor(inside.left()); x <= qCeil(inside.right()); ++x)
                    if (isAtLeast(page.pixel(x, y), pixelsPerInch == 96 ? 1 : 0.6))
                        strong << QPointF(x, y);
            QVERIFY(!strong.isEmpty());
            // All pixels with the cell's colour are at its position, within a few pixels of 1/96
            // inch.
            const QPointF place(
                inside.left() + (static_cast<double>(column) + 0.5) * inside.width() / kSide,
                inside.top() + (static_cast<double>(row) + 0.5) * inside.height() / kSide);
            for (const QPointF &at : strong)
                QVERIFY((at - place).manhattanLength() < 4 * scale + 2);
        }
    }

    void pdfHasRealTextOnAPageOfItsSize() {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        const auto trace = makeTrace();
        const auto figure =
            HeatmapFigure::fromTrace(trace, test::at(Stage::AttentionWeights), style());
        const QByteArray pdf = rendered(figure, Format::Pdf, {{480, 384}, 1, {}, {}});
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/MediaBox [0 0 360")); // 480 / 96 inch at 72 points per inch
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
            QVERIFY(test::says(text, token));
        QVERIFY(text.contains(QStringLiteral("attention weights")));
    }

    void pdfsAreTheSameInEveryTimeZone() {
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), test::at(Stage::AttentionWeights), style());
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
            QVERIFY(pdf.contains("<rdf:li xml:lang=\"x-default\">/ID [ab]")); // text of the figure
            // Every object is at its offset in the table.
            const qsizetype start = pdf.lastIndexOf("startxref\n") + 10;
            const qsizetype table = pdf.mid(start, pdf.indexOf('\n', start) - start).toLongLong();
            QVERIFY(pdf.mid(table).startsWith("xref\n0 "));
            const QList<QByteArray> lines = pdf.mid(table).split('\n');
            const qsizetype count = lines[1].mid(2).toLongLong();
            QVERIFY(count > 5);
            for (qsizetype i = 1; i < count; ++i)
                QVERIFY(lines[2 + i].contains("f") || // Qt's timestamp objects are removed
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
        const auto figure =
            HeatmapFigure::fromTrace(makeTrace(), test::at(Stage::AttentionWeights), style());
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
};

HEADLIGHT_TEST_WITH(headlight::test::FixedSeedApplication, PdfFiguresTest)
#include "tst_pdf_figures.moc"
