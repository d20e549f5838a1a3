// The words of a short window in one line: their size, and which of them are visible.
#include "tests/support/painting_record.h"
#include "tests/ui/strip/strip_fixture.h"

class StripLineTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// In a window that is a little too narrow for one line, the words become smaller.
    void aLineShrinksALittle() {
        StripFixture fixture("who-is-it", {}, {1280, 720});
        WordsStrip &words = fixture.words();
        const core::Index last = std::ssize(fixture.texts()) - 1;
        const auto isWhole = [&] {
            return QRectF(words.rect()).contains(words.wordRect(0)) &&
                   QRectF(words.rect()).contains(words.wordRect(last));
        };
        QVERIFY(isWhole());
        QCOMPARE(words.wordPixels(), stripWordFont(fixture.strip.figureStyle()).pixelSize());
        (void)fixture.strip.layOutFor(1100);
        QVERIFY(isWhole());
        QVERIFY(stripWordFont(fixture.strip.figureStyle()).pixelSize() > words.wordPixels());
        QVERIFY(words.wordPixels() >= 13);
        (void)fixture.strip.layOutFor(2000);
        QCOMPARE(words.wordPixels(), stripWordFont(fixture.strip.figureStyle()).pixelSize());
        // If the words would be too small, they keep their size.
        (void)fixture.strip.layOutFor(700);
        QVERIFY(!isWhole());
        QCOMPARE(words.wordPixels(), stripWordFont(fixture.strip.figureStyle()).pixelSize());
        fixture.strip.setStyle(FigureStyle::presented(true, 1));
        for (const int width : {1280, 1100, 1000, 900}) {
            (void)fixture.strip.layOutFor(width);
            QVERIFY(words.wordPixels() >= fixture.strip.figureStyle().minText);
        }
    }

    /// Both ends of the strongest weight are visible. A word that is too far away is at the end of
    /// the line, with its weight.
    void aLineScrollsToTheLargestWeight() {
        StripFixture fixture(test::longDecoder(60), {}, {900, 720});
        WordsStrip &words = fixture.words();
        QCOMPARE(words.layoutNow().lines, 1);
        int together = 0, apart = 0;
        for (core::Index word = 59; word > 0; --word) {
            fixture.select({.query = test::some(word), .key = test::none()});
            QVERIFY(test::until([&] { return fixture.sentence().selected == word; }));
            const std::vector<float> &weights = fixture.sentence().weights;
            const core::Index strongest = std::ranges::max_element(weights) - weights.begin();
            const QRectF seen = words.rect(), at = words.wordRect(word),
                         other = words.wordRect(strongest);
            QVERIFY(seen.contains(at));
            const auto before = words.weightAtEnd(0), after = words.weightAtEnd(1);
            if (!seen.intersects(other)) {
                const auto &end = strongest < word ? before : after;
                QVERIFY2(end, test::said("%1 of %2", strongest, word));
                QCOMPARE(end->first, strongest);
                QVERIFY(seen.contains(end->second) && !end->second.intersects(at));
                const auto record = test::PaintingRecord::of(words);
                QVERIFY(std::ranges::any_of(record.texts, [&](const auto &each) {
                    return each.text == fixture.texts().at(strongest) &&
                           end->second.contains(each.centre);
                }));
                ++apart;
            }
            QVERIFY(!(before && after));
            if ((at | other).width() > seen.width() - 3 * at.height())
                continue;
            QVERIFY(!before && !after);
            QVERIFY2(seen.contains(other), test::said("%1 of %2", strongest, word));
            together += strongest != word;
        }
        QVERIFY(together > 0 && apart > 0);
    }

    /// The last, written word and the word that it attends to most are both visible, so its arc has
    /// both ends. The words may become smaller, but not below 13 px.
    void anArcOfAWrittenWordHasBothEnds() {
        StripFixture fixture("tales",
                             "Mia had a big red kite . Tom found a small blue boat . Mia took her",
                             {967, 720});
        fixture.clickBar(0);
        const StripSentence &sentence = fixture.sentence();
        const core::Index last = std::ssize(fixture.texts()) - 1;
        QCOMPARE(sentence.written, test::some(last));
        const core::Index strongest =
            std::ranges::max_element(sentence.weights) - sentence.weights.begin();
        QCOMPARE(fixture.texts().at(strongest), QString("kite"));
        WordsStrip &words = fixture.words();
        QVERIFY(QRectF(words.rect()).contains(words.wordRect(strongest)));
        QVERIFY(QRectF(words.rect()).contains(words.wordRect(last)));
        QVERIFY(words.wordPixels() >= 13);
    }
};

HEADLIGHT_WIDGET_TEST(StripLineTest)
#include "tst_strip_line.moc"
