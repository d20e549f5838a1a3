// `figure`: every lesson and view gives a complete file of the right size, and the same bytes each
// time, in every format. Each option changes the figure as documented. More is in
// scripts/figure.cli.
#include "picture.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>

using namespace headlight::test;

class CliFigure : public QObject {
    Q_OBJECT
  private slots:
    /// Tests the first lesson in all formats, and each other lesson in one of them in turn, because
    /// writing a format does not depend on the content.
    void everyLessonViewAndFormat_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("format");
        const std::vector<const char *> formats{"png", "svg", "pdf"};
        std::size_t turn = 0;
        for (const QString &lesson : headlight::ui::lessonIds()) {
            const bool isFirst = turn == 0;
            for (const char *view : {"whole", "heatmap", "heads"}) {
                const char *own = formats[turn++ % formats.size()];
                for (const char *format : isFirst ? formats : std::vector{own})
                    QTest::addRow("%s %s %s", qPrintable(lesson), view, format)
                        << lesson << view << format;
            }
            ++turn; // the next lesson writes this view in another format
        }
    }
    void everyLessonViewAndFormat() {
        QFETCH(QString, lesson);
        QFETCH(QString, view);
        QFETCH(QString, format);
        const QString name = "figure." + format;
        QByteArray first;
        for (int time = 0; time < 2; ++time) {
            const Run run = m_program.run({"figure", lesson, "--view", view, "-o", name});
            HEADLIGHT_DONE(run);
            QVERIFY(run.out.isEmpty());
            const QByteArray bytes = m_program.read(name);
            if (time == 0)
                first = bytes;
            else
                QVERIFY2(bytes == first, "two runs differ");
        }
        const Picture picture = readPicture(first, format);
        QCOMPARE(picture.problem, QString());
        QVERIFY(picture.size.width() > 100 && picture.size.height() > 50);
        if (format == "png") {
            const QImage image = QImage::fromData(first);
            bool blank = true;
            for (int x = 0; x < image.width() && blank; ++x)
                for (int y = 0; y < image.height() && blank; ++y)
                    blank = image.pixel(x, y) == image.pixel(0, 0);
            QVERIFY(!blank);
        }
        QCOMPARE(m_program.listing(), QStringList{name});
        QVERIFY(QFile::remove(m_program.path(name)));
    }
    /// Each option changes the picture or leaves it unchanged, as documented.
    void options_data() {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("isSame");
        const auto differ = [](const QString &source, const char *one, const char *other) {
            QTest::addRow("%s: %s / %s", qPrintable(source), one, other)
                << source + ' ' + one << source + ' ' + other << false;
        };
        differ("cat", "--view whole", "--view heads");
        differ("cat", "--view heatmap", "--view heads");
        differ("cat", "--theme light", "--theme dark");
        differ("cat --view heatmap", "--colors viridis", "--colors magma");
        differ("cat --view heads", "--colors cividis", "--colors greys");
        differ("cat --view heatmap --stage scores", "--colors rdbu", "--colors prgn");
        differ("cat --view heads --stage scores", "--colors greys,rdbu", "--colors greys,prgn");
        differ("cat --view whole --query 1", "--colors viridis", "--colors magma");
        differ("cat --view similarity", "--colors rdbu", "--colors prgn");
        differ("cat", "--view similarity", "--view heads");
        differ("cat --view similarity", "--contextual context", "--contextual output");
        differ("cat --view similarity", "--head 0", "--head 1");
        differ("cat", "--range fixed", "--range row");
        differ("cat --view heatmap --stage scores", "--range head", "--range heads");
        differ("cat --view whole", "--range fixed", "--range row");
        differ("cat", "--order index", "--order entropy");
        differ("cat --query 2 --key 1", "--granularity stage", "--granularity row");
        differ("cat --stage weights --view close-up --query 2 --key 1", "--granularity row",
               "--granularity cell");
        differ("cat --view whole --stage scores", "--learned shown", "--learned folded");
        differ("cat --view close-up --stage scores", "--arithmetic line", "--arithmetic opened");
        differ("cat --view close-up --arithmetic opened --stage scores --query 1", "--key 1",
               "--key 2");
        differ("cat --view close-up --stage weights", "--lines hidden", "--lines shown");
        differ("cat", "--view geometry", "--view whole");
        differ("cat --view geometry", "--space residual", "--space query-key");
        differ("cat --space value-context", "--axes principal --query 1", "--query 2");
        differ("cat --view geometry --query 1", "--axes principal", "--axes dot-product");
        differ("bank --view geometry", "--gravity 0", "--gravity 1");
        differ("bank --space residual", "--gravity 0.5", "--gravity 0.5 --together");
        differ("cat", "--title One", "--title Two");
        differ("cat", "--stage scores", "--stage weights");
        differ("cat", "--stage query", "--stage key");
        differ("cat", "--stage embeddings", "--stage positioned");
        differ("cat --view heatmap", "--head 0", "--head 1");
        differ("cat --view heatmap", "--head max", "--head 0");
        differ("cat --view heatmap", "--head mean", "--head max");
        differ("cat --view heatmap", "--head mean", "--head 0");
        differ("cat", "--head all", "--head mean");
        differ("cat --view heads", "--head 0", "--head 1");
        differ("cat --view heatmap", "--query 1", "--query 2");
        differ("cat --view heatmap --query 1", "--key 1", "--key 2");
        differ("cat --view whole", "--query 1", "--query 2");
        differ("sentence", "--step 0", "--step 7");
        differ("batch --view heatmap", "--sequence 0", "--sequence 5");
        differ("cat", "--mask none", "--mask causal");
        differ("look-ahead --view heatmap", "--mask causal", "--mask padding");
        differ("look-ahead --view heatmap --step 5", "--mask own", "--mask none");
        differ("batch", "--seed 1", "--seed 2");
        differ("cat", "--text one", "--text two");
        differ("cat", "--size 800x600", "--size 600x800");
        const auto same = [](const char *one, const char *other) {
            QTest::addRow("%s = %s", one, other) << one << other << true;
        };
        same("cat", "cat --view heads");
        same("cat", "cat --theme light");
        same("cat", "cat --mask own");
        same("cat", "cat --step 0");
        same("cat", "cat --scale 1");
        same("cat --stage weights", "cat --view heatmap --stage weights");
        same("cat --stage weights", "cat --stage layers.0.self_attention.weights");
        same("look-ahead --step 5", "look-ahead --step 5 --mask causal+padding");
        same("cat --head all", "cat --view heads");
        same("cat --block self", "cat");
        same("cat --head=1", "cat --head 1");
        same("cat", "cat --range fixed --order index");
        same("cat --order entropy", "cat --view heads --order entropy");
        same("cat --contextual output", "cat --view similarity --contextual output");
        same("cat --granularity row", "cat --view close-up --granularity row");
        same("cat --learned folded", "cat --view close-up --learned folded");
        same("cat --view flow", "cat --view whole"); // the view's former id
        same("cat --view whole", "cat --view whole --learned shown");
        same("cat --arithmetic opened", "cat --view close-up --arithmetic opened");
        same("cat --view close-up", "cat --view close-up --arithmetic line");
        same("cat --lines shown", "cat --view close-up --lines shown");
        same("cat --view close-up --stage query",
             "cat --view close-up --stage query --lines shown");
        same("cat --gravity 0.5", "cat --view geometry --gravity 0.5 --space all --axes principal");
        same("cat --view whole --colors magma,prgn",
             "cat --view whole --colors prgn --colors magma");
        same("cat --view heads --colors magma,prgn", "cat --view heads --colors magma");
    }
    void options() {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QFETCH(bool, isSame);
        const QImage first = image(one), second = image(other);
        QVERIFY(!first.isNull() && !second.isNull());
        QCOMPARE(first == second, isSame);
    }

    void theCommandInAPdf() {
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
        for (const char *part : {">Tom &amp; &lt;Jerry&gt;<",
                                 ">headlight figure cat --title 'Tom &amp; &lt;Jerry&gt;' "
                                 "--order entropy -o figure.pdf<"})
            QVERIFY2(meta.contains(part), meta.constData());
    }

  private:
    QImage image(const QString &options) {
        const Run run = m_program.run(QStringList{"figure", "-o", "-", "--format", "png"} +
                                      options.split(' ', Qt::SkipEmptyParts));
        return success(run).isEmpty()
                   ? QImage::fromData(run.out).convertToFormat(QImage::Format_RGB32)
                   : QImage();
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_WIDGET_TEST(CliFigure)
#include "tst_cli_figure.moc"
