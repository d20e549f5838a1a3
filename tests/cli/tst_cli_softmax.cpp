// The softmax view on the command line: rows, custom logits, and sampled dot products.
#include "picture.h"
#include "process.h"

#include "tests/support/test_main.h"

#include <QImage>

using namespace headlight::test;

class CliSoftmax : public QObject {
    Q_OBJECT

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};

    QByteArray svg(const QStringList &options) const {
        const Run run = m_program.run(QStringList{"figure"} + options +
                                      QStringList{"-o", "-", "--format", "svg"});
        return run.code == 0 ? run.out : run.err;
    }

    /// Compares images, which exclude the file's metadata.
    QImage picture(const QStringList &options) const {
        const Run run = m_program.run(QStringList{"figure", "cat"} + options +
                                      QStringList{"-o", "-", "--format", "png"});
        return QImage::fromData(run.out).convertToFormat(QImage::Format_RGB32);
    }

  private slots:
    void aRowOfTheTrace() {
        const QByteArray row = svg({"cat", "--view", "softmax", "--query", "2"});
        QCOMPARE(readPicture(row, "svg").problem, QString());
        for (const char *words :
             {"Softmax of the row of", "entropy", "temperature 1", "its size ‖"})
            QVERIFY2(row.contains(words), words);
        QVERIFY(row != svg({"cat", "--view", "softmax", "--query", "3"}));
        QVERIFY(
            svg({"cat", "--view", "softmax", "--query", "none"}).contains("no row is selected"));
    }

    void numbersOfOnesOwn() {
        const QStringList six{"cat", "--logits", "0.1,0.4,-0.9,0.02,0.35,-0.62"};
        const QByteArray once = svg(six), hundred = svg(six + QStringList{"--times", "100"});
        QVERIFY(once.contains("Softmax of custom logits"));
        QVERIFY(hundred.contains("100 times as large"));
        QVERIFY(once != hundred);
        const QByteArray captioned = svg(six + QStringList{"--caption", "auto"});
        QVERIFY(captioned.contains("temperature 1."));
        QVERIFY(!captioned.contains("Attention weights"));
        QVERIFY(svg(six + QStringList{"--temperature", "0.01"}).contains("temperature 0.01"));
        // The Unicode minus of the program's output is accepted.
        const QImage typed = picture({"--logits", "0,-1"});
        QVERIFY(!typed.isNull());
        QCOMPARE(picture({"--logits", QString::fromUtf8("0,−1")}), typed);
        QVERIFY(svg({"cat", "--view", "softmax", "--logits", "none"}).contains("the row of"));
    }

    void drawnDotProducts() {
        const QStringList spread{"--d-k", "16"};
        QVERIFY(svg(QStringList{"cat"} + spread).contains("dot products of 16 components"));
        const QImage drawn = picture(spread);
        QVERIFY(!drawn.isNull());
        QCOMPARE(picture(spread), drawn);
        QVERIFY(picture(spread + QStringList{"--draw-seed", "2"}) != drawn);
        QCOMPARE(picture({"--part", "spread", "--d-k", "16", "--view", "softmax"}), drawn);
    }

    void aFigureCarriesItsNumbers() {
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "--logits", "3,1,2", "-o", "own.png"}));
        const Run again = m_program.run({"figure", "own.png", "-o", "-", "--format", "svg"});
        HEADLIGHT_DONE(again);
        QVERIFY(again.out.contains("Softmax of custom logits"));
    }

    void aSessionsLessonSaysIt() {
        m_program.write("own.headlight", R"({"headlight": 2, "title": "t",
            "batch": {"sequences": [{"text": "a b c"}]},
            "model": {"width": 2, "heads": 1, "head_size": 2, "layers": [{"self_attention":
                {"query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1}}}],
                "embeddings": {"others": {"random": {"seed": 1}}}},
            "view": {"view": "softmax", "softmax": {"logits": [1, 2, 3], "times": 10}},
            "lesson": {"summary": "s", "steps": [{"title": "one", "text": ["t"]},
                {"title": "two", "text": ["t"], "show": {"softmax": {"part": "spread", "d_k": 9}}}]}})");
        HEADLIGHT_DONE(m_program.run({"check", "own.headlight"}));
        QVERIFY(svg({"own.headlight"}).contains("custom logits"));
        QVERIFY(svg({"own.headlight", "--step", "1"}).contains("dot products of 9 components"));
    }

    void malformed_data() {
        QTest::addColumn<QStringList>("options");
        QStringList many;
        for (int i = 0; i < 65; ++i)
            many << QString::number(i);
        QTest::newRow("no number") << QStringList{"--logits", ""};
        QTest::newRow("a word") << QStringList{"--logits", "1,two"};
        QTest::newRow("nan") << QStringList{"--logits", "nan"};
        QTest::newRow("infinite") << QStringList{"--logits", "1,inf"};
        QTest::newRow("too large") << QStringList{"--logits", "1e7"};
        QTest::newRow("too many") << QStringList{"--logits", many.join(',')};
        QTest::newRow("times nothing") << QStringList{"--times", "0"};
        QTest::newRow("times nan") << QStringList{"--times", "nan"};
        QTest::newRow("temperature") << QStringList{"--temperature", "0"};
        QTest::newRow("d_k 0") << QStringList{"--d-k", "0"};
        QTest::newRow("d_k large") << QStringList{"--d-k", "4097"};
        QTest::newRow("d_k half") << QStringList{"--d-k", "1.5"};
        QTest::newRow("seed") << QStringList{"--draw-seed", "-1"};
        QTest::newRow("part") << QStringList{"--part", "column"};
    }
    void malformed() {
        QFETCH(QStringList, options);
        // With "=", a value may begin with a dash.
        HEADLIGHT_REFUSED(
            m_program.run({"figure", "cat", "-o", "a.png", options[0] + '=' + options[1]}), 2,
            {options[0]});
        QVERIFY(!m_program.has("a.png"));
    }

    void impossible() {
        const auto refused = [this](const QStringList &options, const QStringList &mentions) {
            HEADLIGHT_REFUSED(m_program.run(QStringList{"figure", "cat", "-o", "a.png"} + options),
                              1, mentions);
        };
        refused({"--view", "heads", "--logits", "1,2"}, {"--logits", "--view softmax"});
        refused({"--view", "softmax", "--times", "10"}, {"--times", "--logits"});
        refused({"--view", "softmax", "--range", "row"}, {"--range"});
        refused({"--view", "softmax", "--colors", "viridis"}, {"--colors", "rdbu"});
        QVERIFY(!m_program.has("a.png"));
    }
};

HEADLIGHT_GUILESS_TEST(CliSoftmax)
#include "tst_cli_softmax.moc"
