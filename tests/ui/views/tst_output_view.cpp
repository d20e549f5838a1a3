// The Output tab: navigation by clicks and keys, the comparison with the state before an edit, and
// text generation.
#include "core/generation/generator.h"
#include "tests/support/forward.h"
#include "tests/support/trained_model.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/document/edits/generation_edits.h"
#include "ui/document/text_generation.h"
#include "ui/views/output_view.h"

using namespace headlight::test;

namespace {

struct OutputFixture : Fixture<OutputView> {
    explicit OutputFixture(const char *name = "gpt_neox", QSize size = {900, 700})
        : Fixture<OutputView>(sessionPath(name), {}, size) {
        select(Stage::AttentionWeights);
    }
    /// Returns the content of the newest figure.
    const OutputContent &content() {
        (void)view.figure();
        return view.output()->content();
    }
    const core::Sequence &text() const { return (*document.state().input.batch)[0]; }
    QPoint chip(core::Index token) {
        (void)view.figure();
        for (const OutputTextGeometry::Place &place : view.geometry().text.places)
            if (place.chip == token)
                return place.rect.center().toPoint();
        qFatal("no token %d", int(token));
    }
    QPoint bar(std::size_t row) {
        (void)view.figure();
        return view.geometry().bars.rows[row].rect.center().toPoint();
    }
    void key(Qt::Key key) { QTest::keyClick(&view, key); }
    void writeOn(int count) {
        find<QSpinBox>("writeCount")->setValue(count);
        QTest::mouseClick(find<QToolButton>("writeOn"), Qt::LeftButton);
        QVERIFY(until([&] { return !view.writer().isWriting(); }));
        settle();
    }
};

/// Returns the tokens that the engine generates without the window.
std::vector<std::string> generated(const Document &document, core::Index count,
                                   const core::Sampling &sampling) {
    core::GenerationOptions options;
    options.maximum = count;
    options.sampling = sampling;
    auto generator =
        test::valueOf(test::makeGenerator(document.state().model, document.state().input, options));
    std::vector<std::string> words;
    for (auto token = generator.next(); token && *token; token = generator.next())
        words.push_back((*token)->text);
    return words;
}

/// Returns the tokens after the first `length` tokens.
std::vector<std::string> behind(const core::Sequence &text, core::Index length) {
    std::vector<std::string> words;
    for (core::Index token = length; token < text.length; ++token)
        words.push_back(text[token].text);
    return words;
}

} // namespace

class TestOutputView : public test::CleanTest {
    Q_OBJECT
  private slots:
    void a_click_on_a_token_goes_to_the_moment_before_it() {
        OutputFixture fixture;
        fixture.click(fixture.chip(3));
        QCOMPARE(fixture.selection().query, test::some(2));
        QCOMPARE(fixture.selection().stage,
                 Stage::AttentionWeights); // the stage of the other views is unchanged
        QCOMPARE(fixture.content().asked, core::Index(3));
        fixture.click(fixture.chip(0));
        QCOMPARE(fixture.selection().query, test::some(2));
    }

    void a_click_on_a_bar_selects_the_words_probability() {
        OutputFixture fixture;
        fixture.click(fixture.chip(4));
        const core::Index word = fixture.content().bars[1].word;
        fixture.click(fixture.bar(1));
        const core::Selection &selection = fixture.selection();
        QVERIFY(test::isAt(selection, {.stage = Stage::Probabilities, .query = 3}));
        QCOMPARE(selection.dimension, std::optional(word));
        QCOMPARE(fixture.content().asked, core::Index(4));
    }

    /// The output belongs to no layer, so a click there keeps the layer whose weights the words
    /// above the picture show.
    void a_click_on_a_bar_keeps_the_layer() {
        OutputFixture fixture;
        core::Selection selection = fixture.selection();
        selection.layer = 1;
        fixture.document.select(selection);
        QCOMPARE(fixture.selection().layer, core::Index(1));
        fixture.click(fixture.bar(1));
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Probabilities, .layer = 1}));
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().layer, core::Index(1));
    }

    void keys_go_along_the_text_and_the_words() {
        OutputFixture fixture;
        const core::Index last = fixture.text().length - 1;
        fixture.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().query, std::optional(last - 1));
        fixture.key(Qt::Key_Right);
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.selection().query, std::optional(last));
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.selection().query, test::some(0));
        fixture.key(Qt::Key_End);
        QCOMPARE(fixture.selection().query, std::optional(last));
        fixture.key(Qt::Key_Down);
        QCOMPARE(fixture.selection().dimension, std::optional(fixture.content().bars[0].word));
        fixture.key(Qt::Key_Down);
        QCOMPARE(fixture.selection().dimension, std::optional(fixture.content().bars[1].word));
        fixture.key(Qt::Key_Up);
        QCOMPARE(fixture.selection().dimension, std::optional(fixture.content().bars[0].word));
    }

    void a_chosen_word_takes_the_place_and_what_followed_goes() {
        OutputFixture fixture;
        fixture.click(fixture.chip(3));
        const QString word = fixture.content().bars[2].name;
        const std::string before = fixture.text().text;
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, fixture.bar(2));
        fixture.settle();
        QCOMPARE(fixture.text().length, core::Index(4));
        QCOMPARE(QString::fromStdString(fixture.text()[3].text), word);
        QVERIFY(!fixture.text()[3].isWritten); // chosen by the user, not generated
        QCOMPARE(fixture.content().asked, core::Index(4));
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.text().text, before);
    }

    void a_hidden_word_is_filled_in_where_it_stands() {
        OutputFixture fixture("encoder_postnorm");
        const core::Index length = fixture.text().length;
        fixture.click(fixture.chip(2));
        fixture.key(Qt::Key_Down);
        const std::string word = fixture.content().bars[0].name.toStdString();
        fixture.key(Qt::Key_Return);
        fixture.settle();
        QCOMPARE(fixture.text().length, length);
        QCOMPARE(fixture.text()[2].text, word);
        QVERIFY(
            !fixture.find<QWidget>("writingBar")->isVisible()); // this model does not generate text
    }

    void the_window_writes_what_the_engine_writes_data() {
        test::addColumns<QString, double, int>({"session", "temperature", "topK"});
        for (const char *session : {"gpt_neox", "decoder_rotary", "encoder_decoder", "t5_like"}) {
            QTest::addRow("%s, greedy", session) << session << 0.0 << 0;
            QTest::addRow("%s, drawn", session) << session << 1.5 << 4;
        }
    }
    void the_window_writes_what_the_engine_writes() {
        QFETCH(QString, session);
        QFETCH(double, temperature);
        QFETCH(int, topK);
        OutputFixture fixture(session.toLatin1());
        const core::Sampling sampling{static_cast<float>(temperature), topK, 7};
        constexpr int kCount = 3;
        const std::vector<std::string> expected = generated(fixture.document, kCount, sampling);
        fixture.find<QDoubleSpinBox>("writeTemperature")->setValue(temperature);
        fixture.find<QSpinBox>("writeTopK")->setValue(topK);
        fixture.find<QSpinBox>("writeSeed")->setValue(7);
        const core::Index length = fixture.text().length;
        const int steps = fixture.document.undoStack().count();
        fixture.writeOn(kCount);
        QCOMPARE(behind(fixture.text(), length), expected);
        for (core::Index token = 0; token < fixture.text().length; ++token)
            QCOMPARE(fixture.text()[token].isWritten, token >= length);
        QCOMPARE(fixture.document.undoStack().count(), steps + 1);
        // A click on a generated token shows the numbers that it was chosen from.
        fixture.click(fixture.chip(length));
        QCOMPARE(fixture.selection().query, std::optional(length - 1));
        if (temperature == 0)
            QVERIFY(fixture.content().bars[0].isInText);
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.text().length, length);
    }

    void typing_stops_the_writing_and_keeps_the_marks() {
        OutputFixture fixture;
        fixture.writeOn(2);
        const QString text = QString::fromStdString(fixture.text().text);
        QVERIFY(!text.isEmpty());
        const core::Index length = fixture.text().length;
        fixture.find<QSpinBox>("writeCount")->setValue(500);
        QTest::mouseClick(fixture.find<QToolButton>("writeOn"), Qt::LeftButton);
        QVERIFY(fixture.view.writer().isWriting());
        QVERIFY(test::typeText(fixture.document, text + " the").ok());
        QVERIFY(!fixture.view.writer().isWriting());
        fixture.settle();
        QVERIFY(fixture.text()[length - 1].isWritten);
        QVERIFY(!fixture.text()[fixture.text().length - 1].isWritten);
    }

    void the_same_button_stops_it() {
        OutputFixture fixture;
        fixture.find<QSpinBox>("writeCount")->setValue(900);
        auto *button = fixture.find<QToolButton>("writeOn");
        const QString write = button->text();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(button->text() != write);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!fixture.view.writer().isWriting());
        QCOMPARE(button->text(), write);
    }

    void an_edit_is_shown_beside_what_was_before_it() {
        OutputFixture fixture;
        QVERIFY(fixture.content().otherName.isEmpty());
        const float was = fixture.content().bars[0].probability;
        const core::Index word = fixture.content().bars[0].word;
        QVERIFY(fixture.document
                    .apply(edits::setHead(fixture.document.state(), {}, 0, core::HeadState::Zero))
                    .ok());
        fixture.settle();
        const OutputContent &content = fixture.content();
        QVERIFY(content.otherName.contains(fixture.document.undoStack().undoText()));
        bool found = false;
        for (const OutputContent::Bar &bar : content.bars)
            if (bar.word == word) {
                QCOMPARE(bar.before, std::optional(was));
                found = true;
            }
        QVERIFY(found);
        // A figure in a file has no previous state, because the command that reproduces it cannot
        // have one.
        const auto figure = fixture.view.figureIn(FigureStyle::light());
        QVERIFY(static_cast<const OutputFigure &>(*figure).content().otherName.isEmpty());
        // Side A replaces the previous state.
        fixture.document.comparison().pin();
        QVERIFY(until([&] { return fixture.document.comparison().compared().a != nullptr; }));
        QVERIFY(!fixture.content().otherName.contains(fixture.document.undoStack().undoText()) ||
                fixture.content().otherName.startsWith("A"));
    }

    /// Side A shows its own text and numbers, and actions on it do not change the current side.
    void side_A_is_As_own_and_stays_as_it_is() {
        OutputFixture fixture;
        fixture.document.comparison().pin();
        const core::TracePointer a = fixture.document.trace();
        fixture.writeOn(2);
        QVERIFY(until([&] { return !fixture.view.isReading(); }));
        QVERIFY(fixture.text().length == a->batch()[0].length + 2);
        // Because the lengths differ, the predictions of both sides are compared, each after its
        // own last word.
        QVERIFY(!fixture.content().otherName.isEmpty());
        const QString last = tokenText(a->batch()[0][a->batch()[0].length - 1].text);
        QVERIFY2(fixture.content().subtitle.contains("after “" + last + "”"),
                 qPrintable(fixture.content().subtitle));
        fixture.document.comparison().show(ComparisonSide::A);
        const core::Index row = a->batch()[0].length - 1;
        const auto probabilities = a->matrix(Stage::Probabilities, {}, 0, 0);
        const auto check = [&] {
            QVERIFY(until([&] { return !fixture.content().bars.empty(); }));
            const OutputContent &content = fixture.content();
            QCOMPARE(std::ssize(content.chips), a->batch()[0].length);
            for (const OutputContent::Bar &bar : content.bars)
                QCOMPARE(bar.probability, probabilities(row, bar.word));
        };
        check();
        const QSignalSpy failed(&fixture.view, &FigureView::failed);
        const int steps = fixture.document.undoStack().count();
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, fixture.bar(1));
        QCOMPARE(fixture.document.undoStack().count(), steps);
        QCOMPARE(failed.count(), 1);
        check();
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Left, Qt::Key_Right, Qt::Key_Down})
            fixture.key(key);
        QCOMPARE(fixture.content().asked, a->batch()[0].length - 1);
    }

    void what_changes_nothing_there_is_not_shown_beside_itself() {
        OutputFixture fixture;
        fixture.click(fixture.chip(3));
        fixture.writeOn(1); // the new token comes after the selected position
        fixture.click(fixture.chip(3));
        QVERIFY(fixture.content().otherName.isEmpty());
    }

    /// Pieces are completed to whole words, and a double click writes the whole word.
    void a_piece_is_completed_to_its_word() {
        HEADLIGHT_TRAINED(model, "stories260k");
        Fixture<OutputView> fixture(model, "Once upon a time there was a", {900, 700});
        const auto content = [&]() -> const OutputContent & {
            (void)fixture.view.figure();
            return fixture.view.output()->content();
        };
        const auto completed = [&] {
            return std::ranges::find_if(
                       content().bars,
                       [](const OutputContent::Bar &bar) { return !bar.rest.isEmpty(); }) -
                   content().bars.begin();
        };
        QVERIFY(until([&] { return completed() < std::ssize(content().bars); }));
        const auto row = static_cast<std::size_t>(completed());
        const QString rest = content().bars[row].rest;
        QVERIFY2(fixture.view.output()->words(content().bars[row]).endsWith(rest + "”"),
                 qPrintable(fixture.view.output()->words(content().bars[row])));
        const QPointF place = fixture.view.geometry().bars.rows[row].rect.center();
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, place.toPoint());
        fixture.settle();
        const QString written =
            QString::fromStdString((*fixture.document.state().input.batch)[0].text);
        QVERIFY2(written.endsWith(rest), qPrintable(written));
        // At earlier tokens nothing is completed, because the text continues after them.
        fixture.click(fixture.view.geometry().text.places.front().rect.center());
        QCOMPARE(completed(), std::ssize(content().bars));
    }

    void without_an_output_layer_it_says_so_and_does_nothing() {
        Fixture<OutputView> fixture("sentence");
        QVERIFY(!fixture.view.output()->content().nothing.isEmpty());
        const core::Selection before = fixture.selection();
        fixture.click(QPoint(200, 120));
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, QPoint(200, 120));
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.selection(), before);
        QVERIFY(!fixture.view.findChild<QWidget *>("writingBar")->isVisible());
        QVERIFY(!fixture.view.writer().start(3, {}).ok());
    }

    void how_it_writes_is_remembered() {
        {
            OutputFixture fixture;
            fixture.find<QDoubleSpinBox>("writeTemperature")->setValue(0.8);
            fixture.find<QSpinBox>("writeSeed")->setValue(42);
        }
        const OutputFixture again;
        QCOMPARE(again.find<QDoubleSpinBox>("writeTemperature")->value(), 0.8);
        QCOMPARE(again.find<QSpinBox>("writeSeed")->value(), 42);
    }
};

HEADLIGHT_WIDGET_TEST(TestOutputView)
#include "tst_output_view.moc"
