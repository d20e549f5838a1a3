// The printed list of lessons matches the catalogue. The manual page and the completions cover
// every command and option, and man and the shells accept them.
#include "app/options.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QStandardPaths>

using headlight::app::allOptions;
using headlight::app::Command;
using headlight::app::Option;
using headlight::test::Program;
using headlight::test::Run;

namespace {

const QStringList kPages{"man", "bash", "zsh", "fish"};

/// Returns the commands that --help lists. The empty string is the window.
QStringList commandsOf(const Program &program) {
    QStringList commands{""};
    for (const QString &line : QString::fromUtf8(program.run({"--help"}).out).split('\n'))
        if (line.startsWith("headlight ") && line.at(10).isLower())
            commands << line.section(' ', 1, 1);
    return commands;
}

/// Returns the part of a page about the command.
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

const QStringList kShells{"bash", "zsh", "fish"};

/// Returns why the shell cannot be tested, or an empty string.
QString whyItCannotComplete(const QString &shell) {
    if (QStandardPaths::findExecutable(shell).isEmpty())
        return shell + " is not installed";
    if (shell == "zsh" && !QFile::exists("/dev/ptmx"))
        return "zsh completes words in a pseudo terminal, and there is none here";
    return {};
}

} // namespace

class CliPages : public QObject {
    Q_OBJECT
  private slots:
    /// `headlight lessons` lists the lessons and the trained models.
    void lessons() {
        const Run run = m_program.run({"lessons"});
        HEADLIGHT_DONE(run);
        QStringList ids;
        QStringList lines = QString::fromUtf8(run.out).split('\n');
        QCOMPARE(lines.takeLast(), QString()); // the output ends with a newline
        for (const QString &line : lines) {
            const QStringList columns = line.split('\t');
            const bool isModel = headlight::ui::modelIds().contains(columns[0]);
            QCOMPARE(columns.size(), isModel ? 4 : 2);
            QVERIFY(!columns[1].isEmpty());
            if (isModel) {
                QVERIFY2(columns[2].contains("held-out"), qPrintable(line));
                QVERIFY2(columns[3].startsWith("headlight train "), qPrintable(line));
            }
            ids << columns[0];
        }
        QCOMPARE(ids, headlight::ui::lessonIds() + headlight::ui::modelIds());
        QVERIFY(ids.contains("bank") && ids.contains("exercises") && ids.contains("sentiment"));
    }

    void initTestCase() {
        for (const QString &name : kPages) {
            const Run run = m_program.run({"--print", name});
            HEADLIGHT_DONE(run);
            m_program.write("page." + name, run.out);
        }
    }

    void everyOption_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("command");
        const QStringList commands = commandsOf(m_program);
        QVERIFY2(commands.size() > 10, "--help lists the commands otherwise now");
        for (const QString &name : kPages)
            for (const QString &command : commands)
                QTest::newRow(qPrintable(name + ' ' + command)) << name << command;
    }
    void everyOption() {
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

    void manual_data() {
        QTest::addColumn<QString>("command");
        QTest::newRow("groff") << "groff -ww -man -Tutf8 -z page.man";
        QTest::newRow("man") << "man --warnings -E UTF-8 -l page.man >/dev/null";
        QTest::newRow("mandoc") << "mandoc -Tlint -W warning page.man";
    }
    void manual() {
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

    void syntax_data() { headlight::test::addRows("shell", kShells); }
    void syntax() {
        QFETCH(QString, shell);
        if (QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP(qPrintable(shell + " is not installed"));
        const Run run = m_program.shell(QString("%1 -n page.%1").arg(shell));
        QCOMPARE(run.err, QByteArray());
        QCOMPARE(run.code, 0);
    }

    void completes_data() {
        QTest::addColumn<QString>("shell");
        QTest::addColumn<QString>("typed");        // a line whose last word is completed
        QTest::addColumn<QStringList>("expected"); // all completions
        const auto row = [](const char *name, const QString &typed, const QStringList &expected,
                            const QStringList &shells = kShells) {
            for (const QString &shell : shells)
                QTest::addRow("%s: %s", qPrintable(shell), name) << shell << typed << expected;
        };
        row("command", "fig", {"figure"});
        row("lesson", "look-a", {"look-ahead"});
        row("lesson of a command", "figure look-a", {"look-ahead"});
        row("lesson of a worksheet", "worksheet look-a", {"look-ahead"});
        row("source of an option", "figure cat --compare look-a", {"look-ahead"});
        // "--versi", because fish 4 also matches the letters of "vers" in --vectors.
        row("option of the window", "--versi", {"--version"});
        row("option", "figure cat --transp", {"--transparent"});
        row("option of another command", "tasks --transp", {});
        row("task", "train rev", {"reverse"});
        row("view", "figure cat --view heatm", {"heatmap"});
        row("view of the window", "cat --view hea", {"heads"});
        row("mask", "figure cat --mask causal", {"causal", "causal+padding"});
        row("mask of a training", "train sort --mask ca", {"causal"});
        row("stage", "trace cat --stage feed_forward.g", {"feed_forward.gate"});
        row("value behind an equals sign", "figure cat --stage=feed_forward.g",
            {"feed_forward.gate"});
        row("all values behind an equals sign", "figure cat --theme=", {"dark", "light"});
        row("word beside a number", "figure cat --head me", {"mean"});
        row("layers beside a number", "figure cat --layer a", {"all"});
        row("layer of another command", "trace cat --layer a", {});
        // fish is left out, because it completes every file.
        row("session and folder", "figure my", {"my folder", "my.headlight"}, {"bash", "zsh"});
        row("session of a command", "worksheet my", {"my folder", "my.headlight"}, {"bash", "zsh"});
        row("every file", "check my", {"my folder", "my.headlight", "my.txt"});
        row("file of an option", "train --text-file my.t", {"my.txt"});
        row("file of a letter", "figure cat -o my.t", {"my.txt"});
        row("text of an option", "figure --title my", {});
        row("lists take nothing", "lessons my", {});
    }
    void completes() {
        QFETCH(QString, shell);
        QFETCH(QString, typed);
        QFETCH(QStringList, expected);
        if (const QString reason = whyItCannotComplete(shell); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_program.write("my.headlight", "{}");
        m_program.write("my.txt", "");
        m_program.shell("mkdir -p 'my folder'");
        QCOMPARE(offered(shell, {typed}), QList<QStringList>{expected});
    }

    void everyValue_data() { headlight::test::addRows("shell", kShells); }

    /// Checks that the shell offers exactly the values of each option in the table.
    void everyValue() {
        QFETCH(QString, shell);
        if (const QString reason = whyItCannotComplete(shell); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        QStringList typed{"figure ", "figure --compare ", "worksheet "};
        QList<QStringList> expected;
        for (const Option &option : allOptions()) {
            const QString value = option.value;
            if (value == "NAME" || value == "SWITCH")
                QVERIFY2(!option.values.isEmpty(), option.name);
            if (value.isEmpty() || value == "FILE" || value == "SOURCE")
                continue;
            for (const Command command : option.commands) {
                const QString word =
                    command == Command::Window
                        ? QString()
                        : headlight::app::commandWords().at(static_cast<int>(command) - 1) + ' ';
                typed << QString("%1--%2 ").arg(word, option.name);
                expected << option.values;
                expected.last().sort();
            }
        }
        QVERIFY(expected.size() > 50);
        const QList<QStringList> all = offered(shell, typed);
        QVERIFY2(all.size() == typed.size(), qPrintable(all.last().join('\n')));
        for (qsizetype i = 0; i < 3; ++i) { // files are offered too
            QStringList sources = headlight::ui::lessonIds();
            if (typed[i] != "worksheet ")
                sources += headlight::ui::modelIds();
            for (const QString &source : sources)
                QVERIFY2(all[i].contains(source), qPrintable(typed[i] + source));
        }
        for (qsizetype i = 0; i < expected.size(); ++i)
            QVERIFY2(
                all[i + 3] == expected[i],
                qPrintable(QString("%1offers '%2', not '%3'")
                               .arg(typed[i + 3], all[i + 3].join(' '), expected[i].join(' '))));
    }

    /// The help text is written by hand, so it is compared with the table.
    void helpSaysEveryValue() {
        for (const Option &option : allOptions())
            for (const QString &value : option.values)
                if (QLatin1String(option.name) != QLatin1String("stage")) // too many to list
                    QVERIFY2(QRegularExpression("(?<![\\w-])" + QRegularExpression::escape(value) +
                                                "(?![\\w-])")
                                 .match(option.meaning)
                                 .hasMatch(),
                             qPrintable(QString("--%1 %2").arg(option.name, value)));
    }

    void otherValuesAreRefused() {
        const QMap<Command, QStringList> whole{
            {Command::Window, {}},
            {Command::Figure, {"figure", "cat", "-o", "a.png"}},
            {Command::Trace, {"trace", "cat", "-o", "a.safetensors"}},
            {Command::Generate, {"generate", "cat", "--tokens", "1"}},
            {Command::Verify, {"verify", "cat"}},
            {Command::Info, {"info", "cat"}},
            {Command::Measures, {"measures", "cat"}},
            {Command::Ablate, {"ablate", "it"}},
            {Command::Rollout, {"rollout", "cat"}},
            {Command::Flow, {"flow", "cat"}},
            {Command::Compare, {"compare", "it", "--compare-text", "the animal"}},
            {Command::Train, {"train", "sort", "-o", "a.headlight"}},
            {Command::Worksheet, {"worksheet", "bank", "-o", "a.pdf"}},
            {Command::Handout, {"handout", "bank", "-o", "a.pdf"}}};
        int count = 0;
        for (const Option &option : allOptions()) {
            const QString value = option.value;
            if ((value != "NAME" && value != "SWITCH") ||
                QLatin1String(option.name) ==
                    QLatin1String("stage")) // its values depend on the model
                continue;
            for (const Command command : option.commands) {
                QVERIFY2(whole.contains(command), option.name);
                QStringList mentions{QString("--%1 nonsense").arg(option.name)};
                if (value == "NAME") // for a SWITCH, the message has only the closest name
                    mentions << option.values.join(", ");
                HEADLIGHT_REFUSED(
                    m_program.run(whole[command] +
                                  QStringList{"--" + QString(option.name), "nonsense"}),
                    2, mentions);
                ++count;
            }
        }
        QVERIFY(count > 30);
    }

  private:
    QByteArray page(const QString &name) const { return m_program.read("page." + name); }

    /// Returns the shell's completions for the last word of each line, sorted.
    QList<QStringList> offered(const QString &shell, const QStringList &typed) const {
        m_program.write("lines", (typed.join('\n') + '\n').toUtf8());
        const Run copied = m_program.shell(
            "mkdir -p zsh && cp page.zsh zsh/_headlight && cd '" HEADLIGHT_CLI_SCRIPTS
            "/../completion' && cp complete.* \"$OLDPWD\" && "
            "cp zshrc \"$OLDPWD/zsh/.zshrc\"");
        if (copied.code != 0)
            return {{copied.err}};
        const Run run = m_program.shell(QString("%1 complete.%1").arg(shell));
        QList<QStringList> all{{}};
        for (QString line : QString::fromUtf8(run.out + run.err).split('\n', Qt::SkipEmptyParts)) {
            if (line == "%") {
                all.last().removeDuplicates();
                all.last().sort();
                all << QStringList();
                continue;
            }
            if (shell == "fish" && line.startsWith("--") && line.contains('='))
                line = line.section('=', 1); // fish completes the whole word
            if (shell == "zsh")
                line.remove('\\'); // zsh escapes file names
            all.last() << (line.endsWith('/') ? line.chopped(1) : line);
        }
        if (all.last().isEmpty())
            all.removeLast(); // not empty if error output follows the last line
        return all;
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_APPLESS_TEST(CliPages)
#include "tst_cli_pages.moc"
