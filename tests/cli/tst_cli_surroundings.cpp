// In any environment, the program writes the same bytes, and nothing to standard error.
#include "process.h"
#include "tests/support/test_main.h"

#include <QMap>
#include <QProcess>

using namespace headlight::test;

/// With a sanitizer the program does not silence standard error, so that no report is lost.
bool librariesMayTalk(const QString &change) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return change == "LC_ALL=nonsense"; // fontconfig prints a warning
#else
    Q_UNUSED(change)
    return false;
#endif
}

class CliSurroundings : public QObject {
    Q_OBJECT
  private slots:
    void sameBytes_data() { rows(); }
    void sameBytes() {
        QFETCH(QString, change);
        if (librariesMayTalk(change))
            QSKIP("built with a sanitizer: what fontconfig says is not kept off standard error");
        if (change.contains("UTF-8") && change.startsWith("LC_ALL=")) {
            if (!QFile::exists(qEnvironmentVariable("LOCPATH") + '/' + change.mid(7)))
                QSKIP(qPrintable("there is no locale " + change.mid(7)));
        }
        for (const QStringList &words : QList<QStringList>{
                 {"lessons"},
                 {"info", "cat"},
                 {"info", "cat", "--json"},
                 {"check", "bank"},
                 {"trace", "cat", "-o", "-", "--format", "safetensors"},
                 {"figure", "cat", "-o", "-", "--format", "png", "--title", "Größe 世界"},
                 {"figure", "bank", "-o", "-", "--format", "svg", "--scale", "1.5"},
                 {"figure", "sentence", "-o", "-", "--format", "pdf", "--view", "whole"},
                 {"figure", "cat", "-o", "-", "--format", "png", "--view", "close-up",
                  "--arithmetic", "opened", "--stage", "scores", "--query", "1", "--key", "1"}}) {
            const Run run = m_program.run(words, changed(change));
            QVERIFY2(success(run).isEmpty(), qPrintable(shown(words) + ": " + success(run)));
            QVERIFY2(run.out == usual(words), qPrintable(shown(words)));
        }
    }
    void errorsStayOneLine_data() { rows(); }
    void errorsStayOneLine() {
        QFETCH(QString, change);
        if (librariesMayTalk(change))
            QSKIP("built with a sanitizer: what fontconfig says is not kept off standard error");
        const QProcessEnvironment environment = changed(change);
        const auto run = [&](const QStringList &words) {
            return m_program.run(words, environment);
        };
        HEADLIGHT_REFUSED(run({"figure", "cat", "-o", "/proc/x.png"}), 1, {"/proc/x.png"});
        HEADLIGHT_REFUSED(run({"figure", "cat", "-o", "a.png", "--stage", "grün"}), 1, {"grün"});
        HEADLIGHT_REFUSED(run({"figure", "cat", "-o", "a.png", "--size", "99999x1"}), 1,
                          {"pixels"});
        HEADLIGHT_REFUSED(run({"figure", "kät", "-o", "a.png"}), 2, {"kät", "cat"});
        HEADLIGHT_REFUSED(run({"info", "nothing/cät.headlight"}), 1, {"cät"});
    }

    void arithmeticInItsOwnFont_data() {
        QTest::addColumn<QStringList>("changes");
        for (const char *locale : {"C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"})
            QTest::newRow(locale) << QStringList{QString("LC_ALL=%1").arg(locale)};
        QTest::newRow("another monospaced font") << QStringList{"FONTCONFIG_FILE=other-fonts.conf"};
        QTest::newRow("both") << QStringList{"FONTCONFIG_FILE=other-fonts.conf",
                                             "LC_ALL=de_DE.UTF-8"};
    }

    /// If DejaVu Sans Mono is installed, numbers use it, whatever monospaced font the system or
    /// locale prefers. The decimal separator is a point in every language.
    void arithmeticInItsOwnFont() {
        QFETCH(QStringList, changes);
        QProcessEnvironment environment = m_program.environment();
        for (const QString &change : changes) {
            const QString name = change.section('=', 0, 0), value = change.section('=', 1);
            if (name == "LC_ALL" && value.endsWith("_DE.UTF-8") &&
                !QFile::exists(qEnvironmentVariable("LOCPATH") + '/' + value))
                QSKIP(qPrintable("there is no locale " + value));
            environment.insert(name, name == "FONTCONFIG_FILE" ? m_program.path(value) : value);
        }
        // A system with another default monospaced font.
        m_program.write(
            "other-fonts.conf",
            "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n"
            "<fontconfig><include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include>"
            "<match target=\"pattern\"><test name=\"family\"><string>monospace</string>"
            "</test><edit name=\"family\" mode=\"assign\" binding=\"strong\">"
            "<string>DejaVu Serif</string></edit></match></fontconfig>\n");
        for (const char *arithmetic : {"opened", "line"})
            for (const char *scale : {"1", "2"})
                for (const char *format : {"svg", "pdf", "png"}) {
                    const QStringList words{"figure",       "cat",      "-o",      "-",
                                            "--format",     format,     "--view",  "close-up",
                                            "--arithmetic", arithmetic, "--stage", "weights",
                                            "--query",      "1",        "--key",   "1",
                                            "--text-scale", scale,      "--size",  "1400x900"};
                    const Run changed = m_program.run(words, environment);
                    QVERIFY2(success(changed).isEmpty(), qPrintable(success(changed)));
                    QVERIFY2(usual(words) == changed.out, qPrintable(shown(words)));
                    if (QString(format) == "svg")
                        QVERIFY(changed.out.contains("DejaVu Sans Mono"));
                }
        QVERIFY(QFile::remove(m_program.path("other-fonts.conf")));
    }

    void namesBeyondAscii() {
        for (const char *change : {"LC_ALL=C", "LC_ALL=C.UTF-8"}) {
            HEADLIGHT_DONE(m_program.run(
                {"figure", "cat", "-o", "größe 世界 👩‍👩‍👧.png"}, changed(change)));
            QCOMPARE(m_program.listing(), QStringList{"größe 世界 👩‍👩‍👧.png"});
            QVERIFY(QFile::remove(m_program.path("größe 世界 👩‍👩‍👧.png")));
        }
    }

  private:
    /// Returns the usual environment with one change: "NAME" unsets, "NAME=value" sets.
    QProcessEnvironment changed(const QString &change) const {
        QProcessEnvironment environment = m_program.environment();
        if (const qsizetype sign = change.indexOf('='); sign < 0)
            environment.remove(change);
        else
            environment.insert(change.left(sign), change.mid(sign + 1));
        return environment;
    }

    void rows() const {
        QTest::addColumn<QString>("change");
        const QString changes =
            "HOME HOME=/proc/none LC_ALL LC_ALL=C LC_ALL=POSIX LC_ALL=de_DE.UTF-8 "
            "LC_ALL=tr_TR.UTF-8 LC_ALL=nonsense XDG_RUNTIME_DIR= XDG_RUNTIME_DIR=/proc "
            "XDG_CACHE_HOME=/proc/none QT_LOGGING_RULES=*.debug=true QT_DEBUG_PLUGINS=1 "
            "QT_FATAL_WARNINGS=1 QT_QPA_PLATFORM=xcb QT_QPA_PLATFORM=none DISPLAY=:99 "
            "QT_SCALE_FACTOR=2 QT_FONT_DPI=200 QT_STYLE_OVERRIDE=none QT_QPA_PLATFORMTHEME=gtk3 "
            "TZ=Asia/Tokyo COLUMNS=10 TERM=dumb";
        for (const QString &change : changes.split(' '))
            QTest::newRow(qPrintable(change)) << change;
    }

    /// Returns the command's output in the usual environment, computed once.
    const QByteArray &usual(const QStringList &words) {
        if (!m_usual.contains(words))
            m_usual.insert(words, m_program.run(words).out);
        return m_usual[words];
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
    QMap<QStringList, QByteArray> m_usual;
};

HEADLIGHT_GUILESS_TEST(CliSurroundings)
#include "tst_cli_surroundings.moc"
