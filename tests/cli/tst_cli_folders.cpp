// Folders with pretrained models as sources of every command.
#include "core/formats/safetensors/safetensors.h"
#include "process.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <sys/stat.h>

using namespace headlight::test;
using namespace headlight;

class CliFolders : public QObject {
    Q_OBJECT
  private slots:
    void init();
    void info();
    void infoOfATiedModel();
    void traceOfIds();
    void textsWithoutATokenizer();
    void figure();
    void measuresThatNoRowHas();
    void comparedWithoutItsFolder();
    void textsByItsTokenizer();
    void pairsOfTexts();
    void generatedText();
    void quantizedModelsAreWarnedOf();
    void unknownFieldsAreNamed();
    void check();
    void refused_data();
    void refused();
    void tooLong();
    void aPipeIsSaidToBeOne_data();
    void aPipeIsSaidToBeOne();

  private:
    QString folder(const QString &name) const {
        return QString(HEADLIGHT_TEST_DATA) + "/folders/" + name;
    }
    QJsonObject infoOf(const QStringList &words) const {
        const Run run = m_program.run(QStringList{"info", "--json"} + words);
        if (run.code != 0)
            qWarning() << run.err;
        return QJsonDocument::fromJson(run.out).object();
    }
    /// Writes config.json with some fields changed, beside the tensors of the small GPT-2.
    void changeConfig(const QJsonObject &fields) const;

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliFolders::init() {
    QDir(m_program.path(".")).mkpath("mine");
    QFile::remove(m_program.path("mine/model.safetensors"));
    QVERIFY(
        QFile::copy(folder("gpt2/model.safetensors"), m_program.path("mine/model.safetensors")));
    changeConfig({});
}

void CliFolders::changeConfig(const QJsonObject &fields) const {
    QFile file(folder("gpt2/config.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject config = QJsonDocument::fromJson(file.readAll()).object();
    for (auto field = fields.begin(); field != fields.end(); ++field)
        config[field.key()] = field.value();
    m_program.write("mine/config.json", QJsonDocument(config).toJson());
}

void CliFolders::info() {
    const QJsonObject facts = infoOf({folder("gpt2")});
    QCOMPARE(facts["kind"].toString(), QString("pretrained model"));
    QCOMPARE(facts["family"].toString(), QString("GPT-2"));
    QVERIFY(facts["paper"].toString().contains("Radford et al. 2019"));
    QCOMPARE(facts["layers"].toInt(), 2);
    QCOMPARE(facts["heads"].toInt(), 3);
    QCOMPARE(facts["width"].toInt(), 12);
    QCOMPARE(facts["vocabulary"].toInt(), 23);
    QCOMPARE(facts["longest_text"].toInt(), 10); // the number of learned positions
    QCOMPARE(facts["longest_text_by_config"].toInt(), 10);
    QVERIFY(facts["sliding_window"].isNull()); // no window: null, not 0
    QCOMPARE(infoOf({folder("mistral")})["sliding_window"].toArray().size(), 1);
    QVERIFY(infoOf({folder("t5")})["longest_text_by_config"].isNull()); // no limit
    QCOMPARE(infoOf({folder("roberta")})["longest_text_by_config"],
             infoOf({folder("roberta")})["longest_text"]); // minus its position offset
    const Run lines = m_program.run({"info", folder("gpt2")});
    HEADLIGHT_DONE(lines);
    QVERIFY(lines.out.contains("longest text by config 10\n"));
    QVERIFY(lines.out.contains("sliding window   \xe2\x80\x94\n"));
    QCOMPARE(facts["numbers"].toArray(), QJsonArray{"F32"});
    QVERIFY(facts["parameters"].toInt() > 0);
    QVERIFY(facts["memory_bytes"].toInt() > 0);
    const QJsonObject memory = facts["memory_of_texts"].toArray().last().toObject();
    QCOMPARE(memory["tokens"].toInt(), 10);
    QVERIFY(memory["bytes"].toInt() >= facts["memory_bytes"].toInt());
    QVERIFY(facts["warnings"].toArray().isEmpty());
    QCOMPARE(infoOf({folder("llama-3")})["key_value_heads"].toInt(), 1);
}

/// The matrix is saved under the output matrix's name only.
void CliFolders::infoOfATiedModel() {
    const auto names = [](const QJsonObject &facts) {
        return QStringList{facts["embeddings_tensor"].toString(),
                           facts["output_tensor"].toString()};
    };
    const QString words = "transformer.wte.weight", output = "lm_head.weight";
    QCOMPARE(names(infoOf({folder("gpt2")})), (QStringList{words, words}));
    QCOMPARE(names(infoOf({folder("gpt2-own-output")})), (QStringList{words, output}));
    QByteArray tensors = m_program.read("mine/model.safetensors");
    const QByteArray given = '"' + words.toUtf8() + '"', other = '"' + output.toUtf8() + '"';
    QCOMPARE(tensors.count(given), qsizetype(1));
    tensors.replace(given, other + QByteArray(given.size() - other.size(), ' '));
    m_program.write("mine/model.safetensors", tensors);
    QCOMPARE(names(infoOf({"mine"})), (QStringList{output, output}));
    const Run run = m_program.run({"info", "mine"});
    QVERIFY2(run.out.contains("embeddings tensor lm_head.weight"), run.out);
    // Without an output layer the name is null, not empty.
    QVERIFY(infoOf({folder("t5-encoder")})["output_tensor"].isNull());
    const Run none = m_program.run({"info", folder("t5-encoder")});
    QVERIFY2(none.out.contains("output tensor    \u2014"), none.out);
}

void CliFolders::traceOfIds() {
    const Run run =
        m_program.run({"trace", folder("qwen2"), "--token-ids", "1,10,3", "-o", "t.safetensors"});
    HEADLIGHT_DONE(run);
    const auto file = core::SafetensorsFile::open(m_program.path("t.safetensors").toStdString());
    QVERIFY(file);
    const core::TensorInfo *weights = file->find("layers.1.self_attention.weights");
    QVERIFY(weights);
    QCOMPARE(weights->shape.text(), core::Shape({1, 2, 3, 3}).text());
    QCOMPARE(file->metadata().at("tokens"), std::string(R"([["1","10","3"]])"));
}

/// Without a tokenizer, a text is a list of ids.
void CliFolders::textsWithoutATokenizer() {
    HEADLIGHT_DONE(
        m_program.run({"trace", folder("gpt2"), "--text", "4 12 4", "-o", "text.safetensors"}));
    HEADLIGHT_DONE(
        m_program.run({"trace", folder("gpt2"), "--token-ids", "4,12,4", "-o", "ids.safetensors"}));
    QCOMPARE(m_program.read("text.safetensors"), m_program.read("ids.safetensors"));
    HEADLIGHT_REFUSED(
        m_program.run({"trace", folder("gpt2"), "--text", "cat", "-o", "no.safetensors"}), 1,
        {"cat"});
}

void CliFolders::figure() {
    HEADLIGHT_DONE(m_program.run({"figure", folder("mistral"), "--layer", "1", "-o", "a.png"}));
    QVERIFY(m_program.read("a.png").size() > 1000);
    // The figure stores the name of the folder beside it, and can be painted again from there.
    HEADLIGHT_DONE(
        m_program.run({"figure", "mine", "--token-ids", "1,2,3", "--layer", "1", "-o", "b.svg"}));
    QVERIFY(!m_program.read("b.svg").contains(m_program.path("mine").toUtf8()));
    HEADLIGHT_DONE(m_program.run({"figure", "b.svg", "-o", "c.svg"}));
    QVERIFY(m_program.read("c.svg").size() > 1000);
}

/// A single token has no previous one, so its measure is missing, not 0.
void CliFolders::measuresThatNoRowHas() {
    const auto heads = [&](const char *order, const char *ids) {
        return m_program.run({"figure", folder("gpt2"), "--token-ids", ids, "--view", "heads",
                              "--order", order, "-o", "-", "--format", "svg"});
    };
    const QByteArray none = "\xe2\x80\x94"; // —
    const Run one = heads("previous-token", "3");
    HEADLIGHT_DONE(one);
    const auto missing = [&](const Run &run) { return run.out.count(none); };
    const Run several = heads("previous-token", "3,1,4");
    HEADLIGHT_DONE(several);
    const Run entropy = heads("entropy", "3"); // a row with a single key has no entropy
    HEADLIGHT_DONE(entropy);
    QCOMPARE(missing(several), 0);
    QCOMPARE(missing(one), 3); // heads
    QCOMPARE(missing(entropy), 3);
}

/// The error names the model's folder that is missing and the remedy.
void CliFolders::comparedWithoutItsFolder() {
    HEADLIGHT_DONE(m_program.run({"figure", "mine", "--token-ids", "3,1", "-o", "a.svg"}));
    const QStringList words{"figure",    folder("gpt2"), "--token-ids", "3,1",
                            "--compare", "a.svg",        "-o",          "b.svg"};
    HEADLIGHT_DONE(m_program.run(words));
    QVERIFY(QFile::remove(m_program.path("b.svg")));
    QVERIFY(QDir(m_program.path("mine")).removeRecursively());
    HEADLIGHT_REFUSED(m_program.run(words), 1,
                      {"a.svg", "it needs the model in the folder", "mine", "which is not there",
                       "put the model's folder there"});
    QVERIFY(!m_program.has("b.svg"));
}

void CliFolders::textsByItsTokenizer() {
    const QDir models(QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models");
    if (!models.exists("stories260k"))
        QSKIP("there are no models in ../shared/models");
    const QJsonObject facts =
        infoOf({models.filePath("stories260k"), "--text", "Once upon a time"});
    QCOMPARE(facts["tokenizer"].toString(), QString("the folder's own"));
    QCOMPARE(facts["tokens"].toInt(), 5); // including the token that starts every text
}

/// Both texts get their token types, as if the separator had been typed.
void CliFolders::pairsOfTexts() {
    QDir(m_program.path(".")).mkpath("bert");
    for (const char *name : {"config.json", "model.safetensors"}) {
        QFile::remove(m_program.path(QString("bert/") + name));
        QVERIFY(QFile::copy(folder("bert/") + name, m_program.path(QString("bert/") + name)));
    }
    m_program.write("bert/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\nc\n");
    const QStringList words{"trace", "bert", "--format", "safetensors", "-o", "-", "--text"};
    const Run pair = m_program.run(words + QStringList{"ab", "--pair", "c"});
    HEADLIGHT_DONE(pair);
    QCOMPARE(m_program.run(words + QStringList{"ab[SEP]c"}).out, pair.out);
    const Run single = m_program.run(words + QStringList{"ab"});
    HEADLIGHT_DONE(single);
    QVERIFY(single.out != pair.out);
    QCOMPARE(infoOf({"bert", "--text", "ab", "--pair", "c"})["tokens"].toInt(), 5);
    HEADLIGHT_REFUSED(m_program.run({"info", "bert", "--pair", "c"}), 2, {"--pair", "--text"});
    HEADLIGHT_REFUSED(m_program.run({"info", folder("gpt2"), "--text", "1", "--pair", "2"}), 1,
                      {"--pair", "cannot tell two texts apart"});
}

/// Byte tokens are decoded to text.
void CliFolders::generatedText() {
    m_program.write("mine/tokenizer.json", R"({"added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": {"type": "ByteFallback"},
        "model": {"type": "BPE", "merges": [], "vocab": {
        "a": 0, "<0xC3>": 1, "<0xA9>": 2, "d": 3, "e": 4, "f": 5, "g": 6, "h": 7, "i": 8, "j": 9,
        "k": 10, "l": 11, "m": 12, "n": 13, "o": 14, "p": 15, "q": 16, "r": 17, "s": 18, "t": 19,
        "u": 20, "v": 21, "w": 22}}})");
    const QStringList words{"generate", "mine",          "--text", "a",     "--tokens",
                            "6",        "--temperature", "9",      "--seed"};
    for (int seed = 0; seed < 20; ++seed) {
        const Run run = m_program.run(words + QStringList{QString::number(seed)});
        HEADLIGHT_DONE(run);
        const Run json = m_program.run(words + QStringList{QString::number(seed), "--json"});
        QStringList ids;
        for (const QByteArray &line : json.out.trimmed().split('\n'))
            ids << QString::number(QJsonDocument::fromJson(line).object()["id"].toInt());
        QCOMPARE(ids.size(), 6);
        const Run decoded =
            m_program.run({"tokenize", "mine", "--decode", "--text", ids.join(' ')});
        HEADLIGHT_DONE(decoded);
        QCOMPARE(run.out, decoded.out);
    }
}

/// The window shows the same warnings as the command line.
void CliFolders::quantizedModelsAreWarnedOf() {
    const QJsonObject said{{"quant_method", "gptq"}, {"bits", 4}};
    changeConfig({{"quantization_config", said}});
    const QJsonArray warnings = infoOf({"mine"})["warnings"].toArray();
    QCOMPARE(warnings.size(), 1);
    QVERIFY(warnings[0].toString().contains("quantization_config"));
    QVERIFY(m_program.run({"info", "mine"}).out.contains("quantization_config"));
}

void CliFolders::unknownFieldsAreNamed() {
    changeConfig({{"attention_sinks", 4}});
    const QJsonArray warnings = infoOf({"mine"})["warnings"].toArray();
    QCOMPARE(warnings.size(), 1);
    QVERIFY(warnings[0].toString().contains("attention_sinks"));
}

void CliFolders::check() {
    Run run = m_program.run({"check", folder("gpt2"), folder("llama")});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out.count(": good"), 2);
    changeConfig({{"vocab_size", 24}, {"n_positions", 9}});
    run = m_program.run({"check", "mine"});
    HEADLIGHT_REFUSED(run, 1, {});
    QVERIFY(run.out.contains("wte.weight") && run.out.contains("wpe.weight"));
}

void CliFolders::refused_data() {
    QTest::addColumn<QJsonObject>("fields");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("family") << QJsonObject{{"model_type", "mamba"}}
                            << QStringList{"mamba", "gpt2", "llama"};
    QTest::newRow("activation") << QJsonObject{{"activation_function", "mish"}}
                                << QStringList{"activation_function", "mish", "gelu_new"};
    QTest::newRow("sizes") << QJsonObject{{"n_inner", 50}}
                           << QStringList{"h.0.mlp.c_fc.weight", "12 × 48", "12 × 50"};
}

void CliFolders::refused() {
    QFETCH(QJsonObject, fields);
    QFETCH(QStringList, mentions);
    changeConfig(fields);
    for (const QStringList &words :
         {QStringList{"info", "mine"}, QStringList{"trace", "mine", "-o", "no.safetensors"},
          QStringList{"figure", "mine", "-o", "no.png"}}) {
        HEADLIGHT_REFUSED(m_program.run(words), 1, mentions);
        QVERIFY(!m_program.has("no.safetensors") && !m_program.has("no.png"));
    }
}

/// Rejected before anything is computed.
void CliFolders::tooLong() {
    HEADLIGHT_REFUSED(
        m_program.run({"info", folder("gpt2"), "--token-ids", "1,1,1,1,1,1,1,1,1,1,1"}), 1,
        {"11 tokens", "10"});
}

void CliFolders::aPipeIsSaidToBeOne_data() {
    QTest::addColumn<QString>("pipe");
    QTest::addColumn<QStringList>("words");
    for (const char *name : {"config.json", "model.safetensors"})
        QTest::newRow(name) << QString("mine/") + name << QStringList{"info", "mine"};
    QTest::newRow("word vectors") << "vectors.txt" << QStringList{"figure",      "cat", "--vectors",
                                                                  "vectors.txt", "-o",  "no.png"};
    QTest::newRow("text to learn from")
        << "text.txt"
        << QStringList{"train", "words", "--text-file", "text.txt", "-o", "no.headlight"};
    QTest::newRow("session") << "pipe.headlight" << QStringList{"info", "pipe.headlight"};
    QTest::newRow("capture") << "pipe.safetensors" << QStringList{"info", "pipe.safetensors"};
    QTest::newRow("NumPy's capture") << "pipe.npz" << QStringList{"info", "pipe.npz"};
}

/// Nobody writes to it, so reading would never end.
void CliFolders::aPipeIsSaidToBeOne() {
    QFETCH(QString, pipe);
    QFETCH(QStringList, words);
    QFile::remove(m_program.path(pipe));
    QCOMPARE(::mkfifo(qPrintable(m_program.path(pipe)), 0600), 0);
    const Run run = m_program.run(words);
    QVERIFY(QFile::remove(m_program.path(pipe)));
    HEADLIGHT_REFUSED(run, 1, {"it is a pipe (FIFO), not a file", pipe});
}

HEADLIGHT_GUILESS_TEST(CliFolders)
#include "tst_cli_folders.moc"
