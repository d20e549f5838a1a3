// `verify`: compares every stage with the same computation in float64.
#include "core/checks/verification.h"
#include "process.h"
#include "tests/support/forward.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/source.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <csignal>

using namespace headlight::test;
using namespace headlight;

class CliVerify : public QObject {
    Q_OBJECT
  private slots:
    void everyStage_data();
    void everyStage();
    void table();
    void anotherText();
    void aWrongWeight_data();
    void aWrongWeight();
    void amplifiedRounding();
    void refused_data();
    void refused();
    void wrongUsage();
    void interrupted();

  private:
    static QString session(const char *name) {
        return QString("%1/%2.headlight").arg(HEADLIGHT_SESSIONS, name);
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
    Program m_wrong{HEADLIGHT_WITH_WRONG_WEIGHT, HEADLIGHT_TEST_SCRATCH};
};

namespace {

QJsonArray stagesOf(const Run &run) {
    return QJsonDocument::fromJson(run.out).object()["stages"].toArray();
}

QJsonObject stageNamed(const QJsonArray &stages, const QString &name) {
    for (const QJsonValue &stage : stages)
        if (stage["stage"] == name)
            return stage.toObject();
    return {};
}

/// A session of one layer and a norm after it. Its embeddings are 10⁶; 32 bits round numbers of
/// that size to sixteenths.
QByteArray largeEmbeddings() {
    return R"({
  "headlight": 1,
  "title": "Large",
  "batch": {"sequences": [{"tokens": ["a", "b"], "embeddings": [[1e6, 1e6, 1e6, 1e6], [1e6, 1e6, 1e6, 1e6]]}]},
  "model": {
    "width": 4, "heads": 1, "head_size": 4, "residual": true,
    "norm": {"kind": "layer", "place": "before", "final": true},
    "layers": [{"self_attention": {
      "query": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
      "key": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
      "value": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
      "output": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],
      "output_bias": [0.1, -0.23, 0.37, 0.011]}}]
  }
})";
}

} // namespace

void CliVerify::everyStage_data() {
    QTest::addColumn<QString>("source");
    for (const char *lesson : {"cat", "bank", "heads"})
        QTest::newRow(lesson) << lesson;
    for (const char *name : {"decoder_rotary", "decoder_alibi", "encoder_decoder", "t5_like",
                             "gemma_2", "gpt_j", "olmo_2", "qwen_3"})
        QTest::newRow(name) << session(name);
    QTest::newRow("folder") << HEADLIGHT_TEST_DATA "/folders/llama";
}

/// Prints what the engine's own comparison says, for all stages of the trace.
void CliVerify::everyStage() {
    QFETCH(QString, source);
    ui::SourceRequest request;
    request.source = source;
    const auto opened = ui::openSource(request);
    QVERIFY(opened.ok());
    const auto trace = test::forward(opened->state.model, opened->state.input);
    QVERIFY(trace.ok());
    const auto expected = core::verify(**trace);
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

/// A line for each stage, and one that sums up.
void CliVerify::table() {
    const Run run = m_program.run({"verify", "cat"});
    HEADLIGHT_DONE(run);
    const QStringList lines = QString::fromUtf8(run.out).trimmed().split('\n');
    const QJsonArray stages = stagesOf(m_program.run({"verify", "cat", "--json"}));
    QCOMPARE(lines.size(), stages.size() + 3);
    QVERIFY(lines.first().startsWith("stage"));
    for (qsizetype i = 0; i < stages.size(); ++i)
        QVERIFY(lines[i + 1].startsWith(stages[i]["stage"].toString() + ' '));
    QVERIFY(lines[1].endsWith(" 0")); // the embeddings are the numbers of the file
    QVERIFY(lines.last().contains("e−07") || lines.last().contains("e−08"));
}

void CliVerify::anotherText() {
    const QString source = session("decoder_rotary");
    const QByteArray own = m_program.run({"verify", source, "--json"}).out;
    const Run run = m_program.run({"verify", source, "--json", "--text", "the dog sat on the cat"});
    HEADLIGHT_DONE(run);
    QVERIFY(run.out != own);
    HEADLIGHT_REFUSED(m_program.run({"verify", source, "--sequence", "9"}), 1, {"--sequence"});
}

void CliVerify::aWrongWeight_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("stage");
    QTest::newRow("decoder") << session("decoder_alibi") << "layers.1.self_attention.value";
    QTest::newRow("encoder and decoder")
        << session("encoder_decoder") << "encoder.layers.1.self_attention.value";
    QTest::newRow("folder") << HEADLIGHT_TEST_DATA "/folders/gpt2"
                            << "layers.1.self_attention.value";
}

/// An engine with a fault is found out, at the stage that has the fault.
void CliVerify::aWrongWeight() {
    QFETCH(QString, source);
    QFETCH(QString, stage);
    const Run table = m_wrong.run({"verify", source});
    QCOMPARE(table.code, 1);
    QVERIFY2(table.err.startsWith("headlight: " + stage.toUtf8() + ": "), table.err);
    QVERIFY2(table.err.contains("the first stage with an error of its own: " + stage.toUtf8()),
             table.err);
    QCOMPARE(table.err.count('\n'), 1);
    const Run run = m_wrong.run({"verify", source, "--json"});
    QCOMPARE(run.code, 1);
    bool isBefore = true;
    for (const QJsonValue &each : stagesOf(run)) {
        const QString name = each["stage"].toString();
        isBefore = isBefore && name != stage;
        if (isBefore)
            QVERIFY2(each["difference"].toDouble() <= core::kVerifiedWithin, qPrintable(name));
        // Only the values are wrong alone, from layer 1 on.
        const bool isWrong = name.endsWith("self_attention.value") && !name.contains(".0.") &&
                             !name.startsWith("layers.0");
        QVERIFY2((each["alone"].toDouble() > core::kVerifiedWithin) == isWrong, qPrintable(name));
    }
    QVERIFY(stageNamed(stagesOf(run), stage)["difference"].toDouble() > core::kVerifiedWithin);
    HEADLIGHT_DONE(m_program.run({"verify", source}));
}

/// Rounding that a norm makes larger is reported as such.
void CliVerify::amplifiedRounding() {
    m_program.write("large.headlight", largeEmbeddings());
    const Run run = m_program.run({"verify", "large.headlight"});
    HEADLIGHT_REFUSED(run, 1, {"final_norm", "rounding"});
    QVERIFY(QString::fromUtf8(run.out).contains("alone"));
    const QJsonArray stages = stagesOf(m_program.run({"verify", "large.headlight", "--json"}));
    const QJsonObject norm = stageNamed(stages, "final_norm");
    QVERIFY(norm["difference"].toDouble() > 0.01);
    QVERIFY(norm["alone"].toDouble() <= 1e-6);
}

void CliVerify::refused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    QString many;
    for (int i = 0; i < 4097; ++i)
        many += "a ";
    QTest::newRow("too long") << QStringList{session("decoder_rotary"), "--text", many}
                              << QStringList{"4097 tokens", "4096"};
    QTest::newRow("unknown token")
        << QStringList{session("decoder_rotary"), "--token-ids", "99999"} << QStringList{"99999"};
    QTest::newRow("damaged") << QStringList{"damaged.headlight"}
                             << QStringList{"damaged.headlight"};
    QTest::newRow("capture") << QStringList{"trace.safetensors"} << QStringList{"capture"};
}

void CliVerify::refused() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    m_program.write("damaged.headlight", "{");
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "trace.safetensors"}));
    const Run run = m_program.run(QStringList{"verify"} + words);
    HEADLIGHT_REFUSED(run, 1, mentions);
    QVERIFY(run.out.isEmpty());
}

void CliVerify::wrongUsage() {
    HEADLIGHT_REFUSED(m_program.run({"verify"}), 2, {"source"});
    HEADLIGHT_REFUSED(m_program.run({"verify", "cat", "bank"}), 2, {"bank"});
    HEADLIGHT_REFUSED(m_program.run({"verify", "cat", "-o", "x"}), 2, {"o"});
    HEADLIGHT_REFUSED(m_program.run({"verify", "catt"}), 2, {"cat"});
}

void CliVerify::interrupted() {
    QString many;
    for (int i = 0; i < 4000; ++i)
        many += "a ";
    QProcess process;
    process.setProcessEnvironment(m_program.environment());
    process.start(m_program.file(), {"verify", session("decoder_rotary"), "--text", many});
    QVERIFY(started(process));
    HEADLIGHT_UNTIL(expectsInterrupts(process));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(finished(process));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardOutput().isEmpty());
}

HEADLIGHT_GUILESS_TEST(CliVerify)
#include "tst_cli_verify.moc"
