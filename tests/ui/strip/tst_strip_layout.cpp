// The positions of the words: lines, joined pieces, right-to-left order, a single line, arcs.
#include "tests/support/painting_record.h"
#include "tests/ui/strip/strip_fixture.h"
#include "ui/figures/sentence/word_chip.h"
#include "ui/figures/text/text.h"
#include "ui/strip/part_numbers.h"

#include <algorithm>

namespace {

StripWords wordsOf(int count) {
    StripWords words;
    for (int i = 0; i < count; ++i)
        words.words.push_back({.text = QString("word%1").arg(i)});
    return words;
}

StripLayout laidOut(const StripWords &words, const StripSpace &space, double textScale = 1) {
    return stripLayoutOf(words, FigureStyle::light(textScale), space);
}

bool overlap(const QRectF &a, const QRectF &b) {
    const QRectF common = a.intersected(b);
    return common.width() > 0.01 && common.height() > 0.01;
}

} // namespace

class StripLayoutTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void wordsAndNumbersNeverOverlap_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("scale");
        for (const int count : {1, 7, 40})
            for (const double width : {180.0, 640.0, 1100.0})
                for (const double scale : {1.0, 1.5, 2.0})
                    QTest::addRow("%d words, %g px, %g", count, width, scale)
                        << count << width << scale;
    }

    void wordsAndNumbersNeverOverlap() {
        QFETCH(int, count);
        QFETCH(double, width);
        QFETCH(double, scale);
        const StripWords words = wordsOf(count);
        const StripLayout layout = laidOut(words, {.width = width}, scale);
        QCOMPARE(layout.chips.size(), std::size_t(count));
        const QFont font = stripWordFont(FigureStyle::light(scale), true);
        QVERIFY(font.pixelSize() >= qRound(20 * scale));
        for (core::Index i = 0; i < count; ++i) {
            const StripLayout::Chip &chip = layout.chips[static_cast<std::size_t>(i)];
            const double text = textWidth(words.words[static_cast<std::size_t>(i)].text, font);
            QVERIFY(chip.rect.width() >= text || chip.rect.width() == width);
            QVERIFY(chip.rect.right() <= width + 0.01);
            QVERIFY(layout.number(i).top() >= chip.rect.bottom());
            for (core::Index j = 0; j < i; ++j) {
                const QRectF other = layout.chips[static_cast<std::size_t>(j)].rect;
                QVERIFY(!overlap(chip.rect, other));
                QVERIFY(!overlap(layout.number(i), layout.number(j)));
                QVERIFY(!overlap(layout.number(i), other));
                QVERIFY(!overlap(chip.rect, layout.number(j)));
            }
            QCOMPARE(layout.wordAt(chip.rect.center()), std::optional(i));
            QCOMPARE(layout.wordAt(layout.number(i).center()), std::optional(i));
        }
        QVERIFY(!layout.wordAt({-5, 5}));
    }

    void moreThanThreeLinesScroll() {
        const StripLayout few = laidOut(wordsOf(12), {.width = 500});
        QVERIFY(few.lines > 1 && few.lines <= kMaxStripLines);
        QCOMPARE(few.heightOf(kMaxStripLines), few.content.height());
        const StripLayout many = laidOut(wordsOf(60), {.width = 500});
        QVERIFY(many.lines > kMaxStripLines);
        QVERIFY(many.heightOf(kMaxStripLines) < many.content.height());
        QVERIFY(many.heightOf(kMaxStripLines) <= kMaxStripLines * many.lineStep);
        QVERIFY(many.heightOf(kMaxStripLines) > (kMaxStripLines - 1) * many.lineStep);
        // Any word can be scrolled into view completely.
        QPointF scroll;
        const QSizeF sight(500, many.heightOf(kMaxStripLines));
        for (const core::Index word : {59, 0, 30}) {
            scroll = many.seen(word, scroll, sight);
            const QRectF rect =
                many.chips[static_cast<std::size_t>(word)].rect.united(many.number(word));
            QVERIFY(QRectF(scroll, sight).contains(rect));
        }
        // If a word is visible, nothing scrolls.
        QCOMPARE(many.seen(30, scroll, sight), scroll);
    }

    void oneLineScrollsSideways() {
        const StripLayout layout = laidOut(wordsOf(60), {.width = 500, .room = StripRoom::Line});
        QCOMPARE(layout.lines, 1);
        QCOMPARE(layout.heightOf(kMaxStripLines), layout.content.height());
        QVERIFY(layout.content.width() > 500);
        const QSizeF sight(500, layout.heightOf(kMaxStripLines));
        for (const core::Index word : {0, 33, 59}) {
            const QPointF scroll = layout.seen(word, {}, sight);
            QCOMPARE(scroll.y(), 0.0);
            QVERIFY(
                QRectF(scroll, sight).contains(layout.chips[static_cast<std::size_t>(word)].rect));
        }
        // With few words, the one-line strip of a short window takes less height than the padded
        // strip of a tall window.
        QVERIFY(laidOut(wordsOf(3), {.width = 500, .room = StripRoom::Line}).heightOf(1) <
                laidOut(wordsOf(3), {.width = 500}).heightOf(1));
    }

    void partsOfAWordTouchAndStayTogether() {
        StripWords words = wordsOf(30);
        for (std::size_t i = 1; i < 30; i += 3)
            words.words[i].joins = true;
        const StripLayout layout = laidOut(words, {.width = 430});
        QVERIFY(layout.lines > 2);
        for (std::size_t i = 1; i < 30; ++i) {
            const StripLayout::Chip &chip = layout.chips[i], &before = layout.chips[i - 1];
            QCOMPARE(chip.joinsLeft, words.words[i].joins);
            if (words.words[i].joins) {
                QCOMPARE(chip.line, before.line); // joined pieces are on one line
                QCOMPARE(chip.rect.left(), before.rect.right());
                QVERIFY(before.joinsRight);
            } else if (chip.line == before.line) {
                QVERIFY(chip.rect.left() >= before.rect.right() + 4);
            }
        }
    }

    /// A part is only as wide as its letters, even if the weight below it is wider.
    void partsOfAWordHaveNoGaps() {
        for (const double scale : {1.0, 1.5, 2.0}) {
            StripWords words;
            for (const char *part : {"un", "b", "e", "l", "i", "evable"})
                words.words.push_back({.text = part, .joins = !words.words.empty()});
            words.words.push_back({.text = "a"});
            const StripLayout layout = laidOut(words, {.width = 900}, scale);
            const QFont plain = stripWordFont(FigureStyle::light(scale));
            for (std::size_t i = 1; i < 5; ++i) {
                const double letters = textWidth(words.words[i].text, plain);
                QVERIFY(layout.chips[i].rect.width() >= letters);
                QVERIFY2(layout.chips[i].rect.width() <=
                             std::max(8 * scale, letters + 2 * scale + 1.5),
                         qPrintable(words.words[i].text));
            }
            QCOMPARE(layout.endOfWord(0), core::Index(6));
            QCOMPARE(layout.endOfWord(3), core::Index(6));
            QCOMPARE(layout.endOfWord(6), core::Index(7));
            // A whole word has space for its weight.
            QVERIFY(layout.chips[6].rect.width() >=
                    textWidth("0.00", stripNumberFont(FigureStyle::light(scale), true)));
        }
    }

    /// Weights below narrow parts move apart, and the least important ones are left out if there is
    /// no space.
    void weightsOfPartsDoNotOverlap() {
        constexpr double kGap = 2;
        std::vector<PartNumber> parts;
        for (int i = 0; i < 3; ++i)
            parts.push_back({20.0 * i, 20.0 * (i + 1), 22, double(i)});
        const auto all = partNumberCentres(parts, -6, 66, kGap);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(all[i].has_value());
        QCOMPARE(*all[1], 30.0); // the middle weight stays below its part
        QCOMPARE(*all[0], 6.0);
        QCOMPARE(*all[2], 54.0);

        parts.clear();
        for (int i = 0; i < 8; ++i) // narrower than half of their numbers
            parts.push_back({9.0 * i, 9.0 * (i + 1), 22, i == 3 ? 1.0 : 0.01 * i});
        const auto some = partNumberCentres(parts, -4, 76, kGap);
        QVERIFY(some[3].has_value());
        int shown = 0;
        double end = -4;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!some[i])
                continue;
            ++shown;
            QVERIFY(*some[i] - 11 >= end - 0.01);
            QVERIFY(*some[i] >= parts[i].left - 5.6 && *some[i] <= parts[i].right + 5.6);
            end = *some[i] + 11;
        }
        QVERIFY(end <= 76.01);
        QVERIFY(shown >= 2 && shown < 8);
        // Without enough space for even one number, none is shown.
        QVERIFY(!partNumberCentres(std::vector<PartNumber>{{0, 5, 22, 1}}, 0, 5, kGap)[0]);
        QVERIFY(partNumberCentres({}, 0, 5, kGap).empty());
    }

    void aWordWiderThanTheLineIsDivided() {
        StripWords words = wordsOf(20);
        for (std::size_t i = 1; i < 20; ++i)
            words.words[i].joins = true;
        const StripLayout layout = laidOut(words, {.width = 300});
        QVERIFY(layout.lines > 1);
        for (const StripLayout::Chip &chip : layout.chips)
            QVERIFY(chip.rect.right() <= 300.01);
        // Chinese characters may begin a line anywhere.
        for (std::size_t i = 1; i < 20; ++i)
            words.words[i].breaks = true;
        words.words.insert(words.words.begin(), {.text = "first"});
        const StripLayout chinese = laidOut(words, {.width = 300});
        QCOMPARE(chinese.chips[1].line, 0); // next to the word before, not on a new line
    }

    void rightToLeftTextBeginsAtTheRight() {
        core::Sequence sequence;
        for (const char *word : {"שלום", "good", "day", "עולם"})
            sequence.tokens.push_back({word});
        sequence.length = 4;
        const StripLayout layout = laidOut(stripWordsOf(sequence), {.width = 800});
        QCOMPARE(layout.chips[0].rect.right(), 800.0);
        QVERIFY(layout.chips[1].rect.left() < layout.chips[2].rect.left()); // "good" and "day"
        QVERIFY(layout.chips[2].rect.right() < layout.chips[0].rect.left());
        QVERIFY(layout.chips[3].rect.right() < layout.chips[1].rect.left());
    }

    /// An emoji of several code points is one word, is not cut, and is at its position in a text
    /// with two directions. `order`: the words from left to right.
    void emojiInBothDirections_data() {
        test::addColumns<QString, QString, bool>({"text", "order", "isRightToLeft"});
        QTest::newRow("left to right")
            << QStringLiteral("👨‍👩‍👧‍👦 says שלום עולם 👍🏽 now")
            << QString("013245") << false;
        QTest::newRow("right to left")
            << QStringLiteral("שלום 👨‍👩‍👧‍👦 עולם good day 👍🏽")
            << QString("534210") << true;
        QTest::newRow("only emoji")
            << QStringLiteral("👩‍🚀 👨‍👩‍👧‍👦 🇩🇪 1️⃣")
            << QString("0123") << false;
    }
    void emojiInBothDirections() {
        QFETCH(QString, text);
        QFETCH(QString, order);
        QFETCH(bool, isRightToLeft);
        StripFixture fixture("cat", text);
        const QStringList wanted = text.split(' ');
        QCOMPARE(fixture.texts(), wanted);
        QCOMPARE(fixture.sentence().text().isRightToLeft, isRightToLeft);
        const QFont font = stripWordFont(fixture.strip.figureStyle(), true);
        const test::PaintingRecord record = test::PaintingRecord::of(fixture.words());
        std::map<double, core::Index> byLeft;
        for (core::Index i = 0; i < wanted.size(); ++i) {
            QVERIFY(!fixture.sentence().text().words[static_cast<std::size_t>(i)].joins);
            const QRectF rect(fixture.words().wordRect(i));
            byLeft[rect.left()] = i;
            QVERIFY2(rect.width() >= textWidth(wanted[i], font), qPrintable(wanted[i]));
            // Without a font for emoji, Qt may draw their parts one by one.
            QVERIFY2(record.textsIn(rect).join(QString()).contains(wanted[i]),
                     qPrintable(wanted[i] + ": " + record.textsIn(rect).join('|')));
        }
        QString found;
        for (const auto &[left, word] : byLeft)
            found += QString::number(word);
        QCOMPARE(found, order);
        // One arrow key goes over a whole emoji.
        for (core::Index i = 0; i + 1 < wanted.size(); ++i) {
            fixture.select({.query = test::some(i)});
            fixture.key(isRightToLeft ? Qt::Key_Left : Qt::Key_Right);
            QCOMPARE(fixture.selection().query, test::some(i + 1));
        }
    }

    void theSecondTextBeginsALine() {
        StripWords words = wordsOf(6);
        words.words[3].startsLine = true;
        const StripLayout layout = laidOut(words, {.width = 2000});
        QCOMPARE(layout.lines, 2);
        QCOMPARE(layout.chips[2].line, 0);
        QCOMPARE(layout.chips[3].line, 1);
        const StripLayout line = laidOut(words, {.width = 2000, .room = StripRoom::Line});
        QVERIFY(line.chips[3].rect.left() - line.chips[2].rect.right() >
                line.chips[2].rect.left() - line.chips[1].rect.right());
    }

    void linesAboveAndBelow() {
        const StripLayout layout = laidOut(wordsOf(40), {.width = 500});
        const auto [first, end] = layout.wordsOf(1);
        QVERIFY(end > first);
        const core::Index above = layout.wordAbove(first, 1), below = layout.wordAbove(first, -1);
        QCOMPARE(layout.chips[static_cast<std::size_t>(above)].line, 0);
        QCOMPARE(layout.chips[static_cast<std::size_t>(below)].line, 2);
        QCOMPARE(layout.wordAbove(above, 1), above);
    }

    /// A page measures its words once, and finds its height without placing them.
    void measuredWordsGiveTheSameLayout() {
        StripWords words = wordsOf(50);
        for (std::size_t i = 1; i < 50; i += 4)
            words.words[i].joins = true;
        words.words[7].text = QString(80, 'm'); // elided
        const FigureStyle style = FigureStyle::light(1.5);
        for (const bool isPage : {false, true})
            for (const StripRoom room : {StripRoom::Lines, StripRoom::Line})
                for (const double width : {200.0, 640.0, 20000.0}) {
                    const StripSpace space{.width = width, .room = room, .isPage = isPage};
                    const std::vector<double> widths = stripTextWidths(words, style, space);
                    const StripLayout layout = stripLayoutOf(words, style, space);
                    const StripLayout same = stripLayoutOf(words, style, space, widths);
                    QCOMPARE(stripHeightOf(words, style, space, widths), layout.content.height());
                    QCOMPARE(same.content, layout.content);
                    for (std::size_t i = 0; i < 50; ++i)
                        QCOMPARE(same.chips[i].rect, layout.chips[i].rect);
                    for (const std::size_t word : {2, 7}) { // whole words
                        const QFont font = stripWordFont(style, !isPage, space.word);
                        QCOMPARE(widths[word], textWidth(words.words[word].text, font));
                    }
                }
    }

    /// Corners are round at the ends of a word, and square where its parts meet.
    void partsHaveSquareCornersWhereTheyMeet_data() {
        test::addCombinations<bool, bool>({"left", "right"}, {false, true}, {false, true});
    }
    void partsHaveSquareCornersWhereTheyMeet() {
        QFETCH(bool, left);
        QFETCH(bool, right);
        QImage image(60, 50, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRect rect(10, 10, 40, 26);
        WordChip chip;
        chip.rect = rect;
        chip.joinsLeft = left;
        chip.joinsRight = right;
        chip.fill = Qt::black;
        paintWordChip(painter, {}, chip, FigureStyle::light());
        painter.end();
        const auto isFilled = [&](QPoint point) { return image.pixelColor(point) == Qt::black; };
        const QPoint besideSeam(2, 0); // the seam on the left is a pixel wide
        QCOMPARE(isFilled(rect.topLeft() + besideSeam), left);
        QCOMPARE(isFilled(rect.bottomLeft() + besideSeam), left);
        QCOMPARE(isFilled(rect.topRight()), right);
        QCOMPARE(isFilled(rect.bottomRight()), right);
        QVERIFY(isFilled(rect.center()));
        for (const QPoint outside : {QPoint(9, 20), QPoint(50, 20), QPoint(30, 9), QPoint(30, 36)})
            if (!left || outside.x() > 9) // the seam is half outside
                QCOMPARE(image.pixelColor(outside), QColor(Qt::white));
    }

    void arcsHaveSpaceAboveEachLine() {
        const StripLayout without = laidOut(wordsOf(20), {.width = 500});
        const StripLayout with = laidOut(wordsOf(20), {.width = 500, .headroom = 20});
        QCOMPARE(with.headroom, 20.0);
        QCOMPARE(with.lineStep, without.lineStep + 20);
        QCOMPARE(with.chips[0].rect.top(), 20.0);
    }
};

HEADLIGHT_WIDGET_TEST(StripLayoutTest)
#include "tst_strip_layout.moc"
