// A strip with its own document, for tests of the words and the answer.
#pragma once

#include "tests/support/clean_test.h"
#include "tests/support/edits.h"
#include "tests/support/long_input.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/text/token_names.h"

namespace headlight::test {

inline const QString kGpt2 = QStringLiteral(HEADLIGHT_TEST_DATA "/folders/gpt2");

/// Opens the lesson about heads by default. Its trace has all stages, and its first step selects a
/// row.
struct StripFixture {
    ui::Document document;
    ui::SentenceStrip strip{document};

    explicit StripFixture(const QString &source, const QString &text = {}, QSize size = {1000, 900})
        : StripFixture(opened(source), text, size) {}
    explicit StripFixture(ui::OpenedSource source, const QString &text = {},
                          QSize size = {1000, 900}) {
        strip.resize(size);
        document.open(std::move(source));
        if (!text.isEmpty() && !test::typeText(document, text).ok())
            qFatal("the text does not fit");
        if (!test::settled(document))
            qFatal("no trace");
        strip.show();
        (void)test::exposed(strip);
        (void)strip.layOutFor(strip.width());
    }
    void settle() { QVERIFY(test::settled(document)); }
    void select(const Place &place) { test::select(document, place); }
    const core::Selection &selection() const { return document.selection(); }
    const ui::StripContent &content() const { return strip.content(); }
    const ui::StripSentence &sentence(ui::InputSide side = ui::InputSide::Own) const {
        const ui::StripSentence *found = content().sentence(side);
        if (!found)
            qFatal("no such text");
        return *found;
    }
    ui::WordsStrip &words(ui::InputSide side = ui::InputSide::Own) const {
        return strip.words(side);
    }
    ui::AnswerBars &answer() const { return strip.answer(); }
    QStringList texts(ui::InputSide side = ui::InputSide::Own) const {
        QStringList texts;
        for (const ui::StripWord &word : sentence(side).text().words)
            texts << word.text;
        return texts;
    }
    QPoint wordPoint(core::Index word, ui::InputSide side = ui::InputSide::Own) const {
        return words(side).wordRect(word).center().toPoint();
    }
    void click(core::Index word, ui::InputSide side = ui::InputSide::Own) {
        QTest::mouseClick(&words(side), Qt::LeftButton, {}, wordPoint(word, side));
    }
    void key(Qt::Key key, ui::InputSide side = ui::InputSide::Own) {
        QTest::keyClick(&words(side), key);
    }
    /// Clicks a bar of the answer.
    void clickBar(std::size_t row) {
        QTest::mouseClick(&answer(), Qt::LeftButton, {},
                          answer().geometryNow().rows[row].rect.center().toPoint());
        settle();
    }
    const core::Sequence &text() const {
        return (*document.state().input.batch)[document.selection().sequence];
    }
};

} // namespace headlight::test

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using test::StripFixture;
