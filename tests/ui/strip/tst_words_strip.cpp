// The words strip with mouse and keyboard: selecting rows, editing, writing the answer, scrolling,
// arcs, screen readers, and painting.
#include "tests/ui/strip/strip_fixture.h"
#include "tests/ui/window/session_files.h"
#include "ui/document/edits/generation_edits.h"
#include "ui/strip/strip_arcs.h"
#include "ui/text/capture_text.h"
#include "ui/views/cell_text.h"

#include <QAccessible>

#include <set>

namespace {

/// Returns the list that screen readers see.
QAccessibleInterface *listOf(QWidget &widget) {
    return QAccessible::queryAccessibleInterface(&widget);
}

QString nameAt(QWidget &widget, int item) {
    return listOf(widget)->child(item)->text(QAccessible::Name);
}

QLineEdit *editIn(const StripFixture &fixture) {
    return fixture.strip.findChild<QLineEdit *>("wordsEdit");
}

const std::vector<StripArc> &arcsIn(const StripFixture &fixture) {
    for (QWidget *child : fixture.strip.findChildren<QWidget *>())
        if (auto *arcs = dynamic_cast<StripArcs *>(child))
            return arcs->arcs();
    qFatal("no arcs");
}

QImage pictureOf(QWidget &widget) {
    QImage image(widget.size(), QImage::Format_RGB32);
    widget.render(&image);
    return image;
}

} // namespace

class WordsStripTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void init() { QSettings().remove("strip/arcs"); }

    void aClickSelectsTheRow() {
        StripFixture fixture("two-heads");
        fixture.select({.stage = Stage::Scores, .query = test::none(), .key = test::none()});
        fixture.click(2);
        QVERIFY(test::isAt(fixture.selection(),
                           {.stage = Stage::Scores, .query = test::some(2), .key = test::none()}));
        QVERIFY(fixture.content().captionText().startsWith(fixture.texts().at(2) + " looks at"));
        QCOMPARE(fixture.sentence().selected, test::some(2));
        // The strip shows selections that are made elsewhere.
        fixture.select({.query = test::some(0), .head = 1});
        QVERIFY(fixture.content().captionText().contains("head 1"));
        QCOMPARE(fixture.sentence().selected, test::some(0));
        // A click next to the words selects nothing.
        QTest::mouseClick(&fixture.words(), Qt::LeftButton, {}, {fixture.words().width() - 2, 10});
        QCOMPARE(fixture.sentence().selected, test::some(0));
    }

    /// An outline around a word is not cut, even in a text without weights below its words.
    void outlinesAreNotCut() {
        for (const QSize size : {QSize(1000, 900), QSize(1000, 700)}) {
            StripFixture fixture(test::sessionPath("encoder_decoder"), {}, size);
            QCOMPARE(fixture.content().sentences.size(), std::size_t(2));
            int unread = 0;
            for (const StripSentence &sentence : fixture.content().sentences) {
                WordsStrip &words = fixture.words(sentence.side);
                const double least = words.wordRect(0).bottom() + WordsStrip::kOutline;
                QVERIFY2(words.height() >= least,
                         test::said("%1 px, not %2", words.height(), least));
                unread += !sentence.isRead;
            }
            QCOMPARE(unread, 1);
        }
    }

    void arrowsMoveTheRow() {
        StripFixture fixture("two-heads");
        fixture.select({.query = test::none(), .key = test::none()});
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.selection().query, test::some(0)); // the first key selects the first word
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.selection().query, test::some(1));
        fixture.key(Qt::Key_Left);
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().query, test::some(0));
        fixture.key(Qt::Key_End);
        QCOMPARE(fixture.selection().query, test::some(std::ssize(fixture.texts()) - 1));
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.selection().query, test::some(0));
        fixture.key(Qt::Key_Escape);
        QVERIFY(!fixture.selection().query);
    }

    void upAndDownMoveBetweenLines() {
        StripFixture fixture("two-heads", "a b c d e f g h i j k l m n o p q r s t", {520, 900});
        QVERIFY(fixture.words().layoutNow().lines > 1);
        fixture.click(1);
        fixture.key(Qt::Key_Down);
        const core::Index below = *fixture.selection().query;
        QCOMPARE(fixture.words().layoutNow().chips[std::size_t(below)].line, 1);
        fixture.key(Qt::Key_Up);
        QCOMPARE(fixture.selection().query, test::some(1));
    }

    void arrowsFollowThePictureInRightToLeftText() {
        StripFixture fixture("two-heads", "שלום עולם יפה");
        fixture.click(0);
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().query, test::some(1));
        QVERIFY(fixture.words().wordRect(1).right() < fixture.words().wordRect(0).left());
    }

    void hoverIsTheViewsText() {
        StripFixture fixture("two-heads");
        fixture.click(1);
        QSignalSpy hovered(&fixture.strip, &SentenceStrip::hovered);
        test::moveMouse(fixture.words(), fixture.wordPoint(3));
        core::Selection at = fixture.selection();
        at.stage = Stage::AttentionWeights;
        QCOMPARE(hovered.last()[0].toString(), cellText(*fixture.document.trace(), at, 1, 3));
        QVERIFY(hovered.last()[0].toString().contains("attends to"));
        test::moveMouse(fixture.words(), QPointF(fixture.words().width() - 2, 3));
        QCOMPARE(hovered.last()[0].toString(), QString());
    }

    void enterEditsInPlace() {
        StripFixture fixture("two-heads");
        const int steps = fixture.document.undoStack().count();
        const QStringList before = fixture.texts();
        fixture.words().setFocus();
        fixture.key(Qt::Key_Return);
        QLineEdit *edit = editIn(fixture);
        QVERIFY(edit && edit->isVisible());
        QVERIFY(fixture.words().isEditing());
        QCOMPARE(edit->text(), QString::fromStdString(fixture.text().text));
        edit->selectAll();
        QTest::keyClicks(edit, "money bank");
        fixture.settle();
        QCOMPARE(fixture.texts().mid(0, 2), QStringList({"money", "bank"}));
        // Typing is one undo step, as in the text field.
        QCOMPARE(fixture.document.undoStack().count(), steps + 1);
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(!fixture.words().isEditing());
        QVERIFY(!editIn(fixture));
        QCOMPARE(fixture.texts().mid(0, 2), QStringList({"money", "bank"}));
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.texts(), before);
        // A double click edits, too. Its edit is another undo step.
        QTest::mouseDClick(&fixture.words(), Qt::LeftButton, {}, fixture.wordPoint(1));
        QVERIFY(fixture.words().isEditing());
        QTest::keyClick(editIn(fixture), Qt::Key_Return);
        QVERIFY(!fixture.words().isEditing());
    }

    void emptyTextIsReportedAndLeavesTheWords() {
        StripFixture fixture("two-heads");
        const QStringList before = fixture.texts();
        QSignalSpy failed(&fixture.strip, &SentenceStrip::failed);
        QSignalSpy succeeded(&fixture.strip, &SentenceStrip::succeeded);
        fixture.words().edit();
        editIn(fixture)->selectAll();
        QTest::keyClick(editIn(fixture), Qt::Key_Delete);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(fixture.texts(), before);
        succeeded.clear();
        QTest::keyClick(editIn(fixture), Qt::Key_Escape);
        QCOMPARE(succeeded.count(), 1); // clears the error message
    }

    void theSourceIsEditedInItsOwnStrip() {
        StripFixture fixture(test::sessionPath("encoder_decoder"));
        fixture.words(InputSide::Source).edit();
        QLineEdit *edit = editIn(fixture);
        const core::Sequence &source = (*fixture.document.state().input.source)[0];
        QCOMPARE(edit->text(), shownTextOf(source));
        edit->setText("");
        QTest::keyClicks(edit, "the cat");
        fixture.settle();
        QCOMPARE(fixture.texts(InputSide::Source).mid(0, 2), QStringList({"the", "cat"}));
    }

    void sourceAndTargetAreTwoStrips() {
        StripFixture fixture(test::sessionPath("encoder_decoder"));
        QVERIFY(fixture.words(InputSide::Source).isVisible());
        QVERIFY(fixture.words(InputSide::Source).geometry().bottom() <
                fixture.words().geometry().top() + int(WordsStrip::kOutline));
        core::Selection at = fixture.selection();
        at.setAttention({0, core::Block::SelfAttention, core::Stack::Decoder});
        fixture.document.select(at);
        fixture.click(1);
        QCOMPARE(fixture.selection().stack, core::Stack::Decoder);
        QCOMPARE(fixture.sentence().selected, test::some(1));
        fixture.click(2, InputSide::Source);
        QCOMPARE(fixture.selection().stack, core::Stack::Encoder);
        QCOMPARE(fixture.sentence(InputSide::Source).selected, test::some(2));
        QVERIFY(!fixture.sentence(InputSide::Source).weights.empty());
        QVERIFY(fixture.sentence().weights.empty());
        StripFixture one("two-heads");
        QVERIFY(!one.words(InputSide::Source).isVisible());
    }

    void aBatchShowsTheSelectedSentence() {
        StripFixture fixture("batch");
        const core::Index count = fixture.document.state().input.batch->count();
        for (core::Index sequence = 0; sequence < count; ++sequence) {
            fixture.select({.sequence = sequence});
            QCOMPARE(fixture.texts(), tokensOf(*fixture.document.trace(), sequence));
            QVERIFY(fixture.content().captionText().contains(
                QString("sentence %1 of %2").arg(sequence + 1).arg(count)));
        }
    }

    /// The click is one undo step. Undo removes the word.
    void aClickOnTheAnswerWrites() {
        StripFixture fixture(test::kGpt2);
        QCOMPARE(fixture.answer().content().kind, AnswerContent::Kind::Words);
        const core::Index before = fixture.text().length;
        fixture.select({.query = test::some(before - 1)});
        const int steps = fixture.document.undoStack().index();
        const QString word = fixture.answer().content().bars[1].name;
        fixture.clickBar(1);
        QCOMPARE(fixture.text().length, before + 1);
        QCOMPARE(tokensOf(*fixture.document.trace(), 0).last(), word);
        QCOMPARE(fixture.document.undoStack().index(), steps + 1);
        QCOMPARE(fixture.selection().query, test::some(before)); // selects the row of the new word
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.text().length, before);
        QCOMPARE(fixture.document.undoStack().index(), steps);
    }

    /// The arcs go from the new word to the words that the row before it attends to, because that
    /// row predicted it. Another selection shows the selected row again.
    void aWrittenWordShowsWhatItCameFrom() {
        StripFixture fixture(test::kGpt2);
        const core::Index before = fixture.text().length;
        fixture.select({.query = test::some(before - 1), .layer = 1});
        const std::vector<float> weights = fixture.sentence().weights;
        const QString word = fixture.answer().content().bars[0].name;
        QVERIFY(arcsIn(fixture).empty());
        fixture.clickBar(0);
        QCOMPARE(fixture.sentence().selected, test::some(before - 1));
        QVERIFY(fixture.content().captionText().contains(word));
        const std::vector<float> &shown = fixture.sentence().weights;
        double largest = 0;
        for (std::size_t key = 0; key < weights.size(); ++key) {
            QVERIFY(std::abs(shown[key] - weights[key]) < 1e-6f);
            largest = std::max(largest, double(shown[key]));
        }
        QVERIFY(!arcsIn(fixture).empty());
        QCOMPARE(arcsIn(fixture).back().weight, largest);
        const QRectF chip = fixture.words().wordRect(before);
        for (const StripArc &arc : arcsIn(fixture))
            QVERIFY(arc.from.x() > chip.translated(fixture.words().pos()).left());
        // The answer is already about the new word.
        QCOMPARE(fixture.selection().query, test::some(before));
        fixture.click(1);
        QVERIFY(arcsIn(fixture).empty());
        QCOMPARE(fixture.sentence().selected, test::some(core::Index(1)));
    }

    void anEditShowsTheNumbersBefore() {
        StripFixture fixture(test::sessionPath("gpt_neox"));
        fixture.select({.query = test::some(2)});
        const std::vector<AnswerContent::Bar> was = fixture.answer().content().bars;
        QVERIFY(!was.front().before);
        QVERIFY(test::setMasks(fixture.document, {}).ok());
        fixture.settle();
        const std::vector<AnswerContent::Bar> is = fixture.answer().content().bars;
        QVERIFY(is.front().before);
        for (const AnswerContent::Bar &bar : is)
            for (const AnswerContent::Bar &old : was)
                if (old.index == bar.index)
                    QCOMPARE(*bar.before, old.value);
    }

    void theMaskedWordIsReplaced() {
        StripFixture fixture(test::sessionPath("encoder_postnorm"));
        fixture.select({.query = test::some(1)});
        const AnswerContent::Bar bar = fixture.answer().content().bars[0];
        const core::Index length = fixture.text().length;
        fixture.clickBar(0);
        QCOMPARE(fixture.text().length, length);
        QCOMPARE(fixture.texts().at(1), bar.name);
    }

    void aClassIsNotWritten() {
        StripFixture fixture(test::sessionPath("encoder_prenorm"));
        QCOMPARE(fixture.answer().content().kind, AnswerContent::Kind::Classes);
        const int steps = fixture.document.undoStack().count();
        fixture.clickBar(0);
        QCOMPARE(fixture.document.undoStack().count(), steps);
    }

    void theAnswersKeys() {
        StripFixture fixture(test::kGpt2);
        fixture.select({.query = test::some(fixture.text().length - 1)});
        const core::Index before = fixture.text().length;
        fixture.answer().setFocus();
        QVERIFY(fixture.answer().hasFocus());
        const QImage focused = fixture.answer().grab().toImage();
        // The outline of the focus does not cover the bars.
        QCOMPARE(focused.pixelColor(focused.width() - 3, focused.height() - 3),
                 fixture.strip.figureStyle().background);
        QTest::keyClick(&fixture.answer(), Qt::Key_Home);
        QCOMPARE(fixture.answer().currentItem(), 0);
        QTest::keyClick(&fixture.answer(), Qt::Key_Down);
        QCOMPARE(fixture.answer().currentItem(), 1);
        const QString word = fixture.answer().content().bars[1].name;
        QTest::keyClick(&fixture.answer(), Qt::Key_Return);
        fixture.settle();
        QCOMPARE(fixture.text().length, before + 1);
        QCOMPARE(tokensOf(*fixture.document.trace(), 0).last(), word);
    }

    void withoutAnOutputLayerABarSelectsTheWord() {
        StripFixture fixture("two-heads");
        fixture.click(1);
        QCOMPARE(fixture.answer().content().kind, AnswerContent::Kind::Cosines);
        const core::Index other = fixture.answer().content().bars[0].index;
        fixture.clickBar(0);
        QVERIFY(
            test::isAt(fixture.selection(), {.query = test::some(1), .key = test::some(other)}));
        QCOMPARE(fixture.sentence().pointed, test::some(other));
    }

    void everyOtherWordIsInTheAnswer() {
        StripFixture fixture("cat");
        fixture.click(1);
        AnswerBars &answer = fixture.answer();
        const core::Index others = fixture.text().length - 1;
        QCOMPARE(answer.itemCount(), static_cast<int>(others));
        const auto shown = [&] {
            const AnswerGeometry places = answer.geometryNow();
            return std::pair(places.first, places.first + places.rows.size());
        };
        const std::size_t fitting = shown().second;
        QVERIFY2(fitting > 0 && fitting < static_cast<std::size_t>(others), "all fit");
        const QRectF more = answer.geometryNow().more;
        QVERIFY(!more.isEmpty() && QRectF(answer.rect()).contains(more));
        answer.setFocus();
        std::set<int> reached;
        QTest::keyClick(&answer, Qt::Key_Home);
        for (core::Index i = 0; i < others; ++i, QTest::keyClick(&answer, Qt::Key_Down)) {
            const int bar = answer.currentItem();
            reached.insert(bar);
            QVERIFY(!answer.itemRect(bar).isEmpty());
            QVERIFY(answer.rect().contains(answer.itemRect(bar)));
        }
        QCOMPARE(std::ssize(reached), others);
        const auto turn = [&](int angle) {
            QWheelEvent wheel({20, 30}, answer.mapToGlobal(QPointF(20, 30)), {}, {0, angle},
                              Qt::NoButton, {}, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&answer, &wheel);
        };
        turn(120 * 100);
        QCOMPARE(shown(), std::pair(std::size_t(0), fitting));
        turn(-120);
        QCOMPARE(shown().first, std::size_t(1));
        turn(-120 * 100);
        QCOMPARE(shown().second, static_cast<std::size_t>(others));
        // A click chooses the bar under the mouse.
        const core::Index last = answer.content().bars.back().index;
        fixture.clickBar(answer.geometryNow().rows.size() - 1);
        QCOMPARE(fixture.selection().key, test::some(last));
    }

    void manyLinesScrollToTheSelection() {
        StripFixture fixture(test::longDecoder(200), {}, {700, 900});
        WordsStrip &words = fixture.words();
        QVERIFY(words.layoutNow().lines > kMaxStripLines);
        QVERIFY(words.findChild<QScrollBar *>()->isVisibleTo(&fixture.strip));
        for (const core::Index word : {150, 3, 90}) {
            fixture.select({.query = test::some(word)});
            QVERIFY(test::until([&] { return fixture.sentence().selected == word; }));
            QVERIFY(QRectF(words.rect()).contains(words.wordRect(word)));
        }
        const QPointF before = words.scroll();
        QWheelEvent wheel({20, 20}, words.mapToGlobal(QPointF(20, 20)), {}, {0, -120}, Qt::NoButton,
                          {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&words, &wheel);
        QVERIFY(words.scroll().y() > before.y());
        QVERIFY(wheel.isAccepted());
    }

    /// Larger text leaves space for fewer lines.
    void theSelectedWordStaysInSightWithFewerLines() {
        StripFixture fixture(test::longDecoder(200), {}, {700, 900});
        WordsStrip &words = fixture.words();
        for (const core::Index word : {120, 150}) { // the second is then in the last visible line
            fixture.select({.query = test::some(word)});
            QVERIFY(test::until([&] { return fixture.sentence().selected == word; }));
        }
        QVERIFY(QRectF(words.rect()).contains(words.wordRect(150)));
        words.setRoom(StripRoom::Lines, 1);
        words.resize(words.width(), words.heightFor(words.width()));
        QVERIFY(QRectF(words.rect()).contains(words.wordRect(150)));
    }

    void aLowWindowHasOneLine() {
        StripFixture fixture(test::longDecoder(60), {}, {700, 900});
        const int high = fixture.strip.layOutFor(700);
        QCOMPARE(fixture.words().layoutNow().lines > 1, true);
        fixture.strip.resize(700, 799);
        QVERIFY(fixture.strip.layOutFor(700) < high);
        WordsStrip &words = fixture.words();
        QCOMPARE(words.layoutNow().lines, 1);
        fixture.select({.query = test::some(40)});
        QVERIFY(QRectF(words.rect()).contains(words.wordRect(40)));
        // A click at an end of the line scrolls by a page.
        const double before = words.scroll().x();
        QTest::mouseClick(&words, Qt::LeftButton, {},
                          {words.width() - 6, int(words.wordRect(40).center().y())});
        QVERIFY(words.scroll().x() > before);
        QCOMPARE(fixture.selection().query, test::some(40));
    }

    void arcsAreTheWeights() {
        StripFixture fixture("two-heads");
        fixture.click(1);
        QVERIFY(arcsIn(fixture).empty());
        const int before = fixture.strip.layOutFor(1000);
        fixture.strip.arcsAction()->trigger();
        QVERIFY(fixture.strip.layOutFor(1000) > before); // the arcs need additional height
        const std::vector<float> &weights = fixture.sentence().weights;
        std::vector<double> expected;
        for (std::size_t word = 0; word < weights.size(); ++word)
            if (word != 1 && static_cast<double>(weights[word]) >= kMinArcWeight)
                expected.push_back(static_cast<double>(weights[word]));
        std::ranges::sort(expected);
        QVERIFY(!expected.empty());
        QCOMPARE(arcsIn(fixture).size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const StripArc &arc = arcsIn(fixture)[i];
            QCOMPARE(arc.weight, expected[i]);
            // The arc is below the caption and above the words.
            QVERIFY(arc.from.y() - arc.rise >= fixture.strip.captionRect().bottom());
            QVERIFY(i == 0 || arcWidth(arc.weight) >= arcWidth(arcsIn(fixture)[i - 1].weight));
        }
        QVERIFY(QSettings().value("strip/arcs").toBool());
    }

    /// If a capture has no queries and keys, its weights still tint the words, but nothing can be
    /// edited.
    void aCaptureIsNotEdited() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("weights.safetensors");
        (void)test::writeHoles(path, 2, 2, 5);
        StripFixture fixture(path);
        QVERIFY(fixture.document.isCapture());
        fixture.click(1);
        QVERIFY(fixture.content().hasWeights);
        QCOMPARE(fixture.sentence().weights.size(), std::size_t(5));
        QVERIFY(fixture.answer().content().bars.empty());
        QVERIFY(!fixture.answer().content().notice.isEmpty());
        QSignalSpy refused(&fixture.strip, &SentenceStrip::statusMessage);
        fixture.key(Qt::Key_Return);
        QCOMPARE(refused.count(), 1);
        QCOMPARE(refused[0][0].toString(), readOnlyReason());
        QVERIFY(!fixture.words().isEditing());
    }

    void theOldWordsStayWhileComputing() {
        StripFixture fixture("two-heads");
        fixture.words().pressItem(1); // the lesson shows weights and an answer only later
        const QStringList before = fixture.texts();
        QVERIFY(test::typeText(fixture.document, "money bank").ok());
        QVERIFY(fixture.document.traceIsStale());
        QCOMPARE(fixture.texts(), before);
        QSignalSpy told(&fixture.strip, &SentenceStrip::statusMessage);
        fixture.answer().pressItem(0); // refused, because the answer is for the old text
        QCOMPARE(told.count(), 1);
        // A pass that takes longer is shown until it ends.
        const QImage plain = pictureOf(fixture.strip);
        QVERIFY(!fixture.strip.isStale());
        QVERIFY(test::expire(*test::find<QTimer>(fixture.document, "slowPassDelay")));
        QVERIFY(fixture.strip.isStale());
        QVERIFY(pictureOf(fixture.strip) != plain);
        fixture.settle();
        QVERIFY(!fixture.strip.isStale());
        QCOMPARE(fixture.texts().mid(0, 2), QStringList({"money", "bank"}));
    }

    /// Screen readers get a list of named items. The selected one is marked, and pressing an item
    /// selects it.
    void screenReadersSeeLists() {
        StripFixture fixture("two-heads");
        fixture.click(1);
        QAccessibleInterface *list = listOf(fixture.words());
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->text(QAccessible::Name), QString("Words"));
        QCOMPARE(list->text(QAccessible::Description), fixture.content().captionText());
        const qsizetype count = fixture.texts().size();
        QVERIFY(list->childCount() >= count);
        for (int i = 0; i < count; ++i) {
            QAccessibleInterface *item = list->child(i);
            QCOMPARE(item->role(), QAccessible::ListItem);
            QCOMPARE(item->text(QAccessible::Name), fixture.content().wordText(InputSide::Own, i));
            QCOMPARE(list->indexOfChild(item), i);
            QCOMPARE(bool(item->state().selected), i == 1);
            const QPoint middle = item->rect().center();
            QCOMPARE(list->childAt(middle.x(), middle.y()), item);
        }
        const QString weight = weightText(fixture.sentence().weights[3]);
        QCOMPARE(nameAt(fixture.words(), 3),
                 QString("%1, weight %2").arg(fixture.texts().at(3), weight));
        list->child(3)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(fixture.selection().query, test::some(3));
        QCOMPARE(listOf(fixture.words())->focusChild() == nullptr, !fixture.words().hasFocus());
        QAccessibleInterface *bars = listOf(fixture.answer());
        QCOMPARE(bars->role(), QAccessible::List);
        QCOMPARE(bars->text(QAccessible::Description), fixture.answer().content().titleText());
        QCOMPARE(nameAt(fixture.answer(), 0), fixture.answer().content().bars[0].description);
    }

    void aShorterTextForgetsItsItems() {
        StripFixture fixture("two-heads");
        QAccessibleInterface *list = listOf(fixture.words());
        const int last = int(fixture.texts().size()) - 1;
        QVERIFY(list->child(last)->isValid());
        QVERIFY(test::typeText(fixture.document, "money bank").ok());
        fixture.settle();
        QCOMPARE(listOf(fixture.words())->child(1)->text(QAccessible::Name).section(',', 0, 0),
                 QString("bank"));
    }

    /// The tint is the colour of the weight, paler for smaller weights, and text has enough
    /// contrast with it.
    void chipsHaveTheColourOfTheirWeight_data() { test::addRows("isDark", {false, true}); }

    void chipsHaveTheColourOfTheirWeight() {
        QFETCH(bool, isDark);
        StripFixture fixture("two-heads");
        const FigureStyle style = isDark ? FigureStyle::dark() : FigureStyle::light();
        fixture.strip.setStyle(style);
        fixture.click(1);
        const QImage image = pictureOf(fixture.words());
        ColourScale scale = ColourScale::between(style.weightsMap, 0, 1);
        scale.toneDown(isDark);
        bool hasFaint = false;
        for (core::Index word = 0; word < std::ssize(fixture.sentence().weights); ++word) {
            const float weight = fixture.sentence().weights[static_cast<std::size_t>(word)];
            const QRectF rect = fixture.words().wordRect(word);
            const QColor colour =
                image.pixelColor(QPointF(rect.left() + 4, rect.center().y()).toPoint());
            const bool isFaint = isShownAsZero(weight) || fixture.sentence().isHidden(word);
            hasFaint |= isFaint;
            if (!fixture.sentence().isHidden(word))
                QCOMPARE(colour, isFaint ? style.hidden
                                         : mixed(QColor(scale.colour(0, double(weight))),
                                                 style.hidden, std::min(1.0, 10 * double(weight))));
        }
        QVERIFY(hasFaint);
        QVERIFY(contrastOf(style.mutedText, style.hidden) >= 4.5);
        QVERIFY(contrastOf(style.text, style.hidden) >= 4.5);
    }

    /// A long text is laid out once per width, and only its visible part is painted.
    void aLongTextStaysSmooth() {
        StripFixture fixture(test::longDecoder(4096), {}, {1000, 900});
        QCOMPARE(std::ssize(fixture.sentence().text().words), 4096);
        const StripLayout *layout = &fixture.words().layoutNow();
        const QRectF place = layout->chips[4000].rect;
        fixture.select({.query = test::some(4000)});
        QVERIFY(test::until([&] { return fixture.sentence().selected == 4000; }));
        QCOMPARE(fixture.words().layoutNow().chips[4000].rect, place);
        QVERIFY(QRectF(fixture.words().rect()).contains(fixture.words().wordRect(4000)));
        (void)pictureOf(fixture.words());
    }
};

HEADLIGHT_WIDGET_TEST(WordsStripTest)
#include "tst_words_strip.moc"
