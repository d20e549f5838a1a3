// No command overwrites its inputs: under any name, through hard and symbolic links, and for a
// folder any file in it.
#include "app/options.h"
#include "process.h"
#include "tests/support/test_main.h"

using namespace headlight::test;
using headlight::app::Command;

namespace {

/// A command that could overwrite an input. OUTPUT in `words` is the file to write.
struct Case {
    const char *name;
    Command command;
    QStringList words;
    QString output; ///< an input of the command
};

QList<Case> cases() {
    return {
        {"trace of a capture", Command::Trace, {"trace", "cap.safetensors"}, "cap.safetensors"},
        {"trace of a model", Command::Trace, {"trace", "model"}, "model/model.safetensors"},
        {"trace of a model: its config",
         Command::Trace,
         {"trace", "model", "--format", "safetensors"},
         "model/config.json"},
        {"trace of a session of a model",
         Command::Trace,
         {"trace", "of-model.headlight"},
         "model/model.safetensors"},
        {"trace of a session",
         Command::Trace,
         {"trace", "small.headlight", "--format", "safetensors"},
         "small.headlight"},
        {"figure again", Command::Figure, {"figure", "cat.pdf"}, "cat.pdf"},
        {"figure of a session",
         Command::Figure,
         {"figure", "small.headlight", "--format", "png"},
         "small.headlight"},
        {"figure of side A",
         Command::Figure,
         {"figure", "cat", "--compare", "small.headlight", "--format", "svg"},
         "small.headlight"},
        {"figure with vectors",
         Command::Figure,
         {"figure", "cat", "--vectors", "vectors.txt", "--text", "a b", "--format", "png"},
         "vectors.txt"},
        {"worksheet",
         Command::Worksheet,
         {"worksheet", "small.headlight", "--format", "pdf"},
         "small.headlight"},
        {"course", Command::Course, {"course", "lessons"}, "lessons/one.headlight-course"},
        {"training on a text",
         Command::Train,
         {"train", "words", "--text-file", "text.txt", "--steps", "1"},
         "text.txt"},
        {"training of a session",
         Command::Train,
         {"train", "run.headlight", "--steps", "9"},
         "run.headlight"},
    };
}

} // namespace

class CliInputs : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        QVERIFY(QDir(m_program.path(".")).mkpath("lessons"));
        const QString model = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/gpt2");
        QVERIFY(QDir(m_program.path(".")).mkpath("model"));
        for (const QString &name : QDir(model).entryList(QDir::Files))
            QVERIFY(QFile::copy(model + '/' + name, m_program.path("model/" + name)));
        QVERIFY(m_program.has("model/model.safetensors"));
        HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "cap.safetensors"}));
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "cat.pdf"}));
        QCOMPARE(
            m_program
                .run({"train", "repeat", "--steps", "2", "--width", "16", "-o", "run.headlight"})
                .code,
            0);
        QVERIFY(QFile::copy(HEADLIGHT_LESSONS "/cat.headlight", m_program.path("small.headlight")));
        QVERIFY(QFile::copy(HEADLIGHT_LESSONS "/cat.headlight",
                            m_program.path("lessons/cat.headlight")));
        m_program.write("lessons/one.headlight-course", "an earlier one");
        m_program.write("vectors.txt", "a 1 2 3\nb 4 5 6\n");
        m_program.write("text.txt",
                        QByteArray("the cat sat on the mat and the dog sat too\n").repeated(60));
        m_program.write("of-model.headlight",
                        R"({"headlight": 2, "title": "A model",
                            "pretrained": {"folder": "model", "hash": ""}, "batch": {"sequences": [{"text": "1 2"}]}})");
    }

    void everyCommandThatWritesIsHere() {
        QSet<Command> tried;
        for (const Case &each : cases())
            tried.insert(each.command);
        for (const headlight::app::Option &option : headlight::app::allOptions())
            if (QLatin1String(option.name) == QLatin1String("output"))
                for (const Command command : option.commands)
                    QVERIFY2(tried.contains(command),
                             qPrintable(
                                 QString("command %1 writes and is not tried").arg(int(command))));
    }

    void theInputIsKept_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output");
        for (const Case &each : cases()) {
            QTest::newRow(each.name) << each.words << each.output << each.output;
            QTest::addRow("%s, by a symbolic link", each.name)
                << each.words << each.output << "link";
            QTest::addRow("%s, by a hard link", each.name) << each.words << each.output << "hard";
        }
    }
    void theInputIsKept() {
        QFETCH(QStringList, words);
        QFETCH(QString, input);
        QFETCH(QString, output);
        // The extension sets the format.
        if (output != input)
            output += '.' + QFileInfo(input).suffix();
        QFile::remove(m_program.path(output == input ? "none" : output));
        const QByteArray from = m_program.path(input).toUtf8(),
                         to = m_program.path(output).toUtf8();
        if (output.startsWith("link"))
            QVERIFY(::symlink(from.constData(), to.constData()) == 0);
        if (output.startsWith("hard"))
            QVERIFY(::link(from.constData(), to.constData()) == 0);
        const QByteArray before = m_program.read(input);
        const Run run = m_program.run(words + QStringList{"-o", output});
        QCOMPARE(m_program.read(input), before);
        HEADLIGHT_REFUSED(run, 2, {output, input});
        if (output != input)
            QVERIFY(QFile::remove(m_program.path(output)));
    }

    void theInputIsKeptWhereNothingCouldBeComputed_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("input");
        QTest::newRow("unknown words")
            << QStringList{"trace", "model", "--text", "cat"} << "model/model.safetensors";
        QTest::newRow("no such layer")
            << QStringList{"figure", "small.headlight", "--layer", "99", "--format", "png"}
            << "small.headlight";
        QTest::newRow("vectors that are none")
            << QStringList{"figure", "cat", "--vectors", "no-vectors.txt", "--format", "png"}
            << "no-vectors.txt";
        QTest::newRow("a text that is too short")
            << QStringList{"train", "words", "--text-file", "short.txt"} << "short.txt";
    }

    /// The input is looked for first: the other problem is not reached.
    void theInputIsKeptWhereNothingCouldBeComputed() {
        QFETCH(QStringList, words);
        QFETCH(QString, input);
        m_program.write("no-vectors.txt", "a 1 2 3\nb 4 5\n");
        m_program.write("short.txt", "short");
        const QByteArray before = m_program.read(input);
        QCOMPARE(m_program.run(words + QStringList{"-o", "elsewhere.safetensors"}).code, 1);
        const Run run = m_program.run(words + QStringList{"-o", input});
        QCOMPARE(m_program.read(input), before);
        HEADLIGHT_REFUSED(run, 2, {input});
    }

    void whatIsNoInputIsWritten() {
        HEADLIGHT_DONE(m_program.run({"trace", "model", "-o", "model/new.safetensors"}));
        QVERIFY(QFile::remove(m_program.path("model/new.safetensors")));
        HEADLIGHT_DONE(m_program.run({"figure", "small.headlight", "-o", "twice.png"}));
        HEADLIGHT_DONE(m_program.run({"figure", "small.headlight", "-o", "twice.png"}));
        HEADLIGHT_DONE(
            m_program.run({"figure", "small.headlight", "-o", "/dev/null", "--format", "png"}));
    }

    void aRunGoesBackToWhereItCameFrom() {
        const QByteArray before = m_program.read("run.headlight");
        QCOMPARE(m_program.run({"train", "--resume", "run.headlight", "--steps", "4"}).code, 0);
        QVERIFY(m_program.read("run.headlight") != before);
    }

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_GUILESS_TEST(CliInputs)
#include "tst_cli_inputs.moc"
