// Figures with a stored session: painted again, computed, checked, rejected.
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/writing/writer.h"
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

using headlight::test::Program;
using headlight::test::Run;
namespace core = headlight::core;

class CliFigureSession : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void paintedAgain_data();
    void paintedAgain();
    void anotherFormatAndOptions();
    void everyCommandTakesIt();
    void leftOut();
    void broken_data();
    void broken();

  private:
    QByteArray content(const QString &name) const { return m_program.read(name); }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliFigureSession::initTestCase() {
    // A state that options cannot express.
    const QByteArray json = headlight::ui::lessonFile("cat");
    const auto session = core::readSession(json.toStdString());
    QVERIFY(session);
    core::SavedState now;
    now.step = 1;
    now.set.temperature = 2.5f;
    now.set.softmax = true;
    now.set.interventions = core::Interventions();
    now.set.interventions->setHead(0, 1, core::HeadState::Uniform);
    now.show.head = 1;
    m_program.write("edited.headlight",
                    QByteArray::fromStdString(core::writeSession(*session, now)));
}

void CliFigureSession::paintedAgain_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("lesson") << QStringList{"bank"};
    QTest::newRow("options") << QStringList{"bank",    "--step", "2",         "--mask=causal",
                                            "--query", "1",      "--caption", "auto"};
    QTest::newRow("option first") << QStringList{"--view", "heatmap", "cat", "--theme", "dark"};
    QTest::newRow("seed") << QStringList{"sentence", "--seed", "12345678901234567"};
    QTest::newRow("text") << QStringList{"cat", "--text", "Füße & <b>\"quotes\"</b> 水 \\"};
    QTest::newRow("similarity") << QStringList{"bank", "--view", "similarity"};
    QTest::newRow("edited") << QStringList{"edited.headlight"};
    QTest::newRow("behind dashes") << QStringList{"--head", "0", "--", "bank"};
}

void CliFigureSession::paintedAgain() {
    QFETCH(const QStringList, words);
    for (const QString format : {"png", "svg", "pdf"}) {
        const QString first = "first." + format, second = "second." + format;
        QStringList command = QStringList{"figure", "-o", first} + words;
        HEADLIGHT_DONE(m_program.run(command));
        HEADLIGHT_DONE(m_program.run({"figure", first, "-o", second}));
        QVERIFY(!content(first).isEmpty());
        QVERIFY(content(first) == content(second));
        for (const QString other : {"png", "svg", "pdf"}) {
            HEADLIGHT_DONE(m_program.run({"figure", first, "-o", "other." + other}));
            HEADLIGHT_DONE(m_program.run({"figure", "other." + other, "-o", second}));
            QVERIFY2(content(first) == content(second), qPrintable(format + " by " + other));
        }
    }
}

void CliFigureSession::anotherFormatAndOptions() {
    HEADLIGHT_DONE(m_program.run(
        {"figure", "cat", "--head", "0", "--theme", "dark", "--view", "heatmap", "-o", "a.svg"}));
    HEADLIGHT_DONE(m_program.run({"figure", "a.svg", "--head=1", "-o", "b.svg"}));
    HEADLIGHT_DONE(m_program.run(
        {"figure", "cat", "--theme", "dark", "--view", "heatmap", "--head=1", "-o", "c.svg"}));
    // Ignores the session, which stores the view of the first figure.
    const auto picture = [this](const QString &name) {
        const QByteArray svg = content(name);
        return svg.left(svg.indexOf("<metadata")) + svg.mid(svg.indexOf("</metadata>"));
    };
    QVERIFY(picture("b.svg").contains("--theme dark --view heatmap --head=1"));
    QCOMPARE(picture("b.svg"), picture("c.svg"));
    QVERIFY(picture("a.svg") != picture("b.svg"));
}

void CliFigureSession::everyCommandTakesIt() {
    HEADLIGHT_DONE(m_program.run({"trace", "edited.headlight", "-o", "session.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "--step", "1", "-o", "lesson.safetensors"}));
    QVERIFY(content("session.safetensors") != content("lesson.safetensors"));
    for (const QString format : {"png", "svg", "pdf"}) {
        const QString figure = "edited." + format;
        HEADLIGHT_DONE(m_program.run({"figure", "edited.headlight", "-o", figure}));
        HEADLIGHT_DONE(m_program.run({"trace", figure, "-o", "figure.safetensors"}));
        QCOMPARE(content("figure.safetensors"), content("session.safetensors"));
        const Run info = m_program.run({"info", figure, "--json"});
        HEADLIGHT_DONE(info);
        QVERIFY2(info.out.contains("\"layer 0 head 1 uniform\""), info.out);
        QVERIFY2(info.out.contains("\"temperature\": 2.5"), info.out);
        const Run check = m_program.run({"check", figure});
        HEADLIGHT_DONE(check);
        QCOMPARE(check.out, (figure + ": good\n").toUtf8());
    }
}

void CliFigureSession::leftOut() {
    for (const QString format : {"png", "svg", "pdf"}) {
        const QString figure = "bare." + format;
        HEADLIGHT_DONE(m_program.run({"figure", "bank", "--no-session", "-o", figure}));
        QVERIFY(!content(figure).contains("headlight_figure"));
        const Run again = m_program.run({"figure", figure, "-o", "again.png"});
        HEADLIGHT_REFUSED(again, 1, {"no embedded session", "--no-session"});
    }
}

void CliFigureSession::broken_data() {
    QTest::addColumn<QString>("format");
    for (const char *format : {"png", "svg", "pdf"})
        QTest::newRow(format) << format;
}

void CliFigureSession::broken() {
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
    m_program.write("cut." + format, whole.left(300));
    HEADLIGHT_REFUSED(m_program.run({"figure", "cut." + format, "-o", "never.png"}), 1,
                      {"cut." + format.toUtf8()});
}

HEADLIGHT_GUILESS_TEST(CliFigureSession)
#include "tst_cli_figure_session.moc"
