#include "tests/monkey/words.h"

#include <cstdio>

namespace headlight::test {

namespace {

const QStringList &words() {
    static const QStringList all{"a b c d e f",
                                 "1e38",
                                 "-1e-38",
                                 "inf",
                                 "0",
                                 "0.5",
                                 "0,5",
                                 "−2",
                                 "999999",
                                 QString(300, 'x'),
                                 "[PAD] [PAD]",
                                 "a [PAD]",
                                 ". , ;",
                                 "money bank",
                                 "the cat sat on the mat",
                                 "é 漢字 👩‍👩‍👧",
                                 "שלום עולם",
                                 "<s> <b> </s>",
                                 "&amp; &",
                                 "  ",
                                 "\t",
                                 "3 5 7 9"};
    return all;
}

QString table(Dice &dice) {
    const QString cell = dice.of(QStringList{"\t", ";", ",", " "});
    const QString line = dice.of(QStringList{"\n", "\r\n"});
    const QStringList numbers{"1", "0.5", "1,5", "-2", "1e-3", "1.234,5", "1e39", "−0", "x", ""};
    QString text;
    for (int row = dice.between(1, 6); row > 0; --row) {
        for (int column = dice.between(1, 6); column > 0; --column)
            text += dice.of(numbers) + (column > 1 ? cell : line);
    }
    return text;
}

QString garbage(Dice &dice) {
    QString text;
    for (int i = dice.between(1, 60); i > 0; --i)
        text += QChar(static_cast<char16_t>(dice.below(0x10000))); // any UTF-16 unit
    return text;
}

QString muchTooMuch(Dice &dice) {
    switch (dice.below(4)) {
    case 0:
        return QString(20'000, 'x');
    case 1:
        return QString("bank money ").repeated(400);
    case 2:
        return QString("1\t2\t3\n").repeated(3000);
    default:
        return QString("é 漢字 👩‍👩‍👧 ").repeated(100);
    }
}

} // namespace

QString someWords(Dice &dice, bool nan) {
    return nan && dice.outOf(10) ? QString("nan") : dice.of(words());
}

QString someBlock(Dice &dice, bool nan) {
    static const QStringList scripts{"漢字仮名交じり文",
                                     "العربية والعبرية עברית 123",
                                     "👩‍👩‍👧 🇩🇪 👍🏽",
                                     "e\u0301 \u202Eabc\u202C \u200B\uFEFF",
                                     "ıI İi ßẞ",
                                     "नमस्ते ไทย",
                                     "two\nlines",
                                     "a\u2028b\u2029c"};
    if (nan && dice.outOf(10))
        return "nan\t1";
    switch (dice.below(12)) {
    case 0:
        return garbage(dice);
    case 1:
        return muchTooMuch(dice);
    case 2:
    case 3:
        return dice.of(scripts);
    case 4:
    case 5:
    case 6:
        return dice.of(words());
    default:
        return table(dice);
    }
}

void say(const QString &words) {
    std::fprintf(stderr, "%s ", qPrintable(words));
}

} // namespace headlight::test
