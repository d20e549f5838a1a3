// The command line on complete transformers: encoders, decoders, cross-attention, two texts.
#include "process.h"
#include "tests/support/test_main.h"

#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace headlight::test;

class CliTransformers : public QObject {
    Q_OBJECT
  private slots:
    void info_data();
    void info();
    void everySwitch();
    void aPlaceIsSaidInTwoWays();
    void texts();
    void refused_data();
    void refused();
    void everyViewOfEveryPlace();

  private:
    static QString session(const char *name) {
        return QString("%1/%2.headlight").arg(HEADLIGHT_SESSIONS, name);
    }
    QImage image(const QStringList &words) const {
        const Run run = m_program.run(QStringList{"figure", "-o", "-", "--format", "png"} + words);
        return success(run).isEmpty()
                   ? QImage::fromData(run.out).convertToFormat(QImage::Format_RGB32)
                   : QImage();
    }
    QJsonObject facts(const QStringList &words) const {
        const Run run = m_program.run(QStringList{"info", "--json"} + words);
        return QJsonDocument::fromJson(run.out).object();
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliTransformers::info_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("norm");
    QTest::newRow("encoder and decoder") << "encoder_decoder"
                                         << "encoder-decoder"
                                         << "layer after";
    QTest::newRow("rotary") << "decoder_rotary"
                            << "transformer"
                            << "rms before, final";
    QTest::newRow("norms twice") << "gemma_2"
                                 << "transformer"
                                 << "rms before_and_output, final";
    QTest::newRow("wide encoder") << "wide_encoder"
                                  << "encoder-decoder"
                                  << "rms before, final";
    QTest::newRow("batch norm") << "batch_norm"
                                << "transformer"
                                << "batch";
}

void CliTransformers::info() {
    QFETCH(QString, name);
    QFETCH(QString, architecture);
    QFETCH(QString, norm);
    const QJsonObject said = facts({session(name.toLatin1().data())});
    QCOMPARE(said["architecture"].toString(), architecture);
    QVERIFY2(said["norm"].toString().startsWith(norm), qPrintable(said["norm"].toString()));
    QVERIFY(said.contains("vocabulary"));
    QVERIFY(said["parameters"].toInt() > 100);
    QVERIFY(said["key_value_heads"].toInt() <= said["heads"].toInt());
    QCOMPARE(said.contains("source_tokens"), architecture == "encoder-decoder");
}

/// Every setting that changes the model is reported.
void CliTransformers::everySwitch() {
    QVERIFY(facts({session("encoder_prenorm")})["scale_embeddings"].toBool());
    const QJsonObject relative = facts({session("t5_like")});
    QVERIFY(relative["relative"].toObject().contains("buckets"));
    QVERIFY(!relative.contains("scale_embeddings")); // default value
    const QJsonObject capped = facts({session("gemma_2")});
    QCOMPARE(capped["windows"].toArray(), QJsonArray({3, 0}));
    QCOMPARE(capped["score_cap"].toDouble(), 2.0);
    QCOMPARE(facts({session("gpt_neox")})["value_size"].toInt(), 6);
    const QJsonObject wide = facts({session("wide_encoder")});
    QCOMPARE(wide["heads"].toInt(), 2);
    QCOMPARE(wide["encoder_heads"].toInt(), 4);
    QCOMPARE(wide["encoder_value_size"].toInt(), 2);
    QVERIFY2(wide["encoder_feed_forward"].toString().startsWith("16 "),
             qPrintable(wide["encoder_feed_forward"].toString()));
    QVERIFY(!relative.contains("encoder_heads")); // same as the decoder's
    const Run text = m_program.run({"info", session("t5_like")});
    QVERIFY2(text.out.contains("\nrelative "), text.out);
    QVERIFY2(text.out.contains("buckets "), text.out);
}

void CliTransformers::aPlaceIsSaidInTwoWays() {
    const QString file = session("encoder_decoder");
    const QStringList heatmap{file, "--view", "heatmap", "--title", "t", "--no-session"};
    const QImage byName =
        image(heatmap + QStringList{"--stage", "decoder.layers.1.cross_attention.weights"});
    QVERIFY(!byName.isNull());
    QCOMPARE(image(heatmap + QStringList{"--stage", "weights", "--stack", "decoder", "--block",
                                         "cross", "--layer", "1"}),
             byName);
    QVERIFY(image(heatmap + QStringList{"--stage", "weights", "--stack", "encoder", "--layer",
                                        "1"}) != byName);
}

void CliTransformers::texts() {
    const QString file = session("encoder_decoder");
    const QStringList both{file, "--text", "the dog sleeps", "--target-text", "die Katze"};
    const QJsonObject said = facts(both);
    QCOMPARE(said["source_lengths"].toArray().first().toInt(), 3);
    QCOMPARE(said["lengths"].toArray().first().toInt(), 2);
    const QJsonObject numbered = facts({session("decoder_rotary"), "--token-ids", "2,3,4"});
    QCOMPARE(numbered["lengths"].toArray().first().toInt(), 3);
    // Ids can select either word that reads "bank"; a text selects only the first.
    const auto logits = [&](const QStringList &words) {
        const Run run = m_program.run(QStringList{"trace", session("words_alike"), "-o", "-",
                                                  "--format", "safetensors", "--stage", "logits"} +
                                      words);
        return success(run).isEmpty() ? run.out : QByteArray();
    };
    const QByteArray first = logits({"--token-ids", "3,4"});
    QVERIFY(!first.isEmpty());
    QCOMPARE(logits({"--text", "the bank"}), first);
    QVERIFY(logits({"--token-ids", "3,8"}) != first);
    QCOMPARE(facts({session("words_alike")})["words_alike"].toInt(), 2);
    QCOMPARE(facts({session("decoder_rotary")})["words_alike"].toInt(), 0);
}

void CliTransformers::refused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const char *name, const QString &options, const QStringList &mentions) {
        QTest::newRow(qPrintable(options))
            << QStringList{session(name)} + options.split(' ') << mentions;
    };
    row("decoder_rotary", "--target-text a", {"--target-text", "one sequence"});
    row("decoder_rotary", "--target-token-ids 1", {"--target-token-ids", "one sequence"});
    row("decoder_rotary", "--token-ids 9999", {"--token-ids", "out of range"});
    row("decoder_rotary", "--stack encoder", {"--stack", "encoder"});
    row("decoder_rotary", "--block cross", {"--block"});
    row("encoder_decoder", "--stack encoder --layer 2", {"--layer", "give 0 to 1"});
    row("encoder_decoder", "--stack encoder --block cross", {"--block"});
    row("encoder_decoder", "--block cross --key 99", {"--key"});
    row("encoder_decoder", "--stage decoder.layers.7.self_attention.weights", {"--stage"});
    row("encoder_decoder", "--stage layers.0.self_attention.weights", {"--stage"});
}

void CliTransformers::refused() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(QStringList{"figure", "-o", "no.png"} + words), 1, mentions);
    QVERIFY(!m_program.has("no.png"));
}

void CliTransformers::everyViewOfEveryPlace() {
    for (const char *name : {"encoder_decoder", "t5_like"})
        for (const char *view : {"heads", "heatmap", "similarity", "geometry"})
            for (const char *place :
                 {"--stack encoder", "--stack decoder", "--stack decoder --block cross"}) {
                const QStringList words =
                    QString(place).split(' ') +
                    QStringList{session(name), "--view", view, "--query", "1", "--head", "1"};
                QVERIFY2(!image(words).isNull(), qPrintable(words.join(' ')));
            }
}

HEADLIGHT_WIDGET_TEST(CliTransformers)
#include "tst_cli_transformers.moc"
