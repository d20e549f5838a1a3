// Each option of `figure` changes the figure as documented, or reports why it cannot.
#include "core/formats/session/writing/writer.h"
#include "picture.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>

using namespace headlight::test;

class CliFigureOptions : public QObject {
    Q_OBJECT
  private slots:
    void differs_data();
    void differs();
    void same_data();
    void same();
    void weightsWithASign();
    void title();
    void theme();
    void wordsOfQt();
    void recipe_data();
    void recipe();
    void recipeOfPdf();

  private:
    QImage image(const QString &options);

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

QImage CliFigureOptions::image(const QString &options) {
    const Run run = m_program.run(QStringList{"figure", "-o", "-", "--format", "png"} +
                                  options.split(' ', Qt::SkipEmptyParts));
    return success(run).isEmpty() ? QImage::fromData(run.out) : QImage();
}

void CliFigureOptions::differs_data() {
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    const auto row = [](const char *source, const char *one, const char *other) {
        QTest::addRow("%s: %s / %s", source, one, other)
            << QString(source) + ' ' + one << QString(source) + ' ' + other;
    };
    row("cat", "--view flow", "--view heads");
    row("cat", "--view heatmap", "--view heads");
    row("cat", "--theme light", "--theme dark");
    row("cat --view heatmap", "--colors viridis", "--colors magma");
    row("cat --view heads", "--colors cividis", "--colors greys");
    row("cat --view heatmap --stage scores", "--colors rdbu", "--colors prgn");
    row("cat --view heads --stage scores", "--colors greys,rdbu", "--colors greys,prgn");
    row("cat --view flow --query 1", "--colors viridis", "--colors magma");
    row("cat --view similarity", "--colors rdbu", "--colors prgn");
    row("cat", "--view similarity", "--view heads");
    row("cat --view similarity", "--contextual context", "--contextual output");
    row("cat --view similarity", "--head 0", "--head 1");
    row("cat", "--range fixed", "--range row");
    row("cat --view heatmap --stage scores", "--range head", "--range heads");
    row("cat --view flow", "--range fixed", "--range row");
    row("cat", "--order index", "--order entropy");
    row("cat --query 2 --key 1", "--granularity stage", "--granularity row");
    row("cat --stage weights --view flow --query 2 --key 1", "--granularity row",
        "--granularity cell");
    row("cat --view flow --stage scores", "--learned shown", "--learned folded");
    row("cat --view flow --stage scores", "--arithmetic line", "--arithmetic opened");
    row("cat --view flow --arithmetic opened --stage scores --query 1", "--key 1", "--key 2");
    row("cat --view flow --stage weights", "--lines hidden", "--lines shown");
    row("cat", "--view geometry", "--view flow");
    row("cat --view geometry", "--space residual", "--space query-key");
    row("cat --space value-context", "--axes principal --query 1", "--query 2");
    row("cat --view geometry --query 1", "--axes principal", "--axes dot-product");
    row("bank --view geometry", "--gravity 0", "--gravity 1");
    row("bank --space residual", "--gravity 0.5", "--gravity 0.5 --together");
    row("cat", "--title One", "--title Two");
    row("cat", "--stage scores", "--stage weights");
    row("cat", "--stage query", "--stage key");
    row("cat", "--stage embeddings", "--stage positioned");
    row("cat --view heatmap", "--head 0", "--head 1");
    row("cat --view heatmap", "--head max", "--head 0");
    row("cat --view heatmap", "--head mean", "--head max");
    row("cat --view heatmap", "--head mean", "--head 0");
    row("cat", "--head all", "--head mean");
    row("cat --view heads", "--head 0", "--head 1");
    row("cat --view heatmap", "--query 1", "--query 2");
    row("cat --view heatmap --query 1", "--key 1", "--key 2");
    row("cat --view flow", "--query 1", "--query 2");
    row("sentence", "--step 0", "--step 7");
    row("batch --view heatmap", "--sequence 0", "--sequence 5");
    row("cat", "--mask none", "--mask causal");
    row("look-ahead --view heatmap", "--mask causal", "--mask padding");
    row("look-ahead --view heatmap --step 5", "--mask own", "--mask none");
    row("batch", "--seed 1", "--seed 2");
    row("cat", "--text one", "--text two");
    row("cat", "--size 800x600", "--size 600x800");
}

void CliFigureOptions::differs() {
    QFETCH(QString, one);
    QFETCH(QString, other);
    const QImage first = image(one);
    const QImage second = image(other);
    QVERIFY(!first.isNull() && !second.isNull());
    QVERIFY(first.convertToFormat(QImage::Format_RGB32) !=
            second.convertToFormat(QImage::Format_RGB32));
}

void CliFigureOptions::same_data() {
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    const auto row = [](const char *one, const char *other) {
        QTest::addRow("%s = %s", one, other) << QString(one) << QString(other);
    };
    row("cat", "cat --view heads");
    row("cat", "cat --theme light");
    row("cat", "cat --mask own");
    row("cat", "cat --step 0");
    row("cat", "cat --scale 1");
    row("cat --stage weights", "cat --view heatmap --stage weights");
    row("cat --stage weights", "cat --stage layers.0.self_attention.weights");
    row("look-ahead --step 5", "look-ahead --step 5 --mask causal+padding");
    row("cat --head all", "cat --view heads");
    row("cat --block self", "cat");
    row("cat --head=1", "cat --head 1");
    row("cat", "cat --range fixed --order index");
    row("cat --order entropy", "cat --view heads --order entropy");
    row("cat --contextual output", "cat --view similarity --contextual output");
    row("cat --granularity row", "cat --view flow --granularity row");
    row("cat --learned folded", "cat --view flow --learned folded");
    row("cat --view flow", "cat --view flow --learned shown");
    row("cat --arithmetic opened", "cat --view flow --arithmetic opened");
    row("cat --view flow", "cat --view flow --arithmetic line");
    row("cat --lines shown", "cat --view flow --lines shown");
    row("cat --view flow --stage query", "cat --view flow --stage query --lines shown");
    row("cat --gravity 0.5", "cat --view geometry --gravity 0.5 --space all --axes principal");
    row("cat --view flow --colors magma,prgn", "cat --view flow --colors prgn --colors magma");
    row("cat --view heads --colors magma,prgn", "cat --view heads --colors magma");
}

void CliFigureOptions::same() {
    QFETCH(QString, one);
    QFETCH(QString, other);
    const QImage first = image(one);
    QVERIFY(!first.isNull());
    QCOMPARE(first.convertToFormat(QImage::Format_RGB32),
             image(other).convertToFormat(QImage::Format_RGB32));
}

void CliFigureOptions::weightsWithASign() {
    // Without softmax, weights use the colours of signed values.
    namespace core = headlight::core;
    const auto base = core::readSession(headlight::ui::lessonFile("cat").toStdString());
    QVERIFY(base);
    core::SavedState now;
    now.set.softmax = false;
    m_program.write("signed.headlight", QByteArray::fromStdString(core::writeSession(*base, now)));
    for (const char *view : {"heatmap", "heads"}) {
        const QStringList words{"figure", "signed.headlight", "-o", "s.png", "--view", view};
        HEADLIGHT_DONE(m_program.run(words + QStringList{"--colors", "rdbu"}));
        HEADLIGHT_REFUSED(m_program.run(words + QStringList{"--colors", "viridis"}), 1,
                          {"--colors", "sign"});
    }
    const QStringList sides{"figure", "cat",     "-o",        "s.png",
                            "--view", "heatmap", "--compare", "signed.headlight"};
    HEADLIGHT_DONE(m_program.run(sides + QStringList{"--show", "a", "--colors", "rdbu"}));
    HEADLIGHT_REFUSED(m_program.run(sides + QStringList{"--show", "now", "--colors", "rdbu"}), 1,
                      {"--colors"});
    HEADLIGHT_DONE(m_program.run(sides + QStringList{"--show", "difference", "--colors", "rdbu"}));
}

void CliFigureOptions::title() {
    for (const char *view : {"heatmap", "heads", "flow", "similarity", "geometry"}) {
        const Run run = m_program.run({"figure", "cat", "-o", "-", "--format", "svg", "--view",
                                       view, "--title", "Tom & <Jerry>"});
        HEADLIGHT_DONE(run);
        QVERIFY(run.out.contains("<title>Tom &amp; &lt;Jerry&gt;</title>"));
        const Run strange = m_program.run({"figure", "cat", "-o", "-", "--format", "svg", "--view",
                                           view, "--title", "a\x01\x1b \ufffe ]]>"});
        HEADLIGHT_DONE(strange);
        QCOMPARE(readPicture(strange.out, "svg").problem, QString());
        // The title is painted, not only stored in the metadata.
        QVERIFY2(run.out.count("Tom &amp; &lt;Jerry&gt;") >= 2, view);
    }
}

void CliFigureOptions::theme() {
    QVERIFY(qGray(image("cat --theme light").pixel(1, 1)) > 200);
    QVERIFY(qGray(image("cat --theme dark").pixel(1, 1)) < 80);
}

void CliFigureOptions::wordsOfQt() {
    // A QApplication would remove these from the arguments.
    HEADLIGHT_DONE(m_program.run({"figure", "cat", "--title", "--style", "-o", "a.svg"}));
    QVERIFY(m_program.read("a.svg").contains("<title>--style</title>"));
    HEADLIGHT_DONE(m_program.run({"figure", "cat", "--title", "-platform", "-o", "b.svg"}));
    QVERIFY(m_program.read("b.svg").contains("<title>-platform</title>"));
    for (const QString &word :
         QStringList{"-title", "-style", "--style", "-platform", "--platform", "-stylesheet",
                     "-qwindowgeometry", "-reverse", "-session"})
        HEADLIGHT_REFUSED(m_program.run({"figure", "cat", "-o", "c.svg", word, "x"}), 2);
    QVERIFY(!m_program.has("c.svg"));
}

void CliFigureOptions::recipe_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("quotes") << QStringList{"cat", "--text",        "it's a cat", "--title",
                                           "-o",  "--mask=causal", "-o",         "d.svg"};
    QTest::newRow("choices") << QStringList{"--colors", "magma,prgn", "--order=entropy", "cat",
                                            "--range",  "heads",      "--output=d.svg"};
    QTest::newRow("the end of options")
        << QStringList{"-od.svg", "--format", "svg", "--view", "similarity", "--", "cat"};
}

void CliFigureOptions::recipe() {
    // The file stores its command, and running that command gives the same figure.
    QFETCH(QStringList, words);
    HEADLIGHT_DONE(m_program.run(QStringList{"figure"} + words));
    const QByteArray svg = m_program.read("d.svg");
    const qsizetype start = svg.indexOf("<desc>") + 6;
    const QString command = QString::fromUtf8(svg.mid(start, svg.indexOf("</desc>") - start))
                                .replace("&#39;", "'")
                                .replace("&quot;", "\"")
                                .replace("&amp;", "&");
    QVERIFY2(command.startsWith("headlight figure "), qPrintable(command));
    QVERIFY2(command.contains(" -o figure.svg"), qPrintable(command));
    QFile::remove(m_program.path("figure.svg"));
    HEADLIGHT_DONE(m_program.shell("headlight() { \"$H\" \"$@\"; }; " + command)); // unchanged
    QCOMPARE(m_program.read("figure.svg"), svg);
}

void CliFigureOptions::recipeOfPdf() {
    const QString tool = QStandardPaths::findExecutable("pdfinfo");
    if (tool.isEmpty())
        QSKIP("pdfinfo is not installed");
    HEADLIGHT_DONE(m_program.run(
        {"figure", "cat", "--title", "Tom & <Jerry>", "--order", "entropy", "-o", "t.pdf"}));
    QProcess process;
    process.start(tool, {"-meta", m_program.path("t.pdf")});
    QVERIFY(finished(process));
    const QByteArray meta = process.readAllStandardOutput();
    QCOMPARE(process.readAllStandardError(), QByteArray());
    for (const char *part :
         {">Tom &amp; &lt;Jerry&gt;<", ">headlight figure cat --title 'Tom &amp; &lt;Jerry&gt;' "
                                       "--order entropy -o figure.pdf<"})
        QVERIFY2(meta.contains(part), meta.constData());
}

HEADLIGHT_WIDGET_TEST(CliFigureOptions)
#include "tst_cli_figure_options.moc"
