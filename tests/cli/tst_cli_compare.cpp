// `figure` compares two sources, two steps or two sequences, and reports why it cannot.
#include "picture.h"
#include "process.h"
#include "tests/support/test_main.h"

#include <QImage>

using namespace headlight::test;

class CliCompare : public QObject {
    Q_OBJECT
  private slots:
    void sides();
    void everyView_data();
    void everyView();
    void sideAOfAnotherLength_data();
    void sideAOfAnotherLength();
    void twoSequences();
    void twoFiles();
    void captures();
    void caption();
    void recipe();
    void refused_data();
    void refused();

  private:
    QImage image(const QString &words) {
        const Run run = m_program.run(QStringList{"figure", "-o", "-", "--format", "png"} +
                                      words.split(' ', Qt::SkipEmptyParts));
        return success(run).isEmpty() ? QImage::fromData(run.out) : QImage();
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliCompare::sides() {
    const QString words = "cat --mask causal --compare cat --view heatmap";
    const QImage difference = image(words);
    QVERIFY(!difference.isNull());
    QCOMPARE(image(words + " --show difference"), difference); // the default without --show
    const QImage a = image(words + " --show a");
    const QImage now = image(words + " --show now");
    QVERIFY(difference != a && difference != now && a != now);
    QCOMPARE(now, image("cat --mask causal --view heatmap"));
}

void CliCompare::everyView_data() {
    QTest::addColumn<QString>("view");
    for (const char *view : {"flow", "heads", "heatmap", "similarity"})
        QTest::newRow(view) << view;
}

void CliCompare::everyView() {
    QFETCH(QString, view);
    const QString words = "look-ahead --step 5 --compare look-ahead --view " + view;
    const QImage light = image(words);
    QVERIFY(!light.isNull());
    QVERIFY(light != image("look-ahead --step 5 --view " + view));
    QVERIFY(light != image(words + " --theme dark"));
    QVERIFY(light != image(words + " --colors prgn")); // a change has a sign
    const Run svg =
        m_program.run(QStringList{"figure", "-o", "-", "--format", "svg"} + words.split(' '));
    HEADLIGHT_DONE(svg);
    QCOMPARE(readPicture(svg.out, "svg").problem, QString());
    QVERIFY(svg.out.contains("current − A"));
}

/// If A has another length, side A is A's own figure with A's name in its titles.
void CliCompare::sideAOfAnotherLength_data() {
    QTest::addColumn<QString>("view");
    for (const char *view :
         {"flow", "heads", "heatmap", "similarity", "geometry", "softmax", "words"})
        QTest::newRow(view) << view;
}

void CliCompare::sideAOfAnotherLength() {
    QFETCH(QString, view);
    const Run run = m_program.run({"figure", "cat", "--compare", "bank", "--show", "a", "--view",
                                   view, "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.contains("A: bank"));
    QVERIFY(run.out.contains("money"));
    QVERIFY(!run.out.contains(">sat<"));
}

void CliCompare::twoSequences() {
    const Run run = m_program.run({"figure", "batch", "--compare-sequence", "1", "--view",
                                   "heatmap", "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.contains("Birds | She"));
    QVERIFY(run.out.contains("sequence 1"));
    const Run same = m_program.run({"figure", "batch", "--sequence", "2", "--compare-sequence", "2",
                                    "--view", "heatmap", "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(same);
    QVERIFY(same.out.contains("nothing changed"));
    // The same sequence, through another source.
    HEADLIGHT_DONE(m_program.run({"figure", "batch", "--compare", "batch", "--compare-sequence",
                                  "2", "--sequence", "3", "-o", "s.png"}));
}

void CliCompare::twoFiles() {
    QFile lesson(":/lessons/cat.headlight");
    QVERIFY(lesson.open(QIODevice::ReadOnly));
    m_program.write("my own.headlight", lesson.readAll());
    const Run run = m_program.run({"figure", "cat", "--compare", "my own.headlight", "--view",
                                   "heads", "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.contains("nothing changed"));
    QVERIFY(run.out.contains("my own.headlight, step 1"));
}

void CliCompare::captures() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "one.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "--mask", "causal", "-o", "two.safetensors"}));
    const Run run = m_program.run({"figure", "two.safetensors", "--compare", "one.safetensors",
                                   "--stage", "weights", "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.contains("largest change"));
    QVERIFY(run.out.contains("one.safetensors"));
}

void CliCompare::caption() {
    const Run run = m_program.run({"figure", "cat", "--compare", "cat", "--compare-step", "2",
                                   "--caption", "auto", "-o", "-", "--format", "svg"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.contains("Current − A, A: cat, step 3."));
}

void CliCompare::recipe() {
    HEADLIGHT_DONE(m_program.run(
        {"figure", "cat", "--compare", "cat", "--compare-step=2", "--show", "a", "-o", "x.svg"}));
    QVERIFY(m_program.read("x.svg").contains(
        "headlight figure cat --compare cat --compare-step=2 --show a -o figure.svg"));
}

void CliCompare::refused_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const char *words, int code, const QStringList &mentions) {
        QTest::newRow(words) << QString(words) << code << mentions;
    };
    row("cat --compare bank", 1, {"--compare", "A has 2 tokens, the current side has 6"});
    row("cat --compare bank --view flow", 1, {"A has 2 tokens, the current side has 6"});
    row("cat --compare bank --view similarity", 1, {"A has 2 tokens, the current side has 6"});
    row("batch --compare-sequence 1 --view similarity", 1, {"tokens, the current side has"});
    // Each view reports the reason and the remedy.
    for (const char *view : {"heads", "heatmap", "flow", "similarity"})
        row(qPrintable(QString("cat --compare bank --show difference --view %1").arg(view)), 1,
            {"A has 2 tokens, the current side has 6", "--show a or --show now"});
    for (const char *view : {"geometry", "softmax", "words"})
        row(qPrintable(QString("cat --compare bank --show difference --view %1").arg(view)), 1,
            {"--show", "one side of a comparison", "give --show a or --show now"});
    row("cat --compare bank --show a --view output", 1, {"A has no output layer"});
    row("cat --compare bank --show a --view training", 1, {"A was not trained"});
    row("cat --compare bank --show a --view softmax --logits 1,2", 1, {"do not come from a model"});
    row("induction --compare bank --show a --layer 1", 1,
        {"A has 1 layer, so it has no layer 1", "--show now"});
    row("cat --compare bank --show a --view flow --way-back", 1, {"gradients", "--show now"});
    row("cat --compare-sequence 1", 1, {"--compare-sequence", "only 0 exists here"});
    row("batch --compare-sequence 99", 1, {"--compare-sequence", "give 0 to"});
    row("cat --compare cat --compare-sequence 7", 1, {"--compare-sequence"});
    row("cat --compare cat --compare-step 99", 1, {"--compare-step"});
    row("cat --compare nowhere.headlight", 1, {"nowhere.headlight"});
    row("cat --compare kat", 2, {"kat", "'cat'"});
    row("cat --show a", 2, {"--show", "--compare SOURCE"});
    row("cat --compare cat --show b", 2, {"--show", "now, a, difference"});
    row("cat --compare-step 1", 2, {"--compare-step", "--compare SOURCE"});
    row("cat --compare cat --compare-sequence -1", 2, {"whole number"});
    row("cat --compare cat --view heatmap --colors viridis", 1, {"--colors", "rdbu"});
}

void CliCompare::refused() {
    QFETCH(QString, words);
    QFETCH(int, code);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(QStringList{"figure", "-o", "no.png"} + words.split(' ')), code,
                      mentions);
    QVERIFY(!m_program.has("no.png"));
}

HEADLIGHT_WIDGET_TEST(CliCompare)
#include "tst_cli_compare.moc"
