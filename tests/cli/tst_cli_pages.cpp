// The manual page and the completions have every command and option, and their readers accept them.
#include "process.h"
#include "tests/support/test_main.h"

#include <QStandardPaths>

using headlight::test::Program;
using headlight::test::Run;

class CliPages : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void everyOption_data();
    void everyOption();
    void unknownPage();
    void manual_data();
    void manual();
    void syntax_data();
    void syntax();
    void bashCompletes_data();
    void bashCompletes();

  private:
    QByteArray page(const QString &name) const { return m_program.read("page." + name); }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

namespace {

const QStringList kPages{"man", "bash", "zsh", "fish"};

/// Returns the commands that --help lists; the empty one is the window.
QStringList commandsOf(const Program &program) {
    QStringList commands{""};
    for (const QString &line : QString::fromUtf8(program.run({"--help"}).out).split('\n'))
        if (line.startsWith("headlight ") && line.at(10).isLower())
            commands << line.section(' ', 1, 1);
    return commands;
}

/// Returns the part of a page that is about the command.
QByteArray partOf(const QString &page, const QByteArray &text, const QString &command) {
    if (page == "fish") {
        const QByteArray condition = command.isEmpty()
                                         ? "-n 'not __fish_seen_subcommand_from "
                                         : "-n '__fish_seen_subcommand_from " + command.toUtf8();
        QByteArray part;
        for (const QByteArray &line : text.split('\n'))
            if (line.contains(condition))
                part += line + '\n';
        return part;
    }
    QByteArray begin, end;
    if (page == "man") {
        begin =
            command.isEmpty() ? ".SS \"The window\"" : ".SS \"headlight " + command.toUtf8() + '"';
        end = "\n.S";
    } else if (page == "bash") {
        begin = command.isEmpty() ? "\n    *)" : "\n    " + command.toUtf8() + ')';
        end = "\n        ;;";
    } else {
        begin = command.isEmpty() ? "\nfi\n_arguments" : "\n    " + command.toUtf8() + ')';
        end = command.isEmpty() ? "\n*" : "\n        ;;";
    }
    const qsizetype from = text.indexOf(begin);
    return from < 0 ? QByteArray() : text.mid(from, text.indexOf(end, from + begin.size()) - from);
}

} // namespace

void CliPages::initTestCase() {
    for (const QString &name : kPages) {
        const Run run = m_program.run({"--print", name});
        HEADLIGHT_DONE(run);
        m_program.write("page." + name, run.out);
    }
}

void CliPages::everyOption_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("command");
    const QStringList commands = commandsOf(m_program);
    QVERIFY2(commands.size() > 10, "--help lists the commands otherwise now");
    for (const QString &name : kPages)
        for (const QString &command : commands)
            QTest::newRow(qPrintable(name + ' ' + command)) << name << command;
}

void CliPages::everyOption() {
    QFETCH(QString, name);
    QFETCH(QString, command);
    const QByteArray part = partOf(name, page(name), command).replace("\\-", "-");
    QVERIFY2(!part.isEmpty(), qPrintable(name + " has nothing about the command"));
    QStringList words{"--help"};
    if (!command.isEmpty())
        words.prepend(command);
    const QString help = QString::fromUtf8(m_program.run(words).out);
    const QRegularExpression line("^  (?:-(\\w), |    )--([a-z0-9-]+)",
                                  QRegularExpression::MultilineOption);
    int count = 0;
    for (auto match = line.globalMatch(help); match.hasNext(); ++count) {
        const QRegularExpressionMatch option = match.next();
        const QString typed =
            name == "fish" ? " -l " + option.captured(2) : "--" + option.captured(2);
        const QRegularExpression found(QRegularExpression::escape(typed) + "(?![a-z0-9-])");
        QVERIFY2(found.match(QString::fromUtf8(part)).hasMatch(), qPrintable(typed));
        if (!option.captured(1).isEmpty()) {
            const QString letter = (name == "fish" ? " -s " : "-") + option.captured(1);
            QVERIFY2(part.contains(letter.toUtf8()), qPrintable(letter));
        }
    }
    QVERIFY(count > 0);
}

void CliPages::unknownPage() {
    HEADLIGHT_REFUSED(m_program.run({"--print", "tcsh"}), 2, {"print"});
    HEADLIGHT_REFUSED(m_program.run({"--print"}), 2, {"print"});
}

void CliPages::manual_data() {
    QTest::addColumn<QString>("command");
    QTest::newRow("groff") << "groff -ww -man -Tutf8 -z page.man";
    QTest::newRow("man") << "man --warnings -E UTF-8 -l page.man >/dev/null";
    QTest::newRow("mandoc") << "mandoc -Tlint -W warning page.man";
}

void CliPages::manual() {
    QFETCH(QString, command);
    if (QStandardPaths::findExecutable(command.section(' ', 0, 0)).isEmpty())
        QSKIP(qPrintable(command.section(' ', 0, 0) + " is not installed"));
    for (const char *section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "\"EXIT STATUS\"", "FILES",
          "ENVIRONMENT", "EXAMPLES", "\"SEE ALSO\""})
        QVERIFY2(page("man").contains(QByteArray("\n.SH ") + section + '\n'), section);
    const Run run = m_program.shell(command);
    QCOMPARE(run.err, QByteArray());
    QCOMPARE(run.out, QByteArray());
    QCOMPARE(run.code, 0);
}

void CliPages::syntax_data() {
    QTest::addColumn<QString>("shell");
    for (const char *shell : {"bash", "zsh", "fish"})
        QTest::newRow(shell) << shell;
}

void CliPages::syntax() {
    QFETCH(QString, shell);
    if (QStandardPaths::findExecutable(shell).isEmpty())
        QSKIP(qPrintable(shell + " is not installed"));
    const Run run = m_program.shell(QString("%1 -n page.%1").arg(shell));
    QCOMPARE(run.err, QByteArray());
    QCOMPARE(run.code, 0);
}

void CliPages::bashCompletes_data() {
    QTest::addColumn<QString>("typed");    // the last word is completed
    QTest::addColumn<QString>("expected"); // all that is offered
    QTest::newRow("command") << "fig"
                             << "figure";
    QTest::newRow("lesson") << "look-a"
                            << "look-ahead";
    QTest::newRow("option of the window") << "--vers"
                                          << "--version";
    QTest::newRow("option") << "figure cat --transp"
                            << "--transparent";
    QTest::newRow("option of another command") << "tasks --transp"
                                               << "";
    QTest::newRow("task") << "train rev"
                          << "reverse";
    QTest::newRow("session and folder") << "figure my"
                                        << "my.headlight my folder";
    QTest::newRow("every file") << "check my"
                                << "my.headlight my folder my.txt";
    QTest::newRow("file of an option") << "train --text-file my.t"
                                       << "my.txt";
    QTest::newRow("value of an option") << "figure --title my"
                                        << "";
    QTest::newRow("lists take nothing") << "lessons my"
                                        << "";
}

void CliPages::bashCompletes() {
    QFETCH(QString, typed);
    QFETCH(QString, expected);
    if (QStandardPaths::findExecutable("bash").isEmpty())
        QSKIP("bash is not installed");
    m_program.write("my.headlight", "{}");
    m_program.write("my.txt", "");
    m_program.shell("mkdir -p 'my folder'");
    m_program.write("complete.bash", R"(
source page.bash
[[ $(complete -p headlight) == *'-F _headlight headlight' ]] || echo 'not registered'
COMP_WORDS=(headlight "$@")
COMP_CWORD=$#
_headlight
printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
)");
    const Run run = m_program.shell("bash complete.bash " + typed);
    QCOMPARE(run.err, QByteArray());
    QStringList offered = QString::fromUtf8(run.out).split('\n', Qt::SkipEmptyParts);
    QStringList wanted =
        QString(expected).replace("my folder", "my+folder").split(' ', Qt::SkipEmptyParts);
    for (QString &word : wanted)
        word.replace('+', ' ');
    offered.sort();
    wanted.sort();
    QCOMPARE(offered, wanted);
}

HEADLIGHT_APPLESS_TEST(CliPages)
#include "tst_cli_pages.moc"
