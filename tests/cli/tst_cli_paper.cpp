// Figures for papers: style, physical size, fonts, and a stored command without folder names.
// Reads the files back with poppler and librsvg.
#include "core/formats/figure/figure_session.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/figures/base/style.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>

using namespace headlight::test;
using headlight::ui::FigureStyle;

namespace {

const QStringList kViews{"whole", "heads", "similarity", "geometry", "words", "heatmap"};
const QColor kGrey(0x80, 0x80, 0x80);

/// Selects a cell, so that its frame can be left out.
QString selected(const QString &view) {
    return "sentence --view " + view + " --query 1 --key 2";
}

} // namespace

class CliPaper : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        // A fontconfig file without Inter.
        m_program.write("no-inter.conf",
                        "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n"
                        "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
                        "<cachedir>" +
                            m_program.path("fonts-cache").toUtf8() + "</cachedir></fontconfig>\n");
    }

    void nothingOfTheScreen_data() { addRows("view", kViews); }
    void nothingOfTheScreen() {
        QFETCH(QString, view);
        HEADLIGHT_DONE(figure(selected(view), "screen.svg"));
        HEADLIGHT_DONE(figure(selected(view) + " --paper", "paper.svg"));
        const QByteArray screen = m_program.read("screen.svg"), paper = m_program.read("paper.svg");
        const FigureStyle style = FigureStyle::light();
        // Geometry marks the selection with a ring of this colour, and other views with a frame.
        QVERIFY(screen.contains(style.selection.name().toUtf8()));
        QVERIFY(!paper.contains(style.selection.name().toUtf8()));
        QVERIFY(!paper.contains(style.background.name().toUtf8()));
        // Titles, labels and scales are unchanged.
        const auto wordsOf = [](const QByteArray &svg) {
            QStringList words;
            static const QRegularExpression text("<text [^>]*>([^<]*)</text>");
            for (const auto &match : text.globalMatch(QString::fromUtf8(svg)))
                words << match.captured(1);
            return words;
        };
        QVERIFY(!wordsOf(paper).isEmpty());
        QCOMPARE(wordsOf(paper), wordsOf(screen));
        // The background is white.
        HEADLIGHT_DONE(figure(selected(view) + " --paper", "paper.png"));
        const QImage image(m_program.path("paper.png"));
        QVERIFY(!image.hasAlphaChannel());
        QCOMPARE(image.pixelColor(1, 1), QColor(Qt::white));
        QCOMPARE(image.pixelColor(image.width() - 2, image.height() - 2), QColor(Qt::white));
        // Paper is light under any theme, with identical bytes each time.
        const QByteArray before = m_program.read("paper.png");
        HEADLIGHT_DONE(figure(selected(view) + " --paper --theme light", "again.png"));
        QVERIFY(QImage(m_program.path("again.png")) == image);
        HEADLIGHT_DONE(figure(selected(view) + " --paper", "paper.png"));
        QCOMPARE(m_program.read("paper.png"), before);
    }

    void transparent() {
        for (const QString &view : kViews) {
            const QString words = selected(view) + " --paper --transparent";
            HEADLIGHT_DONE(figure(words, "clear.png"));
            const QImage image(m_program.path("clear.png"));
            QVERIFY(image.hasAlphaChannel());
            QCOMPARE(image.pixelColor(1, 1).alpha(), 0);
            // Painted over white, the transparent figure looks the same.
            HEADLIGHT_DONE(figure(selected(view) + " --paper", "white.png"));
            QImage over(image.size(), QImage::Format_RGB32);
            over.fill(Qt::white);
            QPainter(&over).drawImage(0, 0, image);
            const QImage white = QImage(m_program.path("white.png")).convertToFormat(over.format());
            int differing = 0;
            for (int y = 0; y < white.height(); ++y)
                for (int x = 0; x < white.width(); ++x) {
                    const QColor a = white.pixelColor(x, y), b = over.pixelColor(x, y);
                    // Antialiased edges of letters differ slightly.
                    differing += qAbs(qGray(a.rgb()) - qGray(b.rgb())) > 110;
                }
            QVERIFY2(differing == 0, qPrintable(QString("%1: %2").arg(view).arg(differing)));
            HEADLIGHT_DONE(figure(words, "clear.svg"));
            const QImage shown = rsvg("clear.svg");
            if (!shown.isNull())
                QCOMPARE(shown.pixelColor(2, 2), kGrey);
            HEADLIGHT_DONE(figure(words, "clear.pdf"));
            if (QStandardPaths::findExecutable("pdftocairo").isEmpty())
                continue;
            said("pdftocairo", {"-png", "-transp", "-singlefile", "clear.pdf", "clear-pdf"});
            QCOMPARE(QImage(m_program.path("clear-pdf.png")).pixelColor(2, 2).alpha(), 0);
        }
    }

    void trueSizes_data() {
        QTest::addColumn<QString>("size");
        QTest::addColumn<QSizeF>("points");
        constexpr double kMillimetre = 72 / 25.4;
        const auto row = [](const char *size, double width, double height) {
            QTest::newRow(size) << size << QSizeF(width, height);
        };
        row("84mmx101.5mm", 84 * kMillimetre, 101.5 * kMillimetre);
        row("84x101.5mm", 84 * kMillimetre, 101.5 * kMillimetre);
        row("3.3inx4.27in", 3.3 * 72, 4.27 * 72);
        row("180mmx7in", 0, 0); // mixed units are rejected
    }
    void trueSizes() {
        QFETCH(QString, size);
        QFETCH(QSizeF, points);
        const QString words = "cat --view heatmap --size " + size;
        if (points.isEmpty()) {
            HEADLIGHT_REFUSED(figure(words, "a.pdf"), 2, {"--size"});
            return;
        }
        HEADLIGHT_DONE(figure(words, "a.pdf"));
        if (const QByteArray info = said("pdfinfo", {"a.pdf"}); !info.isEmpty()) {
            const auto match =
                QRegularExpression("Page size: +([0-9.]+) x ([0-9.]+) pts").match(QString(info));
            QVERIFY(match.hasMatch());
            QVERIFY(qAbs(match.captured(1).toDouble() - points.width()) < 0.01);
            QVERIFY(qAbs(match.captured(2).toDouble() - points.height()) < 0.01);
        }
        HEADLIGHT_DONE(figure(words, "a.svg"));
        const auto root = QRegularExpression("<svg width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"\\s+"
                                             "viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")
                              .match(QString::fromUtf8(m_program.read("a.svg")));
        QVERIFY(root.hasMatch());
        QVERIFY(qAbs(root.captured(1).toDouble() * 72 / 25.4 - points.width()) < 0.001);
        QVERIFY(qAbs(root.captured(2).toDouble() * 72 / 25.4 - points.height()) < 0.001);
        QVERIFY(qAbs(root.captured(3).toDouble() * 0.75 - points.width()) < 0.001);
        QVERIFY(qAbs(root.captured(4).toDouble() * 0.75 - points.height()) < 0.001);
        // 3.125 · 96 = 300 pixels per inch.
        HEADLIGHT_DONE(figure(words + " --scale 3.125", "a.png"));
        const QImage image(m_program.path("a.png"));
        QCOMPARE(image.dotsPerMeterX(), qRound(300 / 0.0254));
        QCOMPARE(image.width(), qCeil(points.width() / 72 * 300));
        QVERIFY(qAbs(image.width() / (image.dotsPerMeterX() * 0.0254) * 72 - points.width()) <
                0.25);
    }

    void theWidthAlone() {
        for (const QString &view : kViews) {
            const QString words = "cat --caption auto --view " + view + " --size 180mm";
            HEADLIGHT_DONE(figure(words, "a.svg"));
            const QByteArray svg = m_program.read("a.svg");
            QVERIFY2(svg.contains("<svg width=\"180mm\""), svg.left(200));
            HEADLIGHT_DONE(figure(words, "a.png"));
            const QSize size = QImage(m_program.path("a.png")).size();
            QCOMPARE(size.width(), 681);
            QVERIFY(size.height() > 150 && size.height() < 1000);
        }
        // Even the narrowest heatmap keeps its own height, without blank space at the bottom.
        HEADLIGHT_DONE(figure("cat --view heatmap --paper --size 84mm", "a.png"));
        const QImage image(m_program.path("a.png"));
        int last = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (image.pixelColor(x, y) != QColor(Qt::white))
                    last = y;
        QVERIFY2(image.height() - last < 30, qPrintable(QString::number(image.height() - last)));
        HEADLIGHT_DONE(figure("cat --view heatmap --size 300", "a.png"));
        QCOMPARE(QImage(m_program.path("a.png")).width(), 300);
    }

    void fontsWithFallbacks() {
        HEADLIGHT_DONE(figure(selected("close-up") + " --paper", "a.svg"));
        QSet<QString> families;
        static const QRegularExpression family("font-family=\"([^\"]*)\"");
        for (const auto &match : family.globalMatch(QString::fromUtf8(m_program.read("a.svg"))))
            families << match.captured(1);
        QVERIFY(!families.contains("sans-serif")); // shapes have no text and set no font
        int mono = 0;
        for (const QString &each : families) {
            QVERIFY2(each.contains(", "), qPrintable(each));
            QVERIFY2(each.endsWith(", 'Helvetica Neue', Arial, sans-serif") ||
                         each.endsWith("'DejaVu Sans Mono', Menlo, Consolas, monospace"),
                     qPrintable(each));
            QVERIFY2(!each.contains('"') && !each.startsWith(','), qPrintable(each));
            mono += each.endsWith("monospace");
        }
        QCOMPARE(mono, 1);
        QCOMPARE(families.size(), 2);
        // The font is DejaVu Sans Mono, whatever the system's default monospaced font.
        if (!said("fc-list", {"DejaVu Sans Mono"}).isEmpty())
            QVERIFY(families.contains("'DejaVu Sans Mono', Menlo, Consolas, monospace"));
        // A word that looks like an attribute stays text.
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "--view", "heatmap", "--paper", "--title",
                                      "font-family=\"Inter\"", "-o", "b.svg"}));
        QVERIFY(m_program.read("b.svg").contains(">font-family=&quot;Inter&quot;<"));
    }

    void textAsPaths() {
        const QString words = selected("close-up") + " --paper --size 180mm";
        HEADLIGHT_DONE(figure(words, "text.svg"));
        HEADLIGHT_DONE(figure(words + " --text-as-paths", "paths.svg"));
        QVERIFY(m_program.read("text.svg").contains("<text "));
        QVERIFY(!m_program.read("paths.svg").contains("<text "));
        HEADLIGHT_DONE(figure(words + " --text-as-paths", "paths.pdf"));
        HEADLIGHT_DONE(figure(words, "text.pdf"));
        if (const QByteArray fonts = said("pdffonts", {"text.pdf"}); !fonts.isEmpty()) {
            QVERIFY(fonts.count('\n') > 2);
            QCOMPARE(said("pdffonts", {"paths.pdf"}).count('\n'), 2); // table header only, no fonts
            QVERIFY(said("pdftotext", {"text.pdf", "-"}).contains("visited"));
            QCOMPARE(said("pdftotext", {"paths.pdf", "-"}).simplified(),
                     QByteArray("\f").simplified());
        }
        // The bytes are identical each time.
        const QByteArray before = m_program.read("paths.pdf");
        HEADLIGHT_DONE(figure(words + " --text-as-paths", "paths.pdf"));
        QCOMPARE(m_program.read("paths.pdf"), before);
        const QImage text = rsvg("text.svg"), paths = rsvg("paths.svg");
        if (text.isNull())
            QSKIP("rsvg-convert is not installed");
        // Without Inter, outlines do not change but text does.
        QVERIFY(rsvg("paths.svg", "no-inter.conf") == paths);
        if (!said("fc-list", {"Inter"}).isEmpty())
            QVERIFY(rsvg("text.svg", "no-inter.conf") != text);
        // The outlines match the text, except for a small drift in long lines. One eighth of the
        // letters' pixels would be ten times the limit.
        QCOMPARE(paths.size(), text.size());
        int differing = 0;
        for (int y = 0; y < text.height(); ++y)
            for (int x = 0; x < text.width(); ++x)
                differing += qAbs(qGray(text.pixel(x, y)) - qGray(paths.pixel(x, y))) > 110;
        QVERIFY2(differing < text.width() * text.height() / 500,
                 qPrintable(QString::number(differing)));
        // Every character has outlines, or an image if it is a colour glyph.
        HEADLIGHT_DONE(
            m_program.run({"figure", "cat", "--view", "heatmap", "--text",
                           "ذهبت 世界 👍🏽", "--text-as-paths", "-o", "b.svg"}));
        QVERIFY(!m_program.read("b.svg").contains("<text "));
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "--text-as-paths", "-o", "b.png"}));
    }

    void noFolderIsNamed() {
        QDir(m_program.path(".")).mkpath("deep down");
        const QString folder = m_program.path("deep down");
        for (const QString name : {"mine.headlight", "bank", "-x.headlight", "words"})
            m_program.write("deep down/" + name, headlight::ui::lessonFile("cat"));
        m_program.write("deep down/vectors.txt", "cat 1 2\n");
        const auto holds = [](const QByteArray &bytes, const QString &words) {
            return bytes.contains(words.toUtf8()) ||
                   bytes.contains(QString(words).replace(' ', "%20").toUtf8());
        };
        for (const QString format : {"png", "svg", "pdf"}) {
            const QString file = "a." + format;
            for (const auto &[source, named] :
                 {std::pair(folder + "/mine.headlight", "mine.headlight"),
                  std::pair(folder + "/../deep down/mine.headlight", "mine.headlight"),
                  std::pair(QString("deep down/mine.headlight"), "mine.headlight"),
                  std::pair(folder + "/bank", "./bank"), // the file, not the lesson of this name
                  std::pair(folder + "/-x.headlight", "./-x.headlight")}) {
                HEADLIGHT_DONE(
                    m_program.run({"figure", source, "--compare", folder + "/mine.headlight",
                                   "--show=now", "-o", file}));
                const QByteArray bytes = m_program.read(file);
                QVERIFY2(!holds(bytes, "deep"), qPrintable(source));
                if (format == "png") // PNG text is compressed
                    QVERIFY(!QImage(m_program.path(file)).text("Description").contains("deep"));
                QVERIFY2(!bytes.contains(QDir::homePath().toUtf8() + '/'), qPrintable(source));
                const auto carried = headlight::core::readFigure(bytes.toStdString());
                QVERIFY(carried);
                QStringList words;
                for (const std::string &word : carried->arguments)
                    words << QString::fromStdString(word);
                QCOMPARE(words, (QStringList{named, "--compare", "mine.headlight", "--show=now"}));
                QVERIFY(!QByteArray::fromStdString(carried->session).contains("deep"));
                // The figure can be painted again.
                QCOMPARE(m_program.run({"figure", file, "-o", "again." + format}).code, 0);
            }
        }
        const Run run = m_program.run({"figure", folder + "/mine.headlight",
                                       "--vectors=" + folder + "/vectors.txt", "-o", "v.svg"});
        if (run.code == 0)
            QVERIFY(!m_program.read("v.svg").contains("deep"));
        // A source that is not a path, and a figure as the source of another one.
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "deep down/got.png"}));
        HEADLIGHT_DONE(m_program.run({"figure", "deep down/got.png", "-o", "b.png"}));
        QVERIFY(!m_program.read("b.png").contains("deep"));
    }

    void aFigureOnPaperIsPaintedAgain() {
        HEADLIGHT_DONE(figure(
            selected("heads") + " --paper --transparent --text-as-paths --size 180mm", "a.svg"));
        HEADLIGHT_DONE(m_program.run({"figure", "a.svg", "-o", "b.svg"}));
        QCOMPARE(m_program.read("b.svg"), m_program.read("a.svg"));
        HEADLIGHT_DONE(m_program.run({"figure", "a.svg", "-o", "b.pdf"}));
        HEADLIGHT_DONE(m_program.run({"figure", "b.pdf", "-o", "c.svg"}));
        QCOMPARE(m_program.read("c.svg"), m_program.read("a.svg"));
        // Typed options override stored ones, and screen themes are not for paper.
        HEADLIGHT_DONE(m_program.run({"figure", "a.svg", "--theme", "dark", "-o", "b.png"}));
        QVERIFY(QImage(m_program.path("b.png")).pixelColor(1, 1) == FigureStyle::dark().background);
        HEADLIGHT_DONE(m_program.run({"figure", "b.png", "--paper", "-o", "c.png"}));
        QVERIFY(QImage(m_program.path("c.png")).pixelColor(1, 1) == QColor(Qt::white));
    }

  private:
    Run figure(const QString &words, const QString &file) const {
        return m_program.run(QStringList{"figure"} + words.split(' ') + QStringList{"-o", file});
    }

    /// Returns the tool's output for the file. Empty if the tool is not installed. `fonts` is a
    /// fontconfig file in the test's folder.
    QByteArray said(const QString &tool, const QStringList &words,
                    const QString &fonts = {}) const {
        const QString program = QStandardPaths::findExecutable(tool);
        if (program.isEmpty())
            return {};
        QProcess process;
        process.setWorkingDirectory(m_program.path("."));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (!fonts.isEmpty())
            environment.insert("FONTCONFIG_FILE", m_program.path(fonts));
        process.setProcessEnvironment(environment);
        process.start(program, words);
        if (!finished(process) || process.exitCode() != 0)
            qWarning("%s: %s", qPrintable(tool), process.readAllStandardError().constData());
        return process.readAllStandardOutput();
    }

    /// Renders with rsvg-convert on grey, at four pixels per logical pixel.
    QImage rsvg(const QString &file, const QString &fonts = {}) const {
        return QImage::fromData(
            said("rsvg-convert", {"-z", "4", "-b", kGrey.name(), m_program.path(file)}, fonts),
            "png");
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_GUILESS_TEST(CliPaper)
#include "tst_cli_paper.moc"
