// The answer of the strip. Predictions have the numbers of the output layer, and the words that a
// word becomes more similar to have the cosines of the Similarity view.
#include "core/analysis/attention_change.h"
#include "core/analysis/cosine_similarity.h"
#include "core/analysis/output_row_id.h"
#include "core/selection/selected.h"
#include "tests/support/painting_record.h"
#include "tests/support/trained_model.h"
#include "tests/ui/strip/strip_fixture.h"
#include "ui/figures/similarity/similarity_figure.h"
#include "ui/text/number_text.h"

namespace {

GivenOutput outputOf(const core::TracePointer &trace, const core::Selection &at) {
    return {test::valueOf(core::readOutput(*trace, core::outputPlaceOf(*trace, at))), {}};
}

AnswerContent answerAt(const core::TracePointer &trace, const core::Selection &at) {
    return answerOf(trace, at, {}, outputOf(trace, at));
}

} // namespace

class AnswerContentTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// Computes the logits of the selected token only, not of all 2,048 tokens with 66,000 words
    /// each.
    void aLongTextOfManyWordsHasAnAnswer() {
        const core::TracePointer trace = test::passOf(test::longTextOfManyWords().state);
        QVERIFY(trace->isByRow(core::Stage::Logits));
        // The same text, cut off after 30 tokens. The selected token does not see the missing ones.
        const core::TracePointer start = test::passOf(test::longTextOfManyWords(30).state);
        core::Selection at = test::placed({.query = test::some(20)});
        const AnswerContent answer = answerAt(trace, at), expected = answerAt(start, at);
        QCOMPARE(answer.titleText(), expected.titleText());
        QVERIFY(!answer.bars.empty());
        QCOMPARE(answer.bars.size(), expected.bars.size());
        for (std::size_t i = 0; i < answer.bars.size(); ++i) {
            QCOMPARE(answer.bars[i].index, expected.bars[i].index);
            QCOMPARE(answer.bars[i].value, expected.bars[i].value);
        }
    }

    void predictionsAreTheOutputLayers_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("title");
        QTest::newRow("language") << test::sessionPath("gpt_neox") << "next word after";
        QTest::newRow("gpt2") << test::kGpt2 << "next word after";
        QTest::newRow("translation") << test::sessionPath("encoder_decoder") << "translation";
        QTest::newRow("masked language")
            << test::sessionPath("encoder_postnorm") << "word in place of";
        QTest::newRow("picture") << QStringLiteral(HEADLIGHT_TEST_DATA "/folders/vit")
                                 << "class of the picture";
        QTest::newRow("classifier") << test::sessionPath("encoder_prenorm") << "class of the text";
    }

    void predictionsAreTheOutputLayers() {
        QFETCH(QString, source);
        QFETCH(QString, title);
        const core::TracePointer trace = test::passOf(test::opened(source).state);
        QVERIFY(core::hasOutput(*trace));
        core::Selection at = test::placed({.query = test::some(1)});
        at.stack = trace->model().mainStack();
        const AnswerContent answer = answerAt(trace, at);
        QVERIFY2(answer.titleText().startsWith(title), qPrintable(answer.titleText()));
        const core::OutputRowPointer row = outputOf(trace, at).now;
        QVERIFY(!answer.bars.empty());
        for (std::size_t i = 0; i < answer.bars.size(); ++i) {
            const AnswerContent::Bar &bar = answer.bars[i];
            const float probability = row->probabilities[static_cast<std::size_t>(bar.index)];
            QCOMPARE(bar.value, static_cast<double>(probability));
            QCOMPARE(bar.number, percentText(static_cast<double>(probability)));
            QVERIFY(i == 0 || bar.value <= answer.bars[i - 1].value);
            QVERIFY(!bar.before);
        }
        QCOMPARE(answer.highest, answer.bars.front().value);
    }

    /// Pieces are completed to whole words, and a click writes the whole word.
    void aPieceIsCompletedToItsWord() {
        HEADLIGHT_TRAINED(model, "stories260k");
        test::StripFixture fixture(model, "Once upon a time there was a");
        const auto completed = [&] {
            const std::vector<AnswerContent::Bar> &bars = fixture.strip.answer().content().bars;
            return std::ranges::find_if(
                       bars, [](const AnswerContent::Bar &bar) { return !bar.rest.isEmpty(); }) -
                   bars.begin();
        };
        const auto &bars = fixture.strip.answer().content().bars;
        QVERIFY(test::until([&] { return completed() < std::ssize(bars); }));
        const AnswerContent::Bar bar = bars[static_cast<std::size_t>(completed())];
        QVERIFY2(bar.description.endsWith(bar.name + bar.rest), qPrintable(bar.description));
        for (const QChar c : bar.rest)
            QVERIFY2(c.isLetterOrNumber(), qPrintable(bar.rest));
        const auto written = [&] {
            return QString::fromStdString((*fixture.document.state().input.batch)[0].text);
        };
        const QString before = written();
        fixture.strip.answer().pressItem(static_cast<int>(completed()));
        fixture.settle();
        QVERIFY2(written().startsWith(before) && written().endsWith(bar.rest),
                 qPrintable(written()));
        fixture.document.undoStack().undo(); // a single undo step
        QCOMPARE(written(), before);
    }

    void theRunBeforeAnEditIsBeside() {
        const OpenedSource opened = test::opened(test::sessionPath("gpt_neox"));
        const core::TracePointer now = test::passOf(opened.state);
        DocumentState other = opened.state;
        other.input.masks.clear();
        const core::TracePointer before = test::passOf(other);
        const core::Selection at = test::placed({.query = test::some(1)});
        GivenOutput given = outputOf(now, at);
        given.other = OutputRun{before, core::outputPlaceOf(*before, at), outputOf(before, at).now,
                                "before “Mask: none”"};
        const AnswerContent answer = answerOf(now, at, {}, given);
        const AnswerContent::Bar &bar = answer.bars.front();
        QCOMPARE(*bar.before,
                 static_cast<double>(
                     given.other->numbers->probabilities[static_cast<std::size_t>(bar.index)]));
        QVERIFY(bar.description.contains("before “Mask: none”"));
        QVERIFY(answer.highest >= *bar.before);
    }

    void missingNumbersAreComputed() {
        const core::TracePointer trace = test::passOf(test::opened(test::kGpt2).state);
        const AnswerContent answer = answerOf(trace, {}, {}, GivenOutput{});
        QVERIFY(answer.bars.empty());
        QCOMPARE(answer.notice, QString("Computing…"));
    }

    /// Compares every word of a lesson with the cosines of the complete matrices.
    void cosinesAreTheSimilarityViews_data() {
        QTest::addColumn<QString>("source");
        for (const char *lesson : {"two-heads", "bank", "gravity"})
            QTest::newRow(lesson) << QString(lesson);
        QTest::newRow("encoder") << test::sessionPath("encoder_postnorm");
    }

    void cosinesAreTheSimilarityViews() {
        QFETCH(QString, source);
        const core::TracePointer trace = test::passOf(test::opened(source).state);
        const core::Index length = trace->batch()[0].length;
        const core::SharedMatrix before = core::matrixAt(
                                     *trace, test::placed({.stage = Stage::Embeddings})),
                                 after = core::matrixAt(*trace,
                                                        test::placed({.stage = Stage::Context}));
        const core::SharedMatrix first = before.rowBlock(0, length),
                                 second = after.rowBlock(0, length);
        const core::CosineSimilarity was = core::cosineSimilarity(first.view()),
                                     is = core::cosineSimilarity(second.view());
        for (core::Index token = 0; token < length; ++token) {
            const AnswerContent answer =
                becomesMoreLike(*trace, test::placed({.query = test::some(token)}));
            QVERIFY(answer.titleText().endsWith("becomes more like"));
            QVERIFY(answer.notice.isEmpty() != answer.bars.empty());
            double last = 3;
            for (const AnswerContent::Bar &bar : answer.bars) {
                QVERIFY(bar.index != token && bar.index < length);
                QVERIFY(std::abs(*bar.before - static_cast<double>(was.values(token, bar.index))) <
                        1e-6);
                QVERIFY(std::abs(bar.value - static_cast<double>(is.values(token, bar.index))) <
                        1e-6);
                QCOMPARE(bar.number, QString("%1 → %2").arg(numberText(*bar.before, 2),
                                                            numberText(bar.value, 2)));
                const double change = bar.value - *bar.before;
                QVERIFY(change <= last + 1e-9);
                last = change;
            }
        }
        // Without a selection, the answer is about the last word.
        QCOMPARE(becomesMoreLike(*trace, {}).subject, tokensOf(*trace, 0).value(length - 1));
    }

    void theSimilarityViewComparesTheSameStages() {
        const core::TracePointer trace =
            test::passOf(test::opened(test::sessionPath("decoder_rotary")).state);
        core::Selection at = test::placed({.query = test::some(1), .layer = 1});
        const std::vector<core::AttentionChange> changes =
            core::attentionChanges(*trace, at, Stage::Context, 1);
        QVERIFY(!changes.empty());
        at.key = changes.front().token;
        const SimilarityFigure figure =
            SimilarityFigure::fromTrace(trace, at, FigureStyle::light());
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const float value = figure.heatmap(which).content().matrix()(1, *at.key);
            const auto cosine = which == 0 ? changes.front().before : changes.front().after;
            QVERIFY(cosine && std::abs(*cosine - static_cast<double>(value)) < 1e-6);
        }
    }

    /// The answer for a long text states on screen that not all words have a bar.
    void wordsWithoutABarAreCounted() {
        StripFixture fixture("two-heads", QStringList(QStringList(130, "bank river")).join(' '));
        const AnswerContent answer =
            becomesMoreLike(*fixture.document.trace(), test::placed({.query = test::some(250)}));
        QCOMPARE(answer.bars.size(), kMaxCosines);
        QCOMPARE(answer.omitted, 259 - kMaxCosines);
        AnswerBars bars;
        bars.resize(260, 90);
        bars.setContent(answer);
        const QStringList texts =
            test::PaintingRecord::of(bars).textsIn(bars.geometryNow().more.adjusted(-1, -9, 1, 9));
        QCOMPARE(texts, QStringList{"200 of 259 words"});
        QVERIFY(bars.accessibleDescription().contains("200 of 259 words"));
    }

    void fewWordsAllHaveABar() {
        StripFixture fixture("two-heads", "bank river bank");
        const AnswerContent answer = becomesMoreLike(*fixture.document.trace(), {});
        QCOMPARE(answer.bars.size(), std::size_t(2));
        QVERIFY(answer.omittedText().isEmpty());
    }

    void oneWordHasNoOther() {
        StripFixture fixture("two-heads", "bank");
        QVERIFY(fixture.answer().content().bars.empty());
        QCOMPARE(fixture.answer().content().notice, QString("There is no other word"));
    }

    void unknownWordsHaveNoDirection() {
        StripFixture fixture("two-heads", "zyx qwv");
        QVERIFY(fixture.answer().content().bars.empty());
        QVERIFY(fixture.answer().content().notice.contains("no direction"));
    }

    /// In the large text of a show, a long line must not look like the bar.
    void theLineOfThePreviousAnswerStaysThin() {
        AnswerContent answer;
        AnswerContent::Bar bar;
        bar.value = 0.01;
        bar.before = 1;
        answer.bars.push_back(bar);
        for (const double scale : {1.0, 2.0, 3.6}) {
            const FigureStyle style = FigureStyle::light(scale);
            const QSizeF size(900, answerHeight(style, 1));
            const AnswerGeometry::Row row = answerGeometry(answer, style, size).rows.front();
            QVERIFY(row.beforeBar.height() >= 2.9);
            QVERIFY(row.beforeBar.height() <= std::max(3.0, row.bar.height() / 5));
        }
    }

    /// Bars and texts do not overlap and are not cut off.
    void barsByGeometry() {
        const core::TracePointer trace = test::passOf(test::opened(test::kGpt2).state);
        AnswerContent answer = answerAt(trace, {});
        answer.bars[0].name = "a very long name of a word that does not fit";
        for (AnswerContent::Bar &bar : answer.bars)
            bar.before = 0.5 * bar.value;
        for (const double scale : {1.0, 1.5, 2.0}) {
            const FigureStyle style = FigureStyle::light(scale);
            const QSizeF size(240 * scale, answerHeight(style, 3));
            const AnswerGeometry places = answerGeometry(answer, style, size);
            QCOMPARE(places.rows.size(), std::size_t(3));
            for (const AnswerGeometry::Row &row : places.rows) {
                QVERIFY(QRectF(QPointF(), size).contains(row.rect));
                QVERIFY(row.rect.contains(row.bar) && row.rect.contains(row.beforeBar));
                QVERIFY(row.name.right() < row.bar.left());
                QVERIFY(row.bar.right() < row.number.left());
                QVERIFY(row.beforeBar.top() >= row.bar.bottom());
                QVERIFY(row.bar.width() > row.beforeBar.width());
            }
            QCOMPARE(places.barAt(places.rows[1].bar.center()), std::optional<std::size_t>(1));
        }
    }
};

HEADLIGHT_WIDGET_TEST(AnswerContentTest)
#include "tst_answer_content.moc"
