// Planes of vectors, and word vectors, on the command line.
#include "picture.h"
#include "process.h"

#include "core/formats/capture/capture.h"
#include "tests/support/test_main.h"

#include <QImage>

using namespace headlight;
using namespace headlight::test;

class CliGeometry : public QObject {
    Q_OBJECT

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};

  private slots:
    void theLegendAndTheWordsAreText() {
        const Run run = m_program.run({"figure", "bank", "--view", "geometry", "--query", "1",
                                       "--key", "0", "-o", "-", "--format", "svg"});
        HEADLIGHT_DONE(run);
        QCOMPARE(readPicture(run.out, "svg").problem, QString());
        for (const char *words :
             {"shown exactly", "angle 39.3°", "money pulls bank with weight 0.80",
              "--view geometry --query 1 --key 0"})
            QVERIFY2(run.out.contains(words), words);
    }

    void sidesOfAComparison() {
        const QStringList words{"figure",     "look-ahead", "--step",   "5",  "--compare",
                                "look-ahead", "--view",     "geometry", "-o", "-",
                                "--format",   "svg",        "--show"};
        const Run a = m_program.run(words + QStringList{"a"});
        HEADLIGHT_DONE(a);
        const Run now = m_program.run(words + QStringList{"now"});
        HEADLIGHT_DONE(now);
        QVERIFY(a.out != now.out);
        HEADLIGHT_REFUSED(m_program.run(words + QStringList{"difference"}), 1,
                          {"--show", "not their difference"});
    }

    /// Both sentences in every encoding, with their similarity.
    void wordsAsNumbers() {
        const Run run =
            m_program.run({"figure", "bank", "--view", "words", "-o", "-", "--format", "svg"});
        HEADLIGHT_DONE(run);
        QCOMPARE(readPicture(run.out, "svg").problem, QString());
        for (const char *words :
             {"sentence 0: money bank", "sentence 1: river bank", "One-hot", "Bag of words",
              "TF-IDF", "Embeddings", "After attention", "0.5000", "scikit-learn", "1.405",
              "headlight figure bank --view words"})
            QVERIFY2(run.out.contains(words), words);
        const Run one =
            m_program.run({"figure", "cat", "--view", "words", "-o", "-", "--format", "svg"});
        HEADLIGHT_DONE(one);
        QVERIFY(one.out.contains("one sentence"));
        const QStringList compared{"figure",    "look-ahead", "--step", "5",
                                   "--compare", "look-ahead", "--view", "words",
                                   "-o",        "a.svg",      "--show"};
        HEADLIGHT_DONE(m_program.run(compared + QStringList{"a"}));
        HEADLIGHT_REFUSED(m_program.run(compared + QStringList{"difference"}), 1,
                          {"--show", "not their difference"});
    }

    void malformed_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("space") << QStringList{"--space", "outer"};
        QTest::newRow("axes") << QStringList{"--axes", "tsne"};
        QTest::newRow("gravity 2") << QStringList{"--gravity", "2"};
        QTest::newRow("gravity nan") << QStringList{"--gravity", "nan"};
        QTest::newRow("gravity word") << QStringList{"--gravity", "much"};
    }
    void malformed() {
        QFETCH(QStringList, options);
        HEADLIGHT_REFUSED(m_program.run(QStringList{"figure", "bank", "-o", "a.png"} + options), 2,
                          {options[0]});
        QVERIFY(!m_program.has("a.png"));
    }

    void aLessonsStepChoosesItsPlane() {
        const QStringList step{"figure", "sentence", "--step", "10", "--no-session", "-o"};
        const QStringList own{"--axes", "dot-product", "--space", "query-key"};
        HEADLIGHT_DONE(m_program.run(step + QStringList{"step.svg"}));
        HEADLIGHT_DONE(m_program.run(step + QStringList{"same.svg"} + own));
        HEADLIGHT_DONE(m_program.run(step + QStringList{"other.svg", "--space", "all"}));
        const auto picture = [&](const QString &name) { // the part after the stored command
            const QByteArray all = m_program.read(name);
            return all.mid(all.indexOf("</desc>"));
        };
        QVERIFY(picture("step.svg").size() > 3000);
        QCOMPARE(picture("step.svg"), picture("same.svg"));
        QVERIFY(picture("step.svg") != picture("other.svg"));
    }

    void wordVectors() {
        m_program.write("glove.txt", "the 1 2\nbank 4 5\nmoney 6 -7.5\n");
        const Run trace =
            m_program.run({"trace", "bank", "--vectors", "glove.txt", "-o", "vectors.safetensors"});
        HEADLIGHT_DONE(trace);
        const auto capture = core::readCapture(m_program.path("vectors.safetensors").toStdString());
        QVERIFY(capture.ok());
        const core::Tensor embeddings = capture->stage("embeddings");
        QCOMPARE(embeddings.matrix(0)(0, 1), -7.5f);
        QCOMPARE(embeddings.matrix(1)(1, 0), 4.0f);
        QCOMPARE(embeddings.matrix(1)(0, 1), 3.0f); // the file does not contain "river"
        HEADLIGHT_DONE(m_program.run(
            {"figure", "bank", "--vectors", "glove.txt", "--view", "geometry", "-o", "v.png"}));
    }

    void wordVectorsThatDoNotFit() {
        m_program.write("wide.txt", "bank 1 2 3\n");
        HEADLIGHT_REFUSED(
            m_program.run({"figure", "bank", "--vectors", "wide.txt", "-o", "no.png"}), 1,
            {"wide.txt", "3 dimensions", "needs 2"});
        m_program.write("broken.txt", "bank 1 2\nmoney 1\n");
        HEADLIGHT_REFUSED(
            m_program.run({"trace", "bank", "--vectors", "broken.txt", "-o", "no.safetensors"}), 1,
            {"broken.txt", "line 2"});
        m_program.write("others.txt", "tree 1 2\n");
        HEADLIGHT_REFUSED(
            m_program.run({"figure", "bank", "--vectors", "others.txt", "-o", "no.png"}), 1,
            {"others.txt", "none of these 3 words"});
        QVERIFY(!m_program.has("no.png"));
    }
};

HEADLIGHT_GUILESS_TEST(CliGeometry)
#include "tst_cli_geometry.moc"
