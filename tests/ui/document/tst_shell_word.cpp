// Quoting of command line words, so that a shell returns them unchanged.
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/shell_word.h"

#include <QProcess>
#include <QtTest>

using headlight::ui::shellWord;

class ShellWord : public QObject {
    Q_OBJECT
  private slots:
    void plainWordsStay();
    void others();
    void aShellGivesThemBack_data();
    void aShellGivesThemBack();
};

void ShellWord::plainWordsStay() {
    for (const char *word : {"bank", "--view", "causal+padding", "layers.0.input", "./a/b-c_d.png",
                             "--size=800x600", "1,2,3", "C:"})
        QCOMPARE(shellWord(word), QString(word));
}

void ShellWord::others() {
    QCOMPARE(shellWord(""), QString("''"));
    QCOMPARE(shellWord("a b"), QString("'a b'"));
    QCOMPARE(shellWord("it's"), QString("'it'\\''s'"));
    QCOMPARE(shellWord("*"), QString("'*'"));
    QCOMPARE(shellWord("~"), QString("'~'"));
}

void ShellWord::aShellGivesThemBack_data() {
    QTest::addColumn<QString>("word");
    int row = 0;
    for (const QString &word : QStringList{"",
                                           "a b",
                                           "it's",
                                           "''",
                                           "'",
                                           "$HOME",
                                           "`id`",
                                           "$(id)",
                                           "!!",
                                           "\\",
                                           "a\\nb",
                                           "line\nbreak",
                                           "ends with a line break\n",
                                           "\t",
                                           "größe 世界 👩‍👩‍👧",
                                           "#",
                                           "&",
                                           "a;b",
                                           "{a,b}",
                                           "a=b c",
                                           "-",
                                           "%s",
                                           "\""})
        QTest::addRow("%d", row++) << word;
}

void ShellWord::aShellGivesThemBack() {
    QFETCH(QString, word);
    QProcess shell;
    shell.start("/bin/sh", {"-c", "printf '%s.' " + shellWord(word)});
    QVERIFY(headlight::test::finished(shell));
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word + '.');
}

HEADLIGHT_GUILESS_TEST(ShellWord)
#include "tst_shell_word.moc"
