// `tokenize`: token ids from a folder's own tokenizer.
#include "core/formats/tokenizer/tokenizer_folder.h"
#include "process.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace headlight::test;
using namespace headlight;

class CliTokenize : public QObject {
    Q_OBJECT
  private slots:
    void init();
    void ids();
    void texts();
    void textsOfStandardInput_data();
    void textsOfStandardInput();
    void refusedStandardInput_data();
    void refusedStandardInput();
    void asJson();
    void pairs();
    void decoded();
    void byExpression();
    void wrongUsage_data();
    void wrongUsage();
    void refused_data();
    void refused();
    void publishedTokenizers();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliTokenize::init() {
    QDir(m_program.path(".")).mkpath("bert");
    m_program.write("bert/vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\n##s\nC\n");
    m_program.write("text.txt", "The cats");
}

void CliTokenize::ids() {
    Run run = m_program.run({"tokenize", "bert", "--text", "The cats, cat"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("4 5 6 1 5\n"));
    run = m_program.run({"tokenize", "bert/vocab.txt", "--text", "the", "--special"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("2 4 3\n"));
    run = m_program.run({"tokenize", "bert", "--text", ""});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("\n"));
}

/// The command line, a file and standard input give the same result.
void CliTokenize::texts() {
    const QByteArray expected = "4 5 6\n";
    QCOMPARE(m_program.run({"tokenize", "bert", "--text", "The cats"}).out, expected);
    QCOMPARE(m_program.run({"tokenize", "bert", "text.txt"}).out, expected);
    const Run piped = m_program.shell("printf 'The cats' | \"$H\" tokenize bert -");
    HEADLIGHT_DONE(piped);
    QCOMPARE(piped.out, expected);
}

void CliTokenize::textsOfStandardInput_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("text");
    const QString gpt2 = HEADLIGHT_TEST_DATA "/folders/gpt2";
    QTest::newRow("tokenize") << "tokenize bert"
                              << "The cats";
    QTest::newRow("info") << "info cat --json"
                          << "The cat";
    QTest::newRow("trace") << "trace cat -o - --format safetensors"
                           << "The cat";
    // The figure stores its command with the text itself, not with its source.
    QTest::newRow("figure") << "figure cat -o - --format svg"
                            << "The cat";
    QTest::newRow("generate") << "generate " + gpt2 + " --tokens 2"
                              << "4 12 4";
}

/// The final newline is removed, as if the text had been typed.
void CliTokenize::textsOfStandardInput() {
    QFETCH(QString, words);
    QFETCH(QString, text);
    const Run typed = m_program.run(words.split(' ') + QStringList{"--text", text});
    HEADLIGHT_DONE(typed);
    for (const char *end : {"", "\\n"})
        for (const char *option : {"--text -", "--text=-"}) {
            const Run piped = m_program.shell(
                QString("printf '%1%2' | \"$H\" %3 %4").arg(text, end, words, option));
            HEADLIGHT_DONE(piped);
            if (words.startsWith("figure") && QByteArray(option) == "--text=-")
                continue; // the stored command keeps the option as typed
            QCOMPARE(piped.out, typed.out);
        }
}

void CliTokenize::refusedStandardInput_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("no UTF-8") << "printf 'cat\\377' | \"$H\""
                              << QStringList{"standard input", "not valid UTF-8 at byte 3"};
    QTest::newRow("too long") << "head -c 5000000 /dev/zero | tr '\\0' a | \"$H\""
                              << QStringList{"standard input", "longer than 4194304 bytes"};
    QTest::newRow("a folder") << "<. \"$H\"" << QStringList{"standard input"};
    QTest::newRow("closed") << "<&- \"$H\"" << QStringList{"standard input"};
}

void CliTokenize::refusedStandardInput() {
    QFETCH(QString, before);
    QFETCH(QStringList, mentions);
    for (const char *words : {"tokenize bert", "info cat"})
        HEADLIGHT_REFUSED(m_program.shell(before + ' ' + words + " --text -"), 1, mentions);
}

void CliTokenize::asJson() {
    const Run run =
        m_program.run({"tokenize", "bert", "--text", "Thé cats", "--json", "--special"});
    HEADLIGHT_DONE(run);
    const QList<QByteArray> lines = run.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
    QCOMPARE(first["id"].toInt(), 2);
    QCOMPARE(first["text"].toString(), QString("[CLS]"));
    QVERIFY(!first.contains("offsets")); // not part of the text
    const QJsonObject the = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(the["text"].toString(), QString("the"));
    QCOMPARE(the["offsets"].toArray(), (QJsonArray{0, 4})); // é has two bytes
    const QJsonObject end = QJsonDocument::fromJson(lines[3]).object();
    QCOMPARE(end["text"].toString(), QString("##s"));
    QCOMPARE(end["offsets"].toArray(), (QJsonArray{8, 9}));
}

void CliTokenize::pairs() {
    Run run =
        m_program.run({"tokenize", "bert", "--text", "the cat", "--pair", "cat", "--special"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("2 4 5 3 5 3\n"));
    run = m_program.run({"tokenize", "bert", "text.txt", "--pair", "the", "--special", "--json"});
    HEADLIGHT_DONE(run);
    const QList<QByteArray> lines = run.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 7);
    const QJsonObject first = QJsonDocument::fromJson(lines[1]).object();
    QCOMPARE(first["type"].toInt(-1), 0);
    QCOMPARE(first["sequence"].toInt(-1), 0);
    const QJsonObject second = QJsonDocument::fromJson(lines[5]).object();
    QCOMPARE(second["type"].toInt(-1), 1);
    QCOMPARE(second["sequence"].toInt(-1), 1);
    QCOMPARE(second["offsets"].toArray(), (QJsonArray{0, 3})); // relative to its own text
    QVERIFY(!QJsonDocument::fromJson(lines[6]).object().contains("sequence"));
}

/// Decodes ids back to text.
void CliTokenize::decoded() {
    Run run = m_program.run({"tokenize", "bert", "--decode", "--text", "2 4, 5\n6 3"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("the cats\n"));
    run = m_program.run({"tokenize", "bert", "--decode", "--text", "2 4 5 6 3", "--special"});
    QCOMPARE(run.out, QByteArray("[CLS] the cats [SEP]\n"));
    run = m_program.run({"tokenize", "bert", "--decode", "--text", "4 5", "--json"});
    QCOMPARE(QJsonDocument::fromJson(run.out).object(), (QJsonObject{{"text", "the cat"}}));
    const Run piped =
        m_program.shell("\"$H\" tokenize bert --text 'The cats' | \"$H\" tokenize bert --decode -");
    HEADLIGHT_DONE(piped);
    QCOMPARE(piped.out, QByteArray("the cats\n"));
}

void CliTokenize::byExpression() {
    const Run run =
        m_program.run({"tokenize", "bert", "--expression", "[A-Z]|cat", "--text", "xCcatC"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("7 5 7\n"));
}

void CliTokenize::wrongUsage_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("not a folder") << QStringList{"tokenize"};
    QTest::newRow("no text") << QStringList{"tokenize", "bert"};
    QTest::newRow("two texts") << QStringList{"tokenize", "bert", "text.txt", "--text", "a"};
    QTest::newRow("two files") << QStringList{"tokenize", "bert", "text.txt", "text.txt"};
    QTest::newRow("ids of a pair")
        << QStringList{"tokenize", "bert", "--text", "4", "--pair", "5", "--decode"};
    QTest::newRow("another's option")
        << QStringList{"tokenize", "bert", "--text", "a", "--layer", "0"};
}

void CliTokenize::wrongUsage() {
    QFETCH(QStringList, words);
    HEADLIGHT_REFUSED(m_program.run(words), 2);
}

void CliTokenize::refused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("no such folder") << QStringList{"tokenize", "nowhere", "--text", "a"}
                                    << QStringList{"nowhere", "No such file"};
    QTest::newRow("no tokenizer") << QStringList{"tokenize", ".", "--text", "a"}
                                  << QStringList{"no tokenizer that Headlight knows"};
    QTest::newRow("no such file") << QStringList{"tokenize", "bert", "gone.txt"}
                                  << QStringList{"gone.txt"};
    QTest::newRow("a folder as text")
        << QStringList{"tokenize", "bert", "bert"} << QStringList{"bert"};
    QTest::newRow("no such id") << QStringList{"tokenize", "bert", "--decode", "--text", "4 8"}
                                << QStringList{"there is no token \"8\"", "0 to 7"};
    QTest::newRow("no id") << QStringList{"tokenize", "bert", "--decode", "--text", "4 -1 x"}
                           << QStringList{"there is no token \"-1\""};
    QTest::newRow("broken expression")
        << QStringList{"tokenize", "bert", "--expression", "(", "--text", "a"}
        << QStringList{"vocab.txt", "expression"};
    QTest::newRow("an expression that hangs")
        << QStringList{"tokenize", "bert",   "--expression",
                       "(a|a)*$",  "--text", QString(4000, 'a') + "!"}
        << QStringList{"takes too long"};
}

void CliTokenize::refused() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(words), 1, mentions);
}

/// Tests the tokenizers beside the project, if they are there.
void CliTokenize::publishedTokenizers() {
    const QDir models(QString(HEADLIGHT_TEST_DATA) + "/../../../shared/models");
    if (!models.exists("tokenizers"))
        QSKIP("there are no tokenizers in ../shared/models");
    const Run run = m_program.run(
        {"tokenize", models.filePath("tokenizers/gpt2-byte-bpe"), "--text", "Hello world"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("15496 995\n"));
}

HEADLIGHT_GUILESS_TEST(CliTokenize)
#include "tst_cli_tokenize.moc"
