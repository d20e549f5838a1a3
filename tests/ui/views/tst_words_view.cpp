// Two sentences as vectors: layout, hover texts, selection with mouse and keyboard, and adding a
// second sentence.
#include "tests/ui/views/view_fixture.h"
#include "ui/views/sentence_bar.h"
#include "ui/views/words_view.h"

using core::TextEncoding;
using WordsFixture = test::Fixture<WordsView>;

namespace {

std::size_t at(TextEncoding way) {
    return static_cast<std::size_t>(way);
}

/// Returns the position of a number in the view's pixels.
QPoint numberAt(WordsFixture &fixture, TextEncoding way, Cell cell) {
    const WordsGeometry places = fixture.view.geometry();
    return fixture.view.onScreen(places.cards[at(way)].numbers.cellRect(cell.row, cell.column))
        .center()
        .toPoint();
}
QPoint cosineAt(WordsFixture &fixture, TextEncoding way, Cell cell) {
    const WordsGeometry places = fixture.view.geometry();
    return fixture.view.onScreen(places.cards[at(way)].cosines.cellRect(cell.row, cell.column))
        .center()
        .toPoint();
}
const WordsFigure &figureOf(WordsFixture &fixture) {
    return static_cast<const WordsFigure &>(*fixture.view.figure());
}

} // namespace

class WordsViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void oneSentenceIsNotTwo() {
        WordsFixture one("cat"), two("bank");
        QCOMPARE(figureOf(one).content().title, QString("A sentence as numbers"));
        QCOMPARE(figureOf(two).content().title, QString("Two sentences as numbers"));
        // The tooltip of the tab is the same for one sentence and two.
        QVERIFY(purposeOf(infoOf(core::View::Words)).startsWith("Sentences as numbers"));
    }

    void theTwoBanksAreAlikeUntilAttention() {
        WordsFixture fixture("bank");
        const WordsContent &content = figureOf(fixture).content();
        QCOMPARE(content.sentences,
                 QStringList({"sentence 1: money bank", "sentence 2: river bank"}));
        QVERIFY(content.notice.isEmpty());
        QCOMPARE(content.cards.size(), core::kTextEncodings.size());
        QCOMPARE(content.cards[at(TextEncoding::BagOfWords)].texts,
                 QString("0.5000 = 1.00 / (1.41 · 1.41)"));
        const auto cosine = [&](TextEncoding way) {
            return content.cards[at(way)].cosines->content().matrix()(1, 1);
        };
        QCOMPARE(cosine(TextEncoding::OneHot), 1.0F);
        QCOMPARE(cosine(TextEncoding::Embeddings), 1.0F);
        QVERIFY(cosine(TextEncoding::Contextual) < 0.99F);
        const QString said = content.cosineText({1, 1});
        QVERIFY2(said.startsWith("Cosine of “bank” in sentence 1 and “bank” in sentence 2 · "
                                 "One-hot: 1, Embeddings: 1, After attention: 0."),
                 qPrintable(said));
        QVERIFY(figureOf(fixture).description().contains("0.5000 = "));
        QVERIFY(fixture.view.accessibleDescription().contains("river bank"));
    }

    void aClickOnAWordSelectsItsToken() {
        WordsFixture fixture("bank");
        const core::Stage before = fixture.selection().stage;
        fixture.click(numberAt(fixture, TextEncoding::OneHot, {3, 0})); // the "bank" of the river
        QVERIFY(test::isAt(fixture.selection(), {.stage = before, .query = 1, .sequence = 1}));
        QVERIFY(figureOf(fixture).content().cards[0].numbers.content().selectedRow == 3);
        // Clicking the label of a token selects its row.
        const WordsGeometry places = fixture.view.geometry();
        const QRectF label = places.cards[at(TextEncoding::Embeddings)].numbers.rowLabel(0);
        fixture.click(fixture.view.onScreen(label).center().toPoint());
        QVERIFY(test::isAt(fixture.selection(), {.query = 0, .sequence = 0}));
        // Clicking a number of a vector selects its dimension.
        fixture.click(numberAt(fixture, TextEncoding::Embeddings, {2, 1}));
        QVERIFY(
            test::isAt(fixture.selection(),
                       {.stage = Stage::Embeddings, .query = 0, .dimension = 1, .sequence = 1}));
        // Clicking a count selects a token that is counted.
        fixture.click(numberAt(fixture, TextEncoding::BagOfWords, {0, 1}));
        QVERIFY(test::isAt(fixture.selection(), {.query = 1, .sequence = 0}));
        // Clicking a cosine selects one token, clicking it again the other.
        fixture.click(cosineAt(fixture, TextEncoding::Contextual, {0, 1}));
        QVERIFY(test::isAt(fixture.selection(), {.query = 0, .sequence = 0}));
        fixture.click(cosineAt(fixture, TextEncoding::Contextual, {0, 1}));
        QVERIFY(test::isAt(fixture.selection(), {.query = 1, .sequence = 1}));
    }

    void keysGoThroughBothSentences() {
        WordsFixture fixture("bank");
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.selection().query);
        QSignalSpy hovered(&fixture.view, &FigureView::hovered);
        for (const auto &[sequence, token] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 0),
                                              std::pair(1, 1), std::pair(1, 1)}) {
            fixture.key(Qt::Key_Down);
            QVERIFY(test::isAt(fixture.selection(), {.query = token, .sequence = sequence}));
        }
        QVERIFY(hovered.last()[0].toString().contains("“bank” in sentence 2"));
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().query, test::some(0));
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.selection().sequence, 0);
        fixture.key(Qt::Key_End);
        QCOMPARE(fixture.selection().sequence, 1);
    }

    void cellsHaveTheirColours() {
        WordsFixture fixture("bank");
        fixture.key(Qt::Key_Escape);
        const QImage image = fixture.view.grab().toImage();
        const auto colour = [&](QPoint middle, QSizeF cell) {
            const QPointF corner(cell.width() / 2 - 4, cell.height() / 2 - 4);
            return image.pixelColor((QPointF(middle) - corner).toPoint());
        };
        const WordsGeometry places = fixture.view.geometry();
        const QSizeF cell = places.cards[0].numbers.cell;
        const ColourScale scale = ColourScale::between(fixture.view.figureStyle().weightsMap, 0, 1);
        for (core::Index row = 0; row < 4; ++row)
            for (core::Index column = 0; column < 3; ++column) {
                const float value = figureOf(fixture)
                                        .content()
                                        .numbers->of(TextEncoding::OneHot)
                                        .numbers(row, column);
                QCOMPARE(colour(numberAt(fixture, TextEncoding::OneHot, {row, column}), cell),
                         QColor(scale.colour(row, static_cast<double>(value))));
            }
    }

    void nothingLiesOverSomethingElse_data() {
        test::addCombinations<QSize, double>(
            {"size", "scale"},
            {QSize(1400, 800), QSize(700, 420), QSize(1000, 600), QSize(330, 300)}, {1, 1.5, 2});
    }
    void nothingLiesOverSomethingElse() {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        WordsFixture fixture("sentence", {}, size);
        QVERIFY(fixture.document.apply(edits::addText(
            fixture.document.state(), 0, QString::fromUtf8("我 坐 在 河岸 the cat sat"))));
        fixture.settle();
        fixture.view.setStyle(FigureStyle::dark(scale));
        QVERIFY(fixture.view.figure());
        const WordsGeometry places = fixture.view.geometry();
        QCOMPARE(places.cards.size(), core::kTextEncodings.size());
        for (std::size_t i = 0; i < places.cards.size(); ++i) {
            const WordsGeometry::Card &card = places.cards[i];
            QVERIFY(places.area.contains(card.rect));
            QVERIFY(card.numbers.cell.height() >= 8);
            QCOMPARE(card.numbers.columns,
                     figureOf(fixture).content().cards[i].numbers.content().matrix().columns);
            QVERIFY(card.rect.contains(card.numbers.cells));
            QVERIFY(card.explanation.bottom() <= card.numbers.cells.top());
            double bottom = card.numbers.used.bottom();
            if (!card.textsCaption.isNull()) {
                QVERIFY(card.textsCaption.top() >= bottom);
                bottom = std::max(card.textsCaption.bottom(), card.texts.bottom());
            }
            if (!card.cosines.cell.isEmpty()) {
                QVERIFY(card.cosines.cells.top() >= bottom);
                QVERIFY(card.cosines.cell.height() >= 8);
                QVERIFY(card.rect.contains(card.cosines.cells));
            }
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!places.cards[j].rect.intersects(card.rect));
        }
        (void)fixture.view.grab();
    }

    /// A view shorter than its cards starts at their titles. Keys that select scroll to the
    /// selection.
    void itOpensAtItsTop() {
        WordsFixture fixture("cat");
        fixture.view.resize(700, 420);
        fixture.select({.query = 0});
        (void)fixture.view.grab();
        const auto *down = fixture.view.findChild<QScrollBar *>("scrollDown");
        QVERIFY(down->maximum() > 0);
        QCOMPARE(down->value(), 0);
    }

    void oneSentenceGetsASecond() {
        WordsFixture fixture("cat");
        auto *bar = fixture.view.findChild<QWidget *>("sentenceBar");
        auto *line = fixture.view.findChild<QLineEdit *>("secondSentence");
        auto *add = fixture.view.findChild<QToolButton *>("addSentence");
        QVERIFY(bar->isVisible());
        QVERIFY(!add->isEnabled());
        QVERIFY(figureOf(fixture).content().notice.contains("one sentence"));
        QVERIFY(!figureOf(fixture).content().cards[0].cosines);
        QTest::keyClicks(line, "The cat");
        QVERIFY(add->isEnabled());
        QTest::keyClick(line, Qt::Key_Return);
        fixture.settle();
        const core::Input &input = fixture.document.state().input;
        QCOMPARE(input.batch->count(), 2);
        QCOMPARE((*input.batch)[1].length, 2);
        // Other tokens do not attend to the padding, because of a padding mask.
        QVERIFY(std::ranges::any_of(input.masks, [](const core::MaskLayer &layer) {
            return std::holds_alternative<core::PaddingMask>(layer);
        }));
        QVERIFY(!bar->isVisible());
        QVERIFY(figureOf(fixture).content().cards[0].cosines);
        QCOMPARE(figureOf(fixture).content().cards[0].cosines->content().matrix()(1, 1), 1.0F);
        fixture.document.undoStack().undo();
        fixture.settle();
        QVERIFY(bar->isVisible());
        QCOMPARE(fixture.document.state().input.batch->count(), 1);
        QVERIFY(fixture.document.state().input.masks.empty());
    }

    void aTextWithoutAWordIsRefused() {
        WordsFixture fixture("cat");
        QSignalSpy failed(&fixture.view, &FigureView::failed);
        auto *line = fixture.view.findChild<QLineEdit *>("secondSentence");
        line->setText(QString(40000, QLatin1Char('x')).replace("xx", "x "));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(fixture.document.state().input.batch->count(), 1);
    }

    void aComparisonHasTwoSidesAndNoDifference() {
        WordsFixture fixture("bank");
        fixture.document.comparison().pin();
        QVERIFY(test::typeText(fixture.document, "money tree"));
        fixture.settle();
        const auto sentence = [&] { return figureOf(fixture).content().sentences.value(0); };
        QVERIFY(sentence().endsWith("tree"));
        fixture.document.comparison().show(ComparisonSide::A);
        QVERIFY2(sentence().endsWith("bank"), qPrintable(sentence()));
        fixture.document.comparison().show(ComparisonSide::Difference);
        QVERIFY(figureOf(fixture).content().nothing.contains("one side"));
        (void)fixture.view.grab();
    }
};

HEADLIGHT_WIDGET_TEST(WordsViewTest)
#include "tst_words_view.moc"
