// Valid syntax, impossible request: exit code 1, a one-line error with the allowed values, no
// output file.
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <algorithm>

using namespace headlight::test;

class CliImpossible : public QObject {
    Q_OBJECT
  private slots:
    void refused_data();
    void refused();
    void tooLong();
    void existingFileStays();
    void brokenSessions_data();
    void brokenSessions();
    void sources();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliImpossible::refused_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const QString &options, const QStringList &mentions) {
        QTest::newRow(qPrintable(options)) << options.split(' ') << mentions;
    };
    row("--head 2", {"--head", "2 is out of range", "0 to 1"});
    row("--layer 1", {"--layer", "only 0"});
    row("--sequence 1", {"--sequence", "only 0"});
    row("--query 6", {"--query", "0 to 5"});
    row("--dimension 99", {"--dimension", "0 to"});
    row("--key 6", {"--key", "0 to 5"});
    row("--key 9223372036854775807", {"--key", "0 to 5"});
    const auto steps = headlight::ui::readLesson("cat")->lesson->steps.size();
    row(QString("--step %1").arg(steps), {"--step", QString("0 to %1").arg(steps - 1)});
    row("--text one --query 1", {"--query", "only 0"});
    row("--stage wieghts", {"--stage", "wieghts", "masked_scores"});
    row("--stage layers.1.self_attention.weights", {"--stage", "weights"});
    row("--view flow --head mean", {"--head", "heatmap"});
    row("--view heads --head max", {"--head", "heatmap"});
    row("--view heatmap --head all", {"--head", "heads"});
    row("--view heads --stage embeddings", {"--view", "embeddings"});
    row("--head mean --stage embeddings", {"--head", "embeddings"});
    row("--view heatmap --colors rdbu", {"--colors", "viridis"});
    row("--stage scores --colors viridis", {"--colors", "rdbu"});
    row("--view similarity --colors viridis", {"--colors", "rdbu"});
    row("--view similarity --stage scores", {"--stage", "--contextual"});
    row("--view similarity --range row", {"--range", "cosines"});
    row("--view similarity --head all", {"--head", "heads"});
    row("--view flow --order entropy", {"--order", "--view heads"});
    row("--view heads --contextual output", {"--contextual", "--view similarity"});
    row("--view heatmap --granularity row", {"--granularity", "--view flow"});
    row("--view heads --learned folded", {"--learned", "--view flow"});
    row("--view heads --arithmetic opened", {"--arithmetic", "--view flow"});
    row("--view similarity --lines shown", {"--lines", "--view flow"});
    row("--view heads --gravity 0.5", {"--gravity", "--view geometry"});
    row("--view flow --together", {"--together", "--view geometry"});
    row("--view geometry --colors magma", {"--colors", "no colour scale"});
    row("--view geometry --range row", {"--range", "no colour scale"});
    row("--view geometry --size 100x100", {"100 × 100", "at least"});
    row("--vectors no-such-file.txt", {"no-such-file.txt"});
    row("--size 30001x10", {"30001", "30000"});
    row("--size 4294967295x4294967295", {"pixels"});
    row("--size 400x300 --view flow", {"400 × 300", "at least 600 × 400"});
    row("--size 1x1 --view heatmap", {"1 × 1", "at least 160 × 140"});
    row("--size 84mm --view flow", {"84 × ", "mm", "at least 158.8 × "});
    row("--size 39mm --view heads", {"39 × ", "mm", "at least 40 × "});
    row("--size 0.5in --view heatmap", {"0.5 × ", "in", "at least 1.67 × 1.46 in"});
    row("--size 99999mmx10mm", {"pixels", "30000"});
    row("--size 99999in", {"pixels", "30000"});
    row("--scale 1e9", {"pixels"});
    row("--target-text a", {"--target-text"});
    row("--token-ids 1,2", {"--token-ids", "--text"});
    row("--target-token-ids 1,2", {"sequence"});
    row("--block cross", {"--block"});
    QTest::newRow("no text") << QStringList{"--text", ""} << QStringList{"--text", "no words"};
    QTest::newRow("spaces") << QStringList{"--text", " \n\t\u3000"} << QStringList{"--text"};
    QTest::newRow("joiners") << QStringList{"--text", "\u200d\u200d \u200b\ufeff"}
                             << QStringList{"--text", "no words"};
    QTest::newRow("padding") << QStringList{"--text", "[PAD]"} << QStringList{"--text"};
}

void CliImpossible::refused() {
    QFETCH(QStringList, options);
    QFETCH(QStringList, mentions);
    const Run run = m_program.run(QStringList{"figure", "cat", "-o", "a.png"} + options);
    HEADLIGHT_REFUSED(run, 1, mentions);
    QVERIFY(run.out.isEmpty());
    QCOMPARE(m_program.listing(), QStringList());
}

void CliImpossible::tooLong() {
    const QString text = QString("w ").repeated(30000); // an argument has 128 KB at most
    for (const QStringList &command : QList<QStringList>{{"figure", "cat", "-o", "a.png"},
                                                         {"trace", "cat", "-o", "a.safetensors"}}) {
        const Run run = m_program.run(command + QStringList{"--text", text});
        HEADLIGHT_REFUSED(run, 1, {"30000 tokens", "at most"});
        // The reported maximum is accepted. Checked with a command that computes nothing.
        const QString said = QString::fromUtf8(run.err);
        const int most = QRegularExpression("at most (\\d+)").match(said).captured(1).toInt();
        QVERIFY(most > 1000);
        const auto info = [&](int count) {
            return m_program.run({"info", "cat", "--text", QString("word ").repeated(count)});
        };
        HEADLIGHT_DONE(info(most));
        HEADLIGHT_REFUSED(info(most + 1), 1, {"at most"});
    }
    QCOMPARE(m_program.listing(), QStringList());
}

void CliImpossible::existingFileStays() {
    m_program.write("kept.png", "precious");
    HEADLIGHT_REFUSED(m_program.run({"figure", "cat", "-o", "kept.png", "--head", "9"}), 1);
    HEADLIGHT_REFUSED(m_program.run({"figure", "cat", "-o", "kept.png", "--size", "99999x9"}), 1);
    HEADLIGHT_REFUSED(m_program.run({"figure", "cat", "-o", "kept.png", "--head", "x"}), 2);
    QCOMPARE(m_program.read("kept.png"), QByteArray("precious"));
    QCOMPARE(m_program.listing(), QStringList{"kept.png"});
    QVERIFY(QFile::remove(m_program.path("kept.png")));
}

void CliImpossible::brokenSessions_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("a word for a number")
        << QByteArray(R"("heads": 2)") << QByteArray(R"("heads": "two")")
        << QStringList{"model.heads", "expected"};
    QTest::newRow("nothing but heads")
        << QByteArray(R"("heads": 2)") << QByteArray(R"("heads": 0)") << QStringList{"model.heads"};
    QTest::newRow("another kind of mask")
        << QByteArray(R"("masks": [])") << QByteArray(R"("masks": [{"kind": "magic"}])")
        << QStringList{"masks[0].kind", "causal"};
    QTest::newRow("another version")
        << QByteArray(R"("headlight": 2)") << QByteArray(R"("headlight": 7)")
        << QStringList{"headlight", "expected 1"};
}

void CliImpossible::brokenSessions() {
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QStringList, mentions);
    QFile lesson(":/lessons/cat.headlight");
    QVERIFY(lesson.open(QIODevice::ReadOnly));
    const QByteArray whole = lesson.readAll();
    QVERIFY(whole.contains(before));
    m_program.write("broken.headlight", QByteArray(whole).replace(before, after));
    for (const QStringList &command :
         QList<QStringList>{{"info"}, {"figure", "-o", "a.png"}, {"trace", "-o", "a.safetensors"}})
        HEADLIGHT_REFUSED(m_program.run(command + QStringList{"broken.headlight"}), 1,
                          mentions + QStringList{"broken.headlight"});
    QVERIFY(QFile::remove(m_program.path("broken.headlight")));
}

void CliImpossible::sources() {
    const auto figure = [this](const QString &source) {
        return m_program.run({"figure", source, "-o", "a.png"});
    };
    HEADLIGHT_REFUSED(figure("."), 1, {"folder"});
    HEADLIGHT_REFUSED(figure(m_program.path("nothing.headlight")), 1, {"nothing.headlight"});
    HEADLIGHT_REFUSED(figure("./cat"), 1, {"./cat", "No such file"});
    HEADLIGHT_REFUSED(figure("/dev/null"), 1, {"/dev/null"});
    HEADLIGHT_REFUSED(figure("no\nsuch/file"), 1, {"no such/file"});
    QCOMPARE(m_program.listing(), QStringList());
}

HEADLIGHT_APPLESS_TEST(CliImpossible)
#include "tst_cli_impossible.moc"
