// Paints figures from unknown authors again. Their stored command sets the view, but never which
// files are read or written.
#include "core/formats/figure/figure_session.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QImageReader>

using headlight::test::Program;
using headlight::test::Run;
namespace core = headlight::core;

class CliRecipe : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        for (const QString bare : {"bare.png", "bare.svg"})
            HEADLIGHT_DONE(m_program.run({"figure", "cat", "--no-session", "-o", bare}));
        m_program.write("victim", "untouched");
        m_program.write("mine.headlight", headlight::ui::lessonFile("bank"));
        m_program.write("words.txt", "cat 1 2\n");
    }

    void neverWhereItIsWritten_data() {
        QTest::addColumn<QStringList>("words");
        const QString victim = m_program.path("victim");
        QTest::newRow("--output X") << QStringList{"--output", victim, "cat"};
        QTest::newRow("--output=X") << QStringList{"--output=" + victim, "cat"};
        QTest::newRow("-o X") << QStringList{"-o", victim, "cat"};
        QTest::newRow("-oX") << QStringList{"cat", "-o" + victim};
        QTest::newRow("-o=X") << QStringList{"cat", "-o=" + victim};
        QTest::newRow("twice") << QStringList{"cat", "-o", "a.png", "--output=" + victim};
        QTest::newRow("behind a value") << QStringList{"cat", "--title", "--", "-o", victim};
        QTest::newRow("an unknown option before it")
            << QStringList{"cat", "--unknown", "-o" + victim, "--output", victim};
        QTest::newRow("as a value that lacks")
            << QStringList{"cat", "--format=svg", "-o" + victim, "--title"};
        QTest::newRow("a format") << QStringList{"cat", "--format", "pdf"};
        QTest::newRow("letters together") << QStringList{"cat", "-ho" + victim, "-vo" + victim};
        QTest::newRow("abbreviated") << QStringList{"cat", "--out", victim, "--outp=" + victim};
        QTest::newRow("one dash") << QStringList{"cat", "-output", victim, "-output=" + victim};
    }
    void neverWhereItIsWritten() {
        QFETCH(const QStringList, words);
        for (const QString got : {"got.svg", "got.png"}) {
            carrying(got, QStringList{"--theme", "dark"} + words);
            const QStringList before = m_program.listing();
            const Run run = m_program.run({"figure", got, "-o", "new.svg"});
            QCOMPARE(run.code, 0);
            QVERIFY2(run.err.startsWith("headlight: " + got.toUtf8()), run.err);
            QVERIFY2(run.err.count('\n') == 1 && run.err.contains("ignored"), run.err);
            QCOMPARE(content("victim"), QByteArray("untouched"));
            QVERIFY(content("new.svg").startsWith("<?xml"));
            QCOMPARE(m_program.listing().filter(QRegularExpression("^(?!new.svg)")),
                     before.filter(QRegularExpression("^(?!new.svg)")));
            // The new figure's stored command has none of the ignored options.
            QFile::remove(m_program.path("clean.svg"));
            QVERIFY(QFile::rename(m_program.path("new.svg"), m_program.path("clean.svg")));
            HEADLIGHT_DONE(m_program.run({"figure", "clean.svg", "-o", "again.svg"}));
            QVERIFY(content("again.svg").contains("--theme dark"));
            QFile::remove(m_program.path("clean.svg"));
            QFile::remove(m_program.path("again.svg"));
        }
    }

    void neverWhatIsRead_data() {
        QTest::addColumn<QStringList>("words");
        const QString missing = m_program.path("missing.txt");
        QTest::newRow("--vectors X")
            << QStringList{"cat", "--vectors", m_program.path("words.txt")};
        QTest::newRow("--vectors=X") << QStringList{"cat", "--vectors=" + missing};
        QTest::newRow("--compare X") << QStringList{"cat", "--compare", "mine.headlight"};
        QTest::newRow("--compare=X") << QStringList{"cat", "--compare=" + m_program.path("mine"),
                                                    "--compare-step=1", "--show", "a"};
        QTest::newRow("a folder") << QStringList{"cat", "--compare", "/etc"};
    }
    void neverWhatIsRead() {
        QFETCH(const QStringList, words);
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "plain.svg"}));
        carrying("got.svg", words);
        const Run run = m_program.run({"figure", "got.svg", "-o", "new.svg"});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains("may not set: --"), run.err);
        QCOMPARE(picture("new.svg"), picture("plain.svg"));

        // A built-in lesson opens no file, unless a file has its name.
        carrying("got.svg", {"cat", "--compare", "cat", "--compare-step", "1", "--show", "a"});
        HEADLIGHT_DONE(m_program.run({"figure", "got.svg", "-o", "new.svg"}));
        QVERIFY(picture("new.svg") != picture("plain.svg"));
        m_program.write("cat", "a file of this name");
        QCOMPARE(m_program.run({"figure", "got.svg", "-o", "new.svg"}).code, 0);
        QFile::remove(m_program.path("cat"));
        QCOMPARE(picture("new.svg"), picture("plain.svg"));
    }

    void typedWins_data() {
        QTest::addColumn<QStringList>("carried");
        QTest::addColumn<QStringList>("typed");
        QTest::newRow("after") << QStringList{"cat", "--theme", "light"}
                               << QStringList{"--theme=dark", "--head=1"};
        QTest::newRow("twice") << QStringList{"cat", "--head=0", "--head", "0", "--theme=light"}
                               << QStringList{"--head", "1", "--theme", "dark"};
        QTest::newRow("tokens by number instead of text")
            << QStringList{"cat", "--token-ids", "0"}
            << QStringList{"--text", "The cat sat", "--head=1", "--theme=dark"};
        QTest::newRow("a full name instead of a layer")
            << QStringList{"cat", "--layer=7", "--stack=decoder", "--block=cross"}
            << QStringList{"--stage", "layers.0.self_attention.weights", "--theme=dark"};
        QTest::newRow("a title") << QStringList{"cat", "--title", "theirs", "--caption=theirs"}
                                 << QStringList{"--title=mine", "--caption", "mine"};
    }
    void typedWins() {
        QFETCH(const QStringList, carried);
        QFETCH(const QStringList, typed);
        carrying("got.svg", carried);
        HEADLIGHT_DONE(m_program.run(QStringList{"figure", "got.svg", "-onew.svg"} + typed));
        HEADLIGHT_DONE(m_program.run(QStringList{"figure", "cat", "-o", "wanted.svg"} + typed));
        QCOMPARE(picture("new.svg"), picture("wanted.svg"));
    }

    void captionStaysData() {
        const QString caption =
            "one\nssh-rsa AAAA\n--output " + m_program.path("victim") + "\n<b>&";
        carrying("got.svg",
                 {"cat", "--caption", caption, "--title=a\n-o" + m_program.path("victim")});
        for (const QString format : {"svg", "png", "pdf"}) {
            HEADLIGHT_DONE(m_program.run({"figure", "got.svg", "-o", "new." + format}));
            const QByteArray bytes = content("new." + format);
            const auto read = core::readFigure(bytes.toStdString());
            QVERIFY(read);
            QVERIFY(
                std::count(read->arguments.begin(), read->arguments.end(), caption.toStdString()));
            HEADLIGHT_DONE(m_program.run({"figure", "new." + format, "-o", "again." + format}));
            QVERIFY(content("again." + format) == bytes);
            QCOMPARE(content("victim"), QByteArray("untouched"));
        }
    }

    void hugePictures() {
        HEADLIGHT_DONE(m_program.run({"figure", "cat", "-o", "plain.png"}));
        for (const QStringList &words :
             {QStringList{"--size", "20000x20000"}, QStringList{"--size=30000x1000"},
              QStringList{"--size=5000mm"}, QStringList{"--size", "100inx100in"},
              QStringList{"--scale", "20"}, QStringList{"--scale=1e300"},
              QStringList{"--caption", QString(100'000, 'x')},
              QStringList{"--title=" + QString(5000, 'x')}}) {
            carrying("got.png", QStringList{"cat"} + words);
            const Run run = m_program.run({"figure", "got.png", "-o", "new.png"});
            QCOMPARE(run.code, 0);
            QVERIFY2(run.err.contains("may not set: --"), run.err);
            QCOMPARE(QImage(m_program.path("new.png")).size(),
                     QImage(m_program.path("plain.png")).size());
        }
        // Each stored value is allowed, but together they make a picture that is too large.
        carrying("got.png", {"cat", "--size=3000x3000", "--scale=3"});
        HEADLIGHT_REFUSED(m_program.run({"figure", "got.png", "-o", "never.png"}), 1,
                          {"9000 × 9000 pixels", "--size or --scale"});
        HEADLIGHT_DONE(m_program.run({"figure", "got.png", "--scale=1", "-o", "new.png"}));
        QCOMPARE(QImage(m_program.path("new.png")).size(), QSize(3000, 3000));
        HEADLIGHT_DONE(
            m_program.run({"figure", "got.png", "--size=7000x6000", "--scale=1", "-o", "new.png"}));
        QCOMPARE(QImageReader(m_program.path("new.png")).size(), QSize(7000, 6000));
    }

    void manyWords() {
        QStringList words{"cat"};
        while (words.size() < 100)
            words << "--together";
        carrying("got.svg", words.mid(0, 99) + QStringList{"--theme=dark"});
        HEADLIGHT_REFUSED(m_program.run({"figure", "got.svg", "--view=whole", "-o", "never.svg"}),
                          1, {"--together"}); // valid alone, but not with this view
        carrying("got.svg", words + QStringList{"--theme=dark"});
        for (const QStringList &command :
             {QStringList{"figure", "got.svg", "-o", "never.svg"}, QStringList{"info", "got.svg"},
              QStringList{"check", "got.svg"}}) {
            const Run run = m_program.run(command);
            QCOMPARE(run.code, 1);
            QVERIFY2((run.err + run.out).contains("more than 100 arguments"), run.err);
        }
        carrying("got.svg", {"cat", "--caption", QString(200'000, 'x')});
        HEADLIGHT_REFUSED(m_program.run({"figure", "got.svg", "-o", "never.svg"}), 1,
                          {"does not fit a command line"});
        QVERIFY(!m_program.has("never.svg"));

        // A repeated option does not make the stored command unreadable.
        QStringList typed{"figure", "cat", "-o", "often.svg"};
        for (int i = 0; i < 120; ++i)
            typed << "--head" << QString::number(i % 2);
        HEADLIGHT_DONE(m_program.run(typed));
        HEADLIGHT_DONE(m_program.run({"figure", "often.svg", "-o", "again.svg"}));
        QCOMPARE(content("again.svg"), content("often.svg"));
    }

    /// Stores every option of the help with a file name as its value. The file is never written,
    /// and options that read files are left out by name.
    void everyOptionIsJudged() {
        const QByteArray help = m_program.run({"figure", "--help"}).out;
        QRegularExpressionMatchIterator match =
            QRegularExpression("--([a-z-]+)( FILE| SOURCE)?").globalMatch(help);
        QStringList judged;
        while (match.hasNext()) {
            const QRegularExpressionMatch option = match.next();
            if (option.captured(2).isEmpty())
                continue;
            judged << option.captured(1);
            carrying("got.svg", {"cat", "--" + option.captured(1), m_program.path("victim")});
            const Run run = m_program.run({"figure", "got.svg", "-o", "new.svg"});
            QCOMPARE(run.code, 0);
            QVERIFY2(run.err.contains("may not set: --" + option.captured(1).toUtf8()), run.err);
        }
        judged.removeDuplicates();
        QVERIFY2(judged.contains("vectors") && judged.contains("compare") &&
                     judged.contains("output"),
                 qPrintable(judged.join(' ')));
        QCOMPARE(content("victim"), QByteArray("untouched"));
    }

    void damaged_data() { headlight::test::addRows("format", QStringList{"png", "svg", "pdf"}); }
    void damaged() {
        QFETCH(const QString, format);
        const QString figure = "whole." + format;
        HEADLIGHT_DONE(m_program.run({"figure", "bank", "-o", figure}));
        const QByteArray whole = content(figure);
        const std::string text(whole.constData(), static_cast<std::size_t>(whole.size()));
        const std::string session = core::readFigure(text)->session;
        // A truncated file gives an error or the complete session.
        for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 997)
            if (const auto read = core::readFigure(text.substr(0, length)))
                QCOMPARE(read->session, session);
        // A changed byte gives an error or a document for the session reader to check.
        for (std::size_t at = 0; at < text.size(); at += 1 + text.size() / 997) {
            std::string changed = text;
            changed[at] = static_cast<char>(changed[at] ^ 0x55);
            const auto read = core::readFigure(changed);
            if (!read)
                QVERIFY(!read.error().what.empty());
        }
    }

  private:
    /// Writes a figure of the lesson *cat* with these words as its stored command.
    void carrying(const QString &name, const QStringList &words) const {
        core::FigureSession figure;
        for (const QString &word : words)
            figure.arguments.push_back(word.toStdString());
        figure.session = headlight::ui::lessonFile("cat").toStdString();
        const std::string text = core::figureText(figure);
        const std::string whole =
            name.endsWith(".png") ? core::withTextInPng(content("bare.png").toStdString(), text)
                                  : core::withTextInSvg(content("bare.svg").toStdString(), text);
        m_program.write(name, QByteArray::fromStdString(whole));
    }
    QByteArray content(const QString &name) const { return m_program.read(name); }

    /// Returns the file without the session and the stored command.
    QByteArray picture(const QString &name) const {
        const QByteArray svg = content(name);
        return svg.mid(svg.indexOf("</metadata>")) + svg.left(svg.indexOf("<desc>"));
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_GUILESS_TEST(CliRecipe)
#include "tst_cli_recipe.moc"
