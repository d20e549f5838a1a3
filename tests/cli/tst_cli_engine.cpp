// `generate`, `verify` and `trace` print and write what the engine computes, bit for bit.
#include "core/checks/verification.h"
#include "core/formats/capture/capture.h"
#include "core/generation/generator.h"
#include "process.h"
#include "tests/support/forward.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/source.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstring>

using namespace headlight::test;
using namespace headlight;

namespace {

QByteArray sessionBytes(const QString &name) {
    QFile file(sessionPath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

core::TracePointer traceOf(const ui::SourceRequest &request) {
    const auto opened = ui::openSource(request);
    return opened ? *test::forward(opened->state.model, opened->state.input) : nullptr;
}

core::TracePointer traceOf(const QString &source) {
    ui::SourceRequest request;
    request.source = source;
    return traceOf(request);
}

QStringList generated(const QString &source, const core::GenerationOptions &options) {
    ui::SourceRequest request;
    request.source = source;
    const auto opened = ui::openSource(request);
    auto generator = test::makeGenerator(opened->state.model, opened->state.input, options);
    QStringList words;
    for (auto token = generator->next(); token && *token; token = generator->next())
        words << QString::fromStdString((*token)->text);
    return words;
}

QJsonArray stagesOf(const Run &run) {
    return QJsonDocument::fromJson(run.out).object()["stages"].toArray();
}

QJsonObject stageNamed(const QJsonArray &stages, const QString &name) {
    for (const QJsonValue &stage : stages)
        if (stage["stage"] == name)
            return stage.toObject();
    return {};
}

/// A session of one layer and a norm after it. Its embeddings are 10⁶, and 32-bit floats of that
/// size are rounded to sixteenths.
const char *kLargeEmbeddings = R"({
  "headlight": 1,
  "title": "Large",
  "batch": {"sequences": [{"tokens": ["a", "b"],
                           "embeddings": [[1e6, 1e6, 1e6, 1e6], [1e6, 1e6, 1e6, 1e6]]}]},
  "model": {
    "width": 4, "heads": 1, "head_size": 4, "residual": true,
    "norm": {"kind": "layer", "place": "before", "final": true},
    "layers": [{"self_attention": {
      "query": {"identity": 1}, "key": {"identity": 1}, "value": {"identity": 1},
      "output": {"identity": 1}, "output_bias": [0.1, -0.23, 0.37, 0.011]}}]
  }
})";

} // namespace

class CliEngine : public QObject {
    Q_OBJECT
  private slots:
    void generates_data() {
        addRows("name", QStringList{"decoder_rotary", "decoder_alibi", "encoder_decoder", "t5_like",
                                    "gemma_2", "gpt_j", "gpt_neox", "olmo_2", "qwen_3",
                                    "wide_encoder", "deepseek"});
    }
    void generates() {
        QFETCH(QString, name);
        const QString source = sessionPath(name);
        const QStringList words = generated(source, {.maximum = 9});
        QCOMPARE(words.size(), 9);
        Run run = m_program.run({"generate", source, "--tokens", "9", "--end", "none"});
        HEADLIGHT_DONE(run);
        QCOMPARE(QString(run.out), words.join(' ') + '\n');
        run = m_program.run({"generate", source, "--tokens", "9", "--end", "none", "--json"});
        HEADLIGHT_DONE(run);
        const QList<QByteArray> lines = run.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 9);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QJsonObject token = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(token["text"].toString(), words[i]);
            QVERIFY(token["id"].isDouble());
            const double probability = token["probability"].toDouble();
            QVERIFY(probability > 0 && probability <= 1);
        }
    }

    /// Samples tokens. The end token is not printed.
    void samples() {
        const QString source = sessionPath("decoder_rotary");
        Run run = m_program.run({"generate", source, "--tokens", "20", "--temperature", "1.5",
                                 "--top-k", "4", "--end", "none", "--seed", "7"});
        HEADLIGHT_DONE(run);
        core::Sampling sampling{.temperature = 1.5f, .topK = 4, .seed = 7};
        QCOMPARE(QString(run.out),
                 generated(source, {.maximum = 20, .sampling = sampling}).join(' ') + '\n');
        sampling = {.temperature = 3, .topK = 0, .seed = 2};
        const QStringList all = generated(source, {.maximum = 30, .sampling = sampling});
        const qsizetype place = all.indexOf("cat");
        QVERIFY(place > 0);
        const QStringList words{"generate", source,   "--tokens", "30",    "--temperature",
                                "3",        "--seed", "2",        "--end", "cat"};
        run = m_program.run(words);
        HEADLIGHT_DONE(run);
        QCOMPARE(QString(run.out), all.mid(0, place).join(' ') + '\n');
        const QByteArray json = m_program.run(words + QStringList{"--json"}).out;
        QCOMPARE(json.trimmed().split('\n').size(), place + 1);
        QVERIFY(json.contains("\"end\": true") || json.contains("\"end\":true"));
    }

    /// If a text becomes longer than the learned positions, prints the tokens so far and ends the
    /// line.
    void textsThatBecomeTooLong() {
        QJsonObject document = QJsonDocument::fromJson(sessionBytes("decoder_alibi")).object();
        QJsonObject model = document["model"].toObject();
        model["positions"] = "learned";
        model["position_embeddings"] =
            QJsonObject{{"random", QJsonObject{{"seed", 3}}}, {"rows", 12}};
        model.remove("alibi_slopes");
        document["model"] = model;
        document["batch"] =
            QJsonObject{{"sequences", QJsonArray{QJsonObject{{"text", "a a a a a a a a a a"}}}}};
        document.remove("view");
        m_program.write("short.headlight", QJsonDocument(document).toJson());
        const Run run = m_program.run(
            {"generate", "short.headlight", "--tokens", "9", "--end", "none", "--mask", "causal"});
        HEADLIGHT_REFUSED(run, 1, {"13 tokens", "at most 12"});
        QCOMPARE(run.out.trimmed().split(' ').size(), 3);
        QVERIFY(run.out.endsWith('\n'));
    }

    void wordsWithTheirOwnSpaces() {
        QByteArray text = sessionBytes("decoder_rotary");
        for (const char *word : {"dog", "mat", "sat", "slept", "and"})
            text.replace(QByteArray("\"") + word + '"', QByteArray("\" ") + word + '"');
        text.replace("\"a\"", "\"\\u001b[31m\"").replace("\"on\"", "\"o\\nn\"");
        text.replace("the dog sat on the cat", "the cat")
            .replace("the cat sat on the mat and slept", "the");
        m_program.write("subwords.headlight", text);
        const Run run = m_program.run({"generate", "subwords.headlight", "--tokens", "60", "--end",
                                       "none", "--temperature", "9"});
        HEADLIGHT_DONE(run);
        QVERIFY2(!run.out.contains('\x1b') && run.out.contains(" [31m"), run.out);
        QVERIFY(run.out.contains("o\nn") && !run.out.contains("  dog"));
        QVERIFY(run.out.contains(" dog") && run.out.count(' ') < 60);
    }

    void verifies_data() {
        QStringList sources{"cat", "bank", "two-heads", HEADLIGHT_TEST_DATA "/folders/llama"};
        for (const char *name : {"decoder_rotary", "decoder_alibi", "encoder_decoder", "t5_like",
                                 "gemma_2", "gpt_j", "olmo_2", "qwen_3"})
            sources << sessionPath(name);
        addRows("source", sources);
    }
    void verifies() {
        QFETCH(QString, source);
        const auto expected = core::verify(*traceOf(source));
        QVERIFY(expected.ok());
        const Run run = m_program.run({"verify", source, "--json"});
        HEADLIGHT_DONE(run);
        const QJsonArray stages = stagesOf(run);
        QCOMPARE(std::size_t(stages.size()), expected->stages.size());
        double largest = 0;
        for (std::size_t i = 0; i < expected->stages.size(); ++i) {
            const core::StageVerification &stage = expected->stages[i];
            const QJsonObject printed = stages[qsizetype(i)].toObject();
            QCOMPARE(printed["stage"].toString().toStdString(),
                     core::stageName(stage.at.stage, stage.at.attention));
            QCOMPARE(float(printed["difference"].toDouble()), float(stage.difference));
            QVERIFY(printed["difference"].toDouble() <= core::kVerifiedWithin);
            QCOMPARE(printed["at"].isNull(), stage.cell.empty());
            QCOMPARE(std::size_t(printed["at"].toArray().size()), stage.cell.size());
            for (std::size_t axis = 0; axis < stage.cell.size(); ++axis)
                QCOMPARE(core::Index(printed["at"][qsizetype(axis)].toInteger()), stage.cell[axis]);
            QVERIFY(!printed.contains("alone"));
            largest = std::max(largest, printed["difference"].toDouble());
        }
        QCOMPARE(QJsonDocument::fromJson(run.out)["largest"].toDouble(), largest);
    }

    void aWrongWeight_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("stage");
        QTest::newRow("decoder") << sessionPath("decoder_alibi") << "layers.1.self_attention.value";
        QTest::newRow("encoder and decoder")
            << sessionPath("encoder_decoder") << "encoder.layers.1.self_attention.value";
        QTest::newRow("folder") << HEADLIGHT_TEST_DATA "/folders/gpt2"
                                << "layers.1.self_attention.value";
    }
    /// `verify` detects a fault in the engine and names the stage that has it.
    void aWrongWeight() {
        QFETCH(QString, source);
        QFETCH(QString, stage);
        const Program wrong(HEADLIGHT_WITH_WRONG_WEIGHT, HEADLIGHT_TEST_SCRATCH);
        const Run table = wrong.run({"verify", source});
        QCOMPARE(table.code, 1);
        QVERIFY2(table.err.startsWith("headlight: " + stage.toUtf8() + ": "), table.err);
        QVERIFY2(table.err.contains("the first stage with an error of its own: " + stage.toUtf8()),
                 table.err);
        QCOMPARE(table.err.count('\n'), 1);
        const Run run = wrong.run({"verify", source, "--json"});
        QCOMPARE(run.code, 1);
        bool isBefore = true;
        for (const QJsonValue &each : stagesOf(run)) {
            const QString name = each["stage"].toString();
            isBefore = isBefore && name != stage;
            if (isBefore)
                QVERIFY2(each["difference"].toDouble() <= core::kVerifiedWithin, qPrintable(name));
            // When stages are computed one at a time, only the values of layer 1 and later are
            // wrong.
            const bool isWrong = name.endsWith("self_attention.value") && !name.contains(".0.") &&
                                 !name.startsWith("layers.0");
            QVERIFY2((each["alone"].toDouble() > core::kVerifiedWithin) == isWrong,
                     qPrintable(name));
        }
        QVERIFY(stageNamed(stagesOf(run), stage)["difference"].toDouble() > core::kVerifiedWithin);
    }

    /// `verify` recognises rounding errors that a norm amplifies, and reports them as rounding.
    void amplifiedRounding() {
        m_program.write("large.headlight", kLargeEmbeddings);
        const Run run = m_program.run({"verify", "large.headlight"});
        HEADLIGHT_REFUSED(run, 1, {"final_norm", "rounding"});
        QVERIFY(QString::fromUtf8(run.out).contains("alone"));
        const QJsonArray stages = stagesOf(m_program.run({"verify", "large.headlight", "--json"}));
        const QJsonObject norm = stageNamed(stages, "final_norm");
        QVERIFY(norm["difference"].toDouble() > 0.01);
        QVERIFY(norm["alone"].toDouble() <= 1e-6);
    }

    void traces_data() {
        const QStringList files = allSessions();
        QVERIFY(files.size() >= 8); // every kind of transformer
        addRows("id", QStringList{"bank", "sentence", "cat", "batch", "look-ahead"} + files);
    }
    void traces() {
        QFETCH(QString, id);
        HEADLIGHT_DONE(m_program.run({"trace", id, "-o", "all.safetensors"}));
        compare("all.safetensors", *traceOf(id));
    }

    void tracesOfAnotherText() {
        ui::SourceRequest request;
        request.source = "cat";
        request.text = "日本語 مرحبا שלום 👩‍👩‍👧 [PAD]";
        request.mask = ui::SourceRequest::Mask::CausalAndPadding;
        request.seed = 12;
        request.step = 3;
        HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "text.safetensors", "--text",
                                      QString::fromStdString(*request.text), "--mask",
                                      "causal+padding", "--seed", "12", "--step", "3"}));
        compare("text.safetensors", *traceOf(request));
    }

  private:
    core::Result<core::Capture> captured(const QString &file) const {
        return core::readCapture(m_program.path(file).toStdString());
    }

    void compare(const QString &file, const core::Trace &trace) {
        const auto capture = captured(file);
        QVERIFY2(capture.ok(), capture.ok() ? "" : capture.error().text().c_str());
        QCOMPARE(capture->stages.size(), trace.names().size());
        QCOMPARE(capture->tokens.size(), static_cast<std::size_t>(trace.batch().count()));
        for (std::size_t i = 0; i < capture->tokens.size(); ++i)
            QVERIFY(capture->tokens[i] == core::textsOf(trace.batch().sequences()[i].tokens));
        const core::BatchPointer &source = trace.input().source;
        QCOMPARE(capture->sourceTokens.size(),
                 static_cast<std::size_t>(source ? source->count() : 0));
        for (std::size_t i = 0; i < capture->sourceTokens.size(); ++i)
            QVERIFY(capture->sourceTokens[i] == core::textsOf(source->sequences()[i].tokens));
        for (const std::string &name : trace.names()) {
            const core::Tensor was = trace.stage(name), is = capture->stage(name);
            QVERIFY2(!is.isNull() && is.shape() == was.shape(), name.c_str());
            QVERIFY2(std::memcmp(is.values().data(), was.values().data(),
                                 was.values().size() * sizeof(float)) == 0,
                     name.c_str());
        }
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_GUILESS_TEST(CliEngine)
#include "tst_cli_engine.moc"
