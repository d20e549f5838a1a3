// `generate`: prints the tokens of a language model as they are generated.
#include "core/generation/generator.h"
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

class CliGenerate : public QObject {
    Q_OBJECT
  private slots:
    void whatTheEngineGenerates_data();
    void whatTheEngineGenerates();
    void drawn();
    void textAndSequence();
    void endsWithAWord();
    void tooLong();
    void wordsWithTheirOwnSpaces();
    void wrongUsage_data();
    void wrongUsage();
    void refused_data();
    void refused();
    void interrupted();
    void aModelThatIsCutMeanwhile();

  private:
    static QString session(const char *name) {
        return QString("%1/%2.headlight").arg(HEADLIGHT_SESSIONS, name);
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

namespace {

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

} // namespace

void CliGenerate::whatTheEngineGenerates_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"decoder_rotary", "decoder_alibi", "encoder_decoder", "t5_like",
                             "gemma_2", "gpt_j", "gpt_neox", "olmo_2", "qwen_3", "wide_encoder"})
        QTest::newRow(name) << name;
}

void CliGenerate::whatTheEngineGenerates() {
    QFETCH(QString, name);
    const QString source = session(qPrintable(name));
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

void CliGenerate::drawn() {
    const QString source = session("decoder_rotary");
    const core::Sampling sampling{.temperature = 1.5f, .topK = 4, .seed = 7};
    const QStringList words{"generate", source, "--tokens", "20",   "--temperature", "1.5",
                            "--top-k",  "4",    "--end",    "none", "--seed"};
    const Run run = m_program.run(words + QStringList{"7"});
    HEADLIGHT_DONE(run);
    QCOMPARE(QString(run.out),
             generated(source, {.maximum = 20, .sampling = sampling}).join(' ') + '\n');
    QVERIFY(m_program.run(words + QStringList{"8"}).out != run.out);
    QCOMPARE(m_program.run(words + QStringList{"7"}).out, run.out);
}

void CliGenerate::textAndSequence() {
    const QString source = session("decoder_rotary");
    const QStringList words{"generate", source, "--tokens", "3", "--end", "none"};
    const QByteArray second = m_program.run(words + QStringList{"--sequence", "1"}).out;
    QCOMPARE(m_program.run(words + QStringList{"--text", "the dog sat on the cat"}).out, second);
    QCOMPARE(m_program.run(words + QStringList{"--token-ids", "2,5,7,9,2,4"}).out, second);
    HEADLIGHT_REFUSED(m_program.run(words + QStringList{"--sequence", "2"}), 1, {"--sequence"});
    const Run none = m_program.run({"generate", source, "--tokens", "0"});
    HEADLIGHT_DONE(none);
    QCOMPARE(none.out, QByteArray("\n"));
}

/// The end token is not printed.
void CliGenerate::endsWithAWord() {
    const QString source = session("decoder_rotary");
    const core::Sampling sampling{.temperature = 3, .topK = 0, .seed = 2};
    const QStringList all = generated(source, {.maximum = 30, .sampling = sampling});
    const qsizetype place = all.indexOf("cat");
    QVERIFY(place > 0);
    const QStringList words{"generate", source,   "--tokens", "30",    "--temperature",
                            "3",        "--seed", "2",        "--end", "cat"};
    const Run run = m_program.run(words);
    HEADLIGHT_DONE(run);
    QCOMPARE(QString(run.out), all.mid(0, place).join(' ') + '\n');
    const QByteArray json = m_program.run(words + QStringList{"--json"}).out;
    QCOMPARE(json.trimmed().split('\n').size(), place + 1);
    QVERIFY(json.contains("\"end\": true") || json.contains("\"end\":true"));
}

/// Prints the tokens so far and ends the line.
void CliGenerate::tooLong() {
    QFile file(session("decoder_alibi"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject document = QJsonDocument::fromJson(file.readAll()).object();
    QJsonObject model = document["model"].toObject();
    model["positions"] = "learned";
    model["position_embeddings"] = QJsonObject{{"random", QJsonObject{{"seed", 3}}}, {"rows", 12}};
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

void CliGenerate::wordsWithTheirOwnSpaces() {
    QFile file(session("decoder_rotary"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
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

void CliGenerate::wrongUsage_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const char *line, const QStringList &mentions) {
        QTest::newRow(line) << QStringList{"generate"} + QString(line).split(' ') << mentions;
    };
    row("bank", {"--tokens N"});
    row("bank --tokens many", {"--tokens", "whole number"});
    row("bank --tokens -1", {"--tokens", "whole number"});
    row("bank --tokens 3 --temperature -1", {"--temperature", "number from 0"});
    row("bank --tokens 3 --temperature inf", {"--temperature"});
    row("bank --tokens 3 --temperature warm", {"--temperature"});
    row("bank --tokens 3 --top-k -2", {"--top-k", "whole number"});
    row("bank --tokens 3 --seed x", {"--seed"});
    row("bank --tokens 3 -o a.txt", {"Unknown option"});
    row("bank --tokens 3 --layer 0", {"Unknown option"});
    row("bonk --tokens 3", {"bonk"});
    row("--tokens 3", {"source"});
}

void CliGenerate::wrongUsage() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(words), 2, mentions);
}

void CliGenerate::refused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("no output layer")
        << QStringList{"bank"} << QStringList{"it has no output layer", "language"};
    QTest::newRow("masked words") << QStringList{session("encoder_postnorm")}
                                  << QStringList{"masked words", "language"};
    QTest::newRow("a classifier") << QStringList{session("encoder_prenorm")}
                                  << QStringList{"class of a text", "language"};
    QTest::newRow("an unknown end")
        << QStringList{session("gpt_j"), "--end", "frog"} << QStringList{"frog", "--end"};
    QTest::newRow("no such file") << QStringList{"./none.headlight"}
                                  << QStringList{"none.headlight"};
}

void CliGenerate::refused() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    const Run run = m_program.run(QStringList{"generate", "--tokens", "3"} + words);
    HEADLIGHT_REFUSED(run, 1, mentions);
    QCOMPARE(run.out, QByteArray());
}

/// After Ctrl-C, keeps the tokens so far and ends the line.
void CliGenerate::interrupted() {
    QProcess process;
    process.setProcessEnvironment(m_program.environment());
    process.start(m_program.file(),
                  {"generate", session("decoder_rotary"), "--tokens", "1000000", "--end", "none"});
    QVERIFY(started(process));
    QByteArray said;
    while (said.count(' ') < 5 && hasSaidSomething(process))
        said += process.readAllStandardOutput();
    QVERIFY(said.count(' ') >= 5);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(finished(process));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(process.readAllStandardError(), QByteArray());
    said += process.readAllStandardOutput();
    QVERIFY(said.endsWith('\n'));
    QCOMPARE(said.count('\n'), 1);
}

/// The token count is too large to finish, so the run ends only because the file was truncated.
void CliGenerate::aModelThatIsCutMeanwhile() {
    const QDir whole(HEADLIGHT_SESSIONS "/../folders/llama");
    QVERIFY(QDir(m_program.path(".")).mkpath("cut"));
    for (const QString &each : whole.entryList(QDir::Files)) {
        QFile file(whole.filePath(each));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_program.write("cut/" + each,
                        file.readAll().replace("\"max_position_embeddings\": 32",
                                               "\"max_position_embeddings\": 8000000"));
    }
    QProcess process;
    process.setProcessEnvironment(m_program.environment());
    process.setWorkingDirectory(m_program.path("."));
    process.start(m_program.file(),
                  {"generate", "cut", "--tokens", "1000000", "--end", "none", "--json"});
    QVERIFY(started(process));
    QVERIFY(hasSaidSomething(process));
    QVERIFY(QFile::resize(m_program.path("cut/model.safetensors"), 2000));
    QVERIFY(finished(process));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("model.safetensors") && said.contains("truncated"), said.constData());
    QVERIFY2(!process.readAllStandardOutput().contains("nan"), "a token was chosen of no numbers");
}

HEADLIGHT_GUILESS_TEST(CliGenerate)
#include "tst_cli_generate.moc"
