// Runs the scripts in scripts/, one test per section. Its argument is the script's name. Without an
// argument, it tests the runner itself.
#include "script.h"
#include "tests/support/test_main.h"

using namespace headlight::test;

namespace {

/// Returns the script's problems, one per line.
QString problemsIn(const QString &text) {
    const Script script = readScript(text);
    QStringList problems = script.problems;
    if (problems.isEmpty())
        for (const ScriptSection &section : script.sections)
            problems << run(section, Program(HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH));
    return problems.join('\n');
}

} // namespace

/// Tests of one script, one per section.
class CliScript : public QObject {
    Q_OBJECT
  public:
    explicit CliScript(const QString &name) : m_name(name) {}

  private slots:
    void section_data() {
        QFile file(QString(HEADLIGHT_CLI_SCRIPTS "/%1.cli").arg(m_name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const Script script = readScript(QString::fromUtf8(file.readAll()));
        QVERIFY2(script.problems.isEmpty(), qPrintable(script.problems.join('\n')));
        m_sections = script.sections;
        QTest::addColumn<int>("index");
        for (int i = 0; i < m_sections.size(); ++i)
            QTest::newRow(qPrintable(m_sections[i].title)) << i;
    }
    void section() {
        QFETCH(int, index);
        if (const QString missing = missingFor(m_sections[index]); !missing.isEmpty())
            QSKIP(qPrintable(missing + " is not here"));
        const Program program(HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH "/" + m_name);
        QString message;
        for (const QString &problem : run(m_sections[index], program))
            message += "\nscripts/" + m_name + ".cli:" + problem;
        QVERIFY2(message.isEmpty(), qPrintable(message));
    }

  private:
    QString m_name;
    QList<ScriptSection> m_sections;
};

/// A script with a mistake, or with a wrong expectation, fails.
class CliScriptRunner : public QObject {
    Q_OBJECT
  private slots:
    void good() {
        QCOMPARE(
            problemsIn("file a\n| x\n== one\ninfo cat => 0 heads\n  out has heads\n"
                       "for F in svg | png\nfigure cat -o a.{F}\n  picture a.{F} is whole\nend\n"
                       "$ cat a\n  out = x\\n\n  files a a.png a.svg\n"
                       "with info cat\n+ --json\n  json heads = 2\n  json no is missing\n"
                       "info kat => 2 kat | cat\n"),
            QString());
    }

    void missing() {
        const auto missingIn = [](const char *lines) {
            return missingFor(readScript(QString("== one\n") + lines).sections[0]);
        };
        QCOMPARE(missingIn("needs sh\ninfo cat"), QString());
        QCOMPARE(missingIn("needs no-such-program\ninfo cat"), QString("no-such-program"));
        QCOMPARE(missingIn("needs $DATA/sessions\ninfo cat"), QString());
        QCOMPARE(missingIn("needs /no/such/file\ninfo cat"), QString("/no/such/file"));
    }

    void wrong_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char *lines, const char *problem) {
            QTest::newRow(lines) << lines << problem;
        };
        row("INFO cat", "unknown line");
        row("+ --json", "unknown line");
        row("  out has heads", "a check without a command");
        row("info cat => good", "no exit code");
        row("info cat\n  oot has heads", "unknown check");
        row("info cat\n  out hsa heads", "unknown check");
        row("info cat\n  out has", "nothing is expected");
        row("info cat --json\n  json heads == 2", "unknown check");
        row("info cat --json\n  json heads = two", "not a JSON value");
        row("info cat\n  json heads = 2", "not JSON");
        row("info cat\n  picture a b", "unknown check");
        row("file a", "not the lines of a file");
        row("capture a\n| a 2x2 1 2 3", "not the lines of a file");
        row("for F on a | b\nend", "not “for NAME in VALUES”");
        row("for F in a | b\ninfo cat", "a loop without end");
        row("# nothing", "nothing is in the section");
        row("info cat => 1", "exit code 0, expected 1");
        row("info kat", "exit code 2");
        row("info cat => 0 nonsense", "“nonsense” is missing");
        row("info kat => 2 nonsense", "“nonsense” is missing");
        row("$ echo oh >&2", "exit code 0: oh");
        row("$ echo oh >&2; exit 1 => 1", "not one line");
        row("$ echo headlight: a >&2; echo b; exit 1 => 1", "it failed, but printed “b");
        row("info cat\n  out lacks heads", "standard output should");
        row("info cat\n  out = heads", "standard output should");
        row("info cat\n  out matches ^eads", "standard output should");
        row("info cat\n  out counts 2 heads", "standard output should");
        row("info cat --json\n  json heads = 3", "but it is 2");
        row("info cat --json\n  json heads > 2", "but it is 2");
        row("info cat --json\n  json heads is missing", "but it is 2");
        row("$ echo a >a\n  file a has b", "a should satisfy");
        row("info cat\n  file a has b", "there is no file a");
        row("$ echo a >a\n  files", "there are the files: a");
        row("$ echo a >a.svg\n  picture a.svg is whole", "not well-formed");
        row("figure cat -o a.png\n  picture a.png != a.png", "the pictures should be");
        row("figure cat -o a.png\n  picture a.png = b.png", "b.png is not a picture");
        row("figure cat -o a.png --size 640x480\n  picture a.png is 640x481", "640 × 480");
        row("figure cat -o a.png\n  picture a.png is large", "unknown check");
    }
    void wrong() {
        QFETCH(QString, lines);
        QFETCH(QString, problem);
        const QString found = problemsIn("== one\n" + lines);
        QVERIFY2(found.contains(problem), qPrintable(found));
    }
};

static const RegisteredTest registeredScripts(__FILE__, [](int count, char **words) {
    const QCoreApplication application(count, words);
    if (count == 1) {
        CliScriptRunner test;
        return QTest::qExec(&test, count, words);
    }
    CliScript test(words[1]);
    words[1] = words[0];
    return QTest::qExec(&test, count - 1, words + 1);
});
#include "tst_cli_scripts.moc"
