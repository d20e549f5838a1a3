// Quoting of command line words, so that a shell returns them unchanged.
#include "tests/ui/document/document_fixture.h"
#include "ui/document/shell_word.h"

using headlight::ui::shellWord;

class ShellWord : public QObject {
    Q_OBJECT

  private slots:
    void plainWordsStay() {
        for (const char *word : {"bank", "--view", "causal+padding", "layers.0.input",
                                 "./a/b-c_d.png", "--size=800x600", "1,2,3", "C:"})
            QCOMPARE(shellWord(word), QString(word));
    }

    void others() {
        QCOMPARE(shellWord(""), QString("''"));
        QCOMPARE(shellWord("a b"), QString("'a b'"));
        QCOMPARE(shellWord("it's"), QString("'it'\\''s'"));
        QCOMPARE(shellWord("*"), QString("'*'"));
        QCOMPARE(shellWord("~"), QString("'~'"));
    }

    void aShellGivesThemBack_data() {
        const QString words =
            "|a b|it's|''|'|$HOME|`id`|$(id)|!!|\\|a\\nb|line\nbreak|"
            "ends with a line break\n|\t|größe 世界 👩‍👩‍👧|#|&|a;b|{a,b}|a=b "
            "c|-|%s|\"";
        test::addRows("word", words.split('|'));
    }

    void aShellGivesThemBack() {
        QFETCH(QString, word);
        QProcess shell;
        shell.start("/bin/sh", {"-c", "printf '%s.' " + shellWord(word)});
        QVERIFY(headlight::test::finished(shell));
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word + '.');
    }
};

HEADLIGHT_GUILESS_TEST(ShellWord)
#include "tst_shell_word.moc"
