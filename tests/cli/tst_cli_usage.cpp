// Valid and invalid command-line syntax: exit code 2.
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

using headlight::test::Program;
using headlight::test::Run;

class CliUsage : public QObject {
    Q_OBJECT
  private slots:
    void helpAndVersion();
    void wrongUsage_data();
    void wrongUsage();
    void invalidUtf8();
    void namesOfAnyBytes();
    void nothingIsWritten();
    void noDisplay();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliUsage::helpAndVersion() {
    for (const QStringList &words : QList<QStringList>{{"--help"}, {"-h"}, {"bank", "--help"}}) {
        const Run run = m_program.run(words);
        HEADLIGHT_DONE(run);
        for (const char *command : {"lessons", "figure", "trace", "generate", "info", "check"})
            QVERIFY(run.out.contains(QByteArray("headlight ") + command));
    }
    for (const char *command : {"lessons", "figure", "trace", "generate", "info", "check"}) {
        const Run run = m_program.run({command, "--help"});
        HEADLIGHT_DONE(run);
        QVERIFY(run.out.startsWith(QByteArray("headlight ") + command));
        QVERIFY(run.out.contains("-h, --help"));
    }
    QVERIFY(m_program.run({"figure", "--help"}).out.contains("--size W[xH]"));
    QVERIFY(m_program.run({"--help"}).out.contains("the window counts a lesson's steps from 1"));
    // Both options for steps tell the two ways of counting apart.
    const QByteArray options = m_program.run({"figure", "--help"}).out;
    for (const char *option : {"--step N", "--compare-step N"}) {
        const qsizetype begin = options.indexOf(option);
        QVERIFY2(begin >= 0, option);
        const QByteArray line = options.mid(begin, options.indexOf('\n', begin) - begin);
        QVERIFY2(line.contains("from 0 (the window counts steps from 1)"), line);
    }
    QVERIFY(!m_program.run({"lessons", "--help"}).out.contains("--size"));
    for (const char *option : {"--version", "-v"}) {
        const Run run = m_program.run({option});
        HEADLIGHT_DONE(run);
        QVERIFY2(QRegularExpression("^headlight \\d+\\.\\d+\\.\\d+\n$").match(run.out).hasMatch(),
                 run.out);
    }
}

void CliUsage::wrongUsage_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const QString &line, const QStringList &mentions) {
        QTest::newRow(qPrintable(line)) << line.split(' ') << mentions;
    };
    row("frobnicate", {"frobnicate"});
    row("figgure", {"figure"});
    row("sentense", {"sentence"});
    row("--frobnicate", {"frobnicate"});
    row("-platform offscreen", {"Unknown option"});
    row("--style fusion", {"style"});
    row("--theme dark figure bank", {"figure", "first argument"});
    row("bank cat", {"cat"});
    row("lessons bank", {"bank"});
    row("lessons --json", {"json"});
    row("figure", {"source"});
    row("figure bank", {"-o FILE"});
    row("figure bank -o", {"o"});
    row("figure bank cat -o a.png", {"cat"});
    row("figure bonk -o a.png", {"bonk", "bank"});
    row("figure look-ahed -o a.png", {"look-ahead"});
    row("trace catt -o a.safetensors", {"'cat'"});
    row("info batc", {"batch"});
    row("check", {"file"});
    row("figure bank -o a.gif", {"a.gif", ".png", ".svg", ".pdf"});
    row("figure bank -o a", {"extension"});
    row("figure bank -o folder/", {"extension"});
    row("figure bank -o -", {"--format"});
    row("figure bank -o a.png --format gif", {"gif", "png, svg, pdf"});
    row("trace bank -o a.png", {".safetensors"});
    row("trace bank", {"-o FILE"});
    row("trace bank -o a.safetensors --theme dark", {"theme"});
    row("figure bank -o a.png --view lines", {"lines", "flow", "heatmap", "heads"});
    row("figure bank -o a.png --theme blue", {"blue", "light, dark"});
    row("figure bank -o a.png --colors rainbow", {"rainbow", "viridis"});
    row("figure bank -o a.png --colors viridis,magma", {"viridis,magma", "one for signed"});
    row("figure bank -o a.png --colors rdbu --colors prgn", {"rdbu,prgn", "one for signed"});
    row("figure bank -o a.png --colors viridis,", {"--colors"});
    row("figure bank -o a.png --range wide", {"--range", "fixed, row, head, heads"});
    row("figure bank -o a.png --order size", {"--order", "index, entropy", "first-token"});
    row("figure bank -o a.png --contextual query", {"--contextual", "context, output"});
    row("figure bank -o a.png --granularity word", {"--granularity", "stage, row, cell"});
    row("figure bank -o a.png --arithmetic shut", {"--arithmetic", "line, opened"});
    row("figure bank -o a.png --learned half", {"--learned", "shown, folded"});
    row("figure bank -o a.png --lines thick", {"--lines", "shown, hidden"});
    row("trace bank -o a.safetensors --range row", {"range"});
    row("bank --view heatmap", {"heatmap", "similarity"});
    row("figure bank -o a.png --mask maybe", {"maybe", "causal+padding"});
    row("figure bank -o a.png --block both", {"self, cross"});
    row("figure bank -o a.png --head one", {"--head", "whole number"});
    row("figure bank -o a.png --head -1", {"--head", "whole number"});
    row("figure bank -o a.png --layer 1.5", {"--layer"});
    row("figure bank -o a.png --query 0x1", {"--query"});
    row("figure bank -o a.png --dimension -1", {"--dimension"});
    row("figure bank -o a.png --positions maybe", {"--positions", "none, sinusoidal"});
    row("figure bank -o a.png --scaling half", {"--scaling", "sqrt, off"});
    row("figure bank -o a.png --text-scale 0", {"--text-scale"});
    row("figure bank -o a.png --key +1", {"--key"});
    row("figure bank -o a.png --sequence first", {"--sequence"});
    row("figure bank -o a.png --step 99999999999999999999", {"--step"});
    row("figure bank -o a.png --seed -5", {"--seed"});
    row("figure bank -o a.png --token-ids 1,,2", {"--token-ids"});
    row("figure bank -o a.png --target-token-ids a", {"--target-token-ids"});
    row("figure bank -o a.png --size 84furlongs", {"--size", "84mm"});
    row("figure bank -o a.png --size 0mm", {"--size"});
    row("figure bank -o a.png --size 84mmx60", {"--size"});
    row("figure bank -o a.png --size 84mmx3in", {"--size"});
    row("figure bank -o a.png --size 80.5x60", {"--size"});
    row("figure bank -o a.png --size -84mm", {"--size"});
    row("figure bank -o a.png --size nanmm", {"--size"});
    row("figure bank -o a.png --paper --theme dark", {"--theme", "--paper"});
    row("figure bank -o a.png --transparent", {"--transparent", "--paper"});
    row("figure bank -o a.png --size 800x", {"--size"});
    row("figure bank -o a.png --size 0x600", {"--size"});
    row("figure bank -o a.png --size 800x600x2", {"--size"});
    row("figure bank -o a.png --scale 0", {"--scale"});
    row("figure bank -o a.png --scale -1", {"--scale"});
    row("figure bank -o a.png --scale nan", {"--scale"});
    row("figure bank -o a.png --scale 2,5", {"--scale"});
    row("figure bank -o a.png -title x", {"Unknown option"});
    row("info bank --json=1", {"json"});
    row("figure bank -o a.png --text", {"text"});
    QTest::newRow("an empty source") << QStringList{"info", ""} << QStringList{"did you mean"};
    QTest::newRow("line breaks") << QStringList{"a\nb\r\x1b[31mc"} << QStringList{"a b"};
}

void CliUsage::wrongUsage() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    const Run run = m_program.run(words);
    HEADLIGHT_REFUSED(run, 2, mentions);
    QVERIFY(run.out.isEmpty());
    QVERIFY(!run.err.contains('\x1b') && !run.err.contains('\r'));
}

void CliUsage::invalidUtf8() {
    HEADLIGHT_REFUSED(m_program.shell("\"$H\" figure bank -o a.png --text \"$(printf 'a\\377')\""),
                      2, {"--text", "UTF-8 at byte 1"});
    HEADLIGHT_REFUSED(
        m_program.shell("\"$H\" figure bank -o a.png --title=\"$(printf '\\300\\200')\""), 2,
        {"--title", "UTF-8 at byte 0"});
    // A file name may have any bytes. This file does not exist.
    HEADLIGHT_REFUSED(m_program.shell("\"$H\" info \"$(printf '\\303')\""), 2,
                      {"no file or lesson"});
}

void CliUsage::namesOfAnyBytes() {
    m_program.write("plain.headlight", headlight::ui::lessonFile("cat"));
    const auto shell = [this](const char *script) {
        return m_program.shell(QString("N=$(printf 'caf\\351'); ") + script);
    };
    HEADLIGHT_DONE(shell("mkdir any; mv plain.headlight any/$N.headlight"));
    for (const char *command :
         {"\"$H\" info any/$N.headlight", "\"$H\" trace any/$N.headlight -o any/$N.safetensors",
          "\"$H\" info --json any/$N.safetensors", "\"$H\" check any/*",
          "\"$H\" figure any/$N.headlight -o any/$N.svg --caption auto",
          "\"$H\" figure any/$N.svg -oany/$N.pdf", "\"$H\" figure any/$N.safetensors -o any/$N.png",
          "\"$H\" figure cat --compare=any/$N.headlight --output=any/$N.png",
          "test -s any/$N.svg && test -s any/$N.pdf && test -s any/$N.png",
          "test $(ls any | wc -l) = 5"})
        HEADLIGHT_DONE(shell(command));
    const Run check = shell("cd any; \"$H\" check $N.headlight");
    HEADLIGHT_DONE(check);
    QCOMPARE(check.out, QByteArray("caf\xE9.headlight: good\n"));
    // The stored command is text and omits such file names. The figure still opens.
    HEADLIGHT_DONE(shell("\"$H\" figure any/$N.pdf -o any/again.svg && rm -r any"));
}

void CliUsage::nothingIsWritten() {
    QCOMPARE(m_program.listing(), QStringList());
}

void CliUsage::noDisplay() {
    HEADLIGHT_REFUSED(m_program.run({}), 1, {"display", "figure"});
    HEADLIGHT_REFUSED(m_program.run({"bank"}), 1, {"display"});
    QProcessEnvironment environment = m_program.environment();
    environment.insert("QT_QPA_PLATFORM", "there-is-no-such-platform");
    HEADLIGHT_REFUSED(m_program.run({"bank"}, environment), 1, {"graphical system"});
}

HEADLIGHT_APPLESS_TEST(CliUsage)
#include "tst_cli_usage.moc"
