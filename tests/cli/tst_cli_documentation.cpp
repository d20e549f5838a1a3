// Runs every command that the README and docs/ show.
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QProcess>

using headlight::test::Program;
using headlight::test::Run;

namespace {

QString textOf(const QDir &root, const QString &name) {
    QFile file(root.filePath(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Returns the lines of the fenced blocks in this language.
QStringList fenced(const QString &text, const QString &language) {
    QStringList lines;
    bool inside = false;
    for (const QString &line : text.split('\n')) {
        if (line.startsWith("```"))
            inside = line == "```" + language;
        else if (inside)
            lines << line;
    }
    return lines;
}

QStringList commandsIn(const QString &text) {
    QStringList commands;
    for (const QString &line : fenced(text, "sh"))
        if (line.startsWith("headlight "))
            commands << line;
    QRegularExpressionMatchIterator inLine =
        QRegularExpression("`(headlight [^`]*)`").globalMatch(text);
    while (inLine.hasNext())
        commands << inLine.next().captured(1).simplified();
    commands.removeDuplicates();
    return commands;
}

/// True for a complete command that opens no window. "`headlight trace`" in a sentence is only a
/// name.
bool isRunHere(const QString &command) {
    static const QRegularExpression whole("^headlight "
                                          "(lessons|tasks|--|(figure|trace|generate|verify|info|"
                                          "tokenize|check|train|measure|measures|ablate|rollout|"
                                          "flow|compare|worksheet|handout|course) )");
    static const QRegularExpression placeholder("\\b(FILE|SOURCE|FOLDER|LESSON)\\b");
    return whole.match(command).hasMatch() && !placeholder.match(command).hasMatch();
}

} // namespace

class CliDocumentation : public QObject {
    Q_OBJECT
  private slots:

    /// Creates the files that the documentation assumes.
    void initTestCase() {
        m_program.write("my-lesson.headlight", headlight::ui::lessonFile("cat"));
        const QStringList lesson = fenced(textOf(m_root, "docs/writing-lessons.md"), "json");
        QVERIFY(!lesson.isEmpty());
        m_program.write("direction.headlight", lesson.join('\n').toUtf8());
        QFile model(QString(HEADLIGHT_SESSIONS) + "/encoder_decoder.headlight");
        QVERIFY(model.open(QIODevice::ReadOnly));
        m_program.write("model.headlight", model.readAll());
        QDir(m_program.path(".")).mkdir("my-course");
        m_program.write("my-course/cat.headlight", headlight::ui::lessonFile("cat"));
        m_program.write("my-course/2-scores.headlight", headlight::ui::lessonFile("bank"));
        HEADLIGHT_DONE(m_program.run({"course", "my-course", "-o", "attention.headlight-course"}));
        HEADLIGHT_DONE(m_program.run({"figure", "bank", "-o", "old.svg"}));
        HEADLIGHT_DONE(m_program.run({"trace", "bank", "-o", "bank.safetensors"}));
        HEADLIGHT_DONE(m_program.run({"trace", "tales", "-o", "capture.safetensors"}));
    }

    void commands_data() {
        QTest::addColumn<QString>("command");
        QStringList names{"README.md"};
        for (const QString &name : QDir(m_root.filePath("docs")).entryList({"*.md"}))
            names << "docs/" + name;
        int fromReadme = 0;
        for (const QString &name : names)
            for (const QString &command : commandsIn(textOf(m_root, name)))
                if (isRunHere(command)) {
                    QTest::newRow(qPrintable(name + ": " + command)) << command;
                    fromReadme += name == "README.md";
                }
        QVERIFY2(fromReadme >= 9, "the commands of the README were not found");
    }
    void commands() {
        QFETCH(const QString, command);
        const QString run = "\"$H\"" + command.mid(QString("headlight").size());
        if (command.startsWith("headlight train ")) { // prints its progress to standard error
            QCOMPARE(m_program.shell(run).code, 0);
            return;
        }
        HEADLIGHT_DONE(m_program.shell(run));
        if (!command.startsWith("headlight figure ") || !command.contains(" --compare"))
            return;
        // In a comparison example, the pictures of both sides differ.
        QString svg = run;
        svg.replace(QRegularExpression("-o \\S+"), "-o - --format svg");
        const Run picture = m_program.shell(svg);
        HEADLIGHT_DONE(picture);
        QVERIFY2(picture.out.contains("largest change") && !picture.out.contains("nothing changed"),
                 qPrintable(command));
    }

    /// Runs `headlight` and `headlight FILE` until the first lesson is displayed.
    void theWindow() {
        const QString readme = textOf(m_root, "README.md");
        QVERIFY(readme.contains("`headlight my-lesson.headlight`"));
        QVERIFY(readme.contains(QRegularExpression("\\nheadlight +#")));
        for (const QStringList &words : {QStringList{}, QStringList{"my-lesson.headlight"}}) {
            QProcess process;
            QProcessEnvironment environment = m_program.environment();
            environment.insert("QT_QPA_PLATFORM", "offscreen");
            environment.insert("HEADLIGHT_REPORT_START", "lesson");
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(m_program.path("."));
            process.start(HEADLIGHT_PROGRAM, words);
            QByteArray said;
            while (!said.contains("painted") && headlight::test::hasSaidSomething(process))
                said += process.readAllStandardOutput();
            QVERIFY2(said.contains("first lesson painted"), process.readAllStandardError());
            process.kill();
            QVERIFY(headlight::test::finished(process));
        }
    }

    void python() {
        const QString script = fenced(textOf(m_root, "README.md"), "python").join('\n');
        QVERIFY(script.contains("load_file"));
        m_program.write("example.py", script.toUtf8());
        if (m_program.shell("command -v python3").code != 0)
            QSKIP("there is no python3");
        HEADLIGHT_DONE(m_program.shell("python3 -m py_compile example.py"));
        if (m_program.shell("python3 -c 'import numpy, safetensors'").code != 0)
            QSKIP("Python has no numpy or no safetensors: the example was parsed, not run");
        m_program.write("example.py", (script + "\nprint(weights.shape)\n").toUtf8());
        const Run run = m_program.shell("python3 example.py");
        HEADLIGHT_DONE(run);
        QVERIFY2(run.out.endsWith(", 2, 2)\n"), run.out); // two queries, two keys
    }

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
    const QDir m_root{QString(HEADLIGHT_TEST_DATA) + "/../.."};
};

HEADLIGHT_GUILESS_TEST(CliDocumentation)
#include "tst_cli_documentation.moc"
