// The content of the words strip compared with the trace: words, weights, and what the caption
// names.
#include "core/analysis/attention_row_properties.h"
#include "core/analysis/head_aggregation.h"
#include "tests/ui/strip/strip_fixture.h"

namespace {

constexpr core::AttentionId kCross{0, core::Block::CrossAttention, core::Stack::Decoder};

core::Sequence sequenceOf(const std::vector<core::Token> &tokens) {
    core::Sequence sequence;
    sequence.tokens = tokens;
    sequence.length = std::ssize(tokens);
    return sequence;
}

core::Token token(const char *text, core::Index begin, core::Index end) {
    return {text, {}, core::TextSpan{begin, end}};
}

QList<bool> joinsOf(const core::Sequence &sequence) {
    QList<bool> joins;
    for (const StripWord &word : stripWordsOf(sequence).words)
        joins << word.joins;
    return joins;
}

QString orderOf(const std::vector<core::Token> &tokens) {
    const StripWords words = stripWordsOf(sequenceOf(tokens));
    QString order;
    for (const core::Index word : visualOrder(words, 0, std::ssize(words.words)))
        order += QString::number(word);
    return order;
}

} // namespace

class StripContentTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// In every session, layer and head, the weights match the trace exactly.
    void weightsAreTheTraces_data() {
        QTest::addColumn<QString>("source");
        for (const QString &path : test::allSessions())
            QTest::newRow(qPrintable(QFileInfo(path).baseName())) << path;
        for (const char *lesson : {"two-heads", "bank", "block", "batch", "writing"})
            QTest::newRow(lesson) << QString(lesson);
        QTest::newRow("gpt2") << test::kGpt2;
    }

    void weightsAreTheTraces() {
        QFETCH(QString, source);
        OpenedSource opened = test::opened(source);
        const core::TracePointer trace = test::passOf(opened.state);
        for (const core::AttentionId attention : trace->model().attentions())
            for (core::Index head = 0; head < trace->model().headsOf(attention); ++head)
                for (core::Index query = 0; query < trace->queries(attention).length(); ++query) {
                    core::Selection at = test::placed({.query = test::some(query), .head = head});
                    at.setAttention(attention);
                    const StripContent content = stripContentOf(trace, at, {});
                    if (core::seesNothing(*trace, 0, attention, head, query)) {
                        QVERIFY(!content.hasWeights);
                        QVERIFY(content.captionText().contains("looks at no word"));
                        continue;
                    }
                    const core::SharedMatrix weights =
                        trace->matrix(Stage::AttentionWeights, attention, 0, head);
                    const bool isOfSource = attention.block == core::Block::CrossAttention ||
                                            attention.stack == core::Stack::Encoder;
                    const StripSentence *keys =
                        content.sentence(isOfSource ? InputSide::Source : InputSide::Own);
                    QVERIFY(keys && content.hasWeights);
                    QCOMPARE(std::ssize(keys->weights), weights.columns);
                    for (core::Index key = 0; key < weights.columns; ++key)
                        QCOMPARE(keys->weights[static_cast<std::size_t>(key)], weights(query, key));
                    // Layer and head are always named.
                    QVERIFY(content.captionText().contains(
                        QString("layer %1, head %2").arg(attention.layer).arg(head)));
                }
    }

    void hiddenWordsAreTheMasks() {
        const core::TracePointer trace = test::passOf("writing");
        const core::Selection at = test::placed({.query = test::some(1)});
        const StripContent content = stripContentOf(trace, at, {});
        const core::Mask &mask = trace->mask(0);
        for (core::Index key = 0; key < mask.keys(); ++key)
            QCOMPARE(content.sentences.front().isHidden(key), mask.hidden(1, key));
        QVERIFY(content.sentences.front().isHidden(2));
        QVERIFY(content.wordText(InputSide::Own, 2).endsWith(", hidden"));
    }

    void namesTheNearestAttention() {
        const OpenedSource opened = test::opened(test::sessionPath("decoder_rotary"));
        const core::TracePointer trace = test::passOf(opened.state);
        for (const core::StageId &each : core::stagesOf(trace->model())) {
            core::Selection at = test::placed({.stage = each.stage, .query = test::some(1)});
            at.setAttention(each.attention);
            const StripContent content = stripContentOf(trace, at, {});
            QVERIFY2(content.hasWeights, core::stageName(each.stage, each.attention).c_str());
            QCOMPARE(content.place.layer, each.attention.layer);
            QCOMPARE(content.place.stage, Stage::AttentionWeights);
        }
    }

    void withoutASelectionItAsksForOne() {
        const core::TracePointer trace = test::passOf("bank");
        const StripContent content = stripContentOf(trace, {}, {});
        QVERIFY(!content.hasWeights);
        QVERIFY(content.sentences.front().weights.empty());
        QVERIFY(content.captionText().startsWith("Click a word"));
        QVERIFY(content.captionText().contains("layer 0, head 0"));
        QVERIFY(content.captionText().contains("sentence 1 of 2"));
    }

    void theWordsStandBeforeAnythingIsComputed() {
        StripTexts texts;
        const StripContent content = stripContentOf(test::passOf("bank")->input(), 1, texts);
        QCOMPARE(content.sentences.size(), std::size_t(1));
        QCOMPARE(content.sentences.front().text().words.size(), std::size_t(2));
        QVERIFY(!content.hasWeights);
        QVERIFY(content.captionText().isEmpty());
    }

    void anOpenQuestionHidesTheWeights() {
        const core::TracePointer trace = test::passOf("bank");
        const StripContent content =
            stripContentOf(trace, test::placed({.query = test::some(1)}), {}, true);
        QVERIFY(!content.hasWeights);
        // The caption is about the words only, because the question's picture may have weights.
        QVERIFY(content.captionText().startsWith(
            "The words show their weights once the question is answered"));
        QVERIFY(content.sentences.front().weights.empty());
        QCOMPARE(content.sentences.front().text().words.size(), std::size_t(2));
    }

    void sourceAndTargetAreTwoTexts() {
        const OpenedSource opened = test::opened(test::sessionPath("encoder_decoder"));
        const core::TracePointer trace = test::passOf(opened.state);
        core::Selection at = test::placed({.query = test::some(1)});
        at.setAttention(kCross);
        const StripContent content = stripContentOf(trace, at, {});
        QCOMPARE(content.sentences.size(), std::size_t(2));
        QCOMPARE(content.sentences[0].title, QString("source"));
        QCOMPARE(content.sentences[1].title, QString("target"));
        QVERIFY(content.sentences[0].isRead && !content.sentences[1].isRead);
        QVERIFY(content.sentences[1].weights.empty());
        QCOMPARE(content.sentences[1].selected, std::optional<core::Index>(1));
        QVERIFY(content.captionText().contains("cross-attention"));
    }

    /// A click keeps the stage if the stage has the row, and otherwise shows the other text.
    void aClickedWordIsARow() {
        const OpenedSource opened = test::opened(test::sessionPath("encoder_decoder"));
        const core::TracePointer trace = test::passOf(opened.state);
        core::Selection cross = test::placed({.stage = Stage::Context, .query = test::some(1)});
        cross.setAttention(kCross);
        const core::Selection query = selectionAtWord(*trace, cross, InputSide::Own, 2);
        QVERIFY(test::isAt(query, {.stage = Stage::Context, .query = test::some(2)}));
        const core::Selection key = selectionAtWord(*trace, cross, InputSide::Source, 3);
        QVERIFY(test::isAt(key, {.query = test::some(1), .key = test::some(3)}));
        QCOMPARE(key.block, core::Block::CrossAttention);
        core::Selection self = cross;
        self.block = core::Block::SelfAttention;
        const core::Selection encoder = selectionAtWord(*trace, self, InputSide::Source, 3);
        QCOMPARE(encoder.stack, core::Stack::Encoder);
        QCOMPARE(encoder.query, std::optional<core::Index>(3));
        const core::Selection back = selectionAtWord(*trace, encoder, InputSide::Own, 1);
        QCOMPARE(back.stack, core::Stack::Decoder);
        QCOMPARE(back.query, std::optional<core::Index>(1));
        // The rows of keys and values belong to the attended words.
        const core::Selection values =
            test::placed({.stage = Stage::Value, .query = test::some(0)});
        const core::TracePointer bank = test::passOf("bank");
        QVERIFY(test::isAt(selectionAtWord(*bank, values, InputSide::Own, 1),
                           {.query = test::some(1), .key = test::some(1)}));
    }

    void aMissingLayerIsReplacedByTheNearest() {
        const core::TracePointer trace = test::passOf(test::opened(test::kGpt2).state);
        QCOMPARE(nearestWeights(*trace, {0})->layer, core::Index(0));
        QCOMPARE(nearestWeights(*trace, {7})->layer, trace->model().layerCount() - 1);
    }

    /// The trace of a long text has the details of one layer. The strip does not compute the
    /// weights of other layers.
    void missingWeightsAreNotComputed() {
        const OpenedSource opened = test::longInput(400);
        const core::TracePointer trace = test::passOf(opened.state);
        QVERIFY(!trace->isReady(Stage::AttentionWeights, {5}));
        const StripContent content =
            stripContentOf(trace, test::placed({.query = test::some(3), .layer = 5}), {});
        QVERIFY(!content.hasWeights);
        QVERIFY(content.captionText().contains("not been computed yet"));
        QVERIFY(!trace->isReady(Stage::AttentionWeights, {5}));
    }

    void wordPiecesJoin() {
        QCOMPARE(joinsOf(sequenceOf({token("play", 0, 4), token("##ing", 4, 7),
                                     token("chess", 8, 13), token(".", 13, 14)})),
                 QList<bool>({false, true, false, false}));
        // Byte-level BPE: a space begins a word.
        QCOMPARE(
            joinsOf(sequenceOf({token("The", 0, 3), token(" un", 3, 6), token("seen", 6, 10),
                                token(",", 10, 11), token(" don", 11, 15), token("'t", 15, 17)})),
            QList<bool>({false, false, true, false, false, true}));
        QCOMPARE(stripWordsOf(sequenceOf({token("\xE2\x96\x81un", 0, 2), token("seen", 2, 6)}))
                     .words[0]
                     .text,
                 QString("un"));
        // Words that Headlight itself has split are not joined, although Chinese has no spaces.
        core::Sequence chinese = sequenceOf({token("我", 0, 3), token("爱", 3, 6)});
        QCOMPARE(joinsOf(chinese), QList<bool>({false, true}));
        chinese.isSplit = true;
        QCOMPARE(joinsOf(chinese), QList<bool>({false, false}));
        // Without positions, as in a capture, the spaces before tokens show which tokens join.
        QCOMPARE(joinsOf(sequenceOf({{"Art"}, {"ificial"}, {" cats"}, {"."}})),
                 QList<bool>({false, true, false, false}));
        // Figures with pieces merged into words join the same tokens.
        const core::Sequence captured =
            sequenceOf({{"Data"}, {" visualization"}, {" em"}, {"powers"}, {" users"}});
        QList<bool> merged;
        for (const core::TokenRange &word : core::wordsOf(captured.tokens, captured.length))
            for (core::Index piece = word.begin; piece < word.end; ++piece)
                merged << (piece > word.begin);
        QCOMPARE(joinsOf(captured), QList<bool>({false, false, false, true, false}));
        QCOMPARE(merged, joinsOf(captured));
        // Tokens without spans are words.
        QCOMPARE(joinsOf(sequenceOf({{"the"}, {"cat"}})), QList<bool>({false, false}));
    }

    void rightToLeftWordsAreInTheirOrder() {
        QCOMPARE(orderOf({{"one"}, {"two"}, {"three"}}), QString("012"));
        QCOMPARE(orderOf({{"שלום"}, {"עולם"}, {"."}}), QString("210"));
        // English words within Hebrew, and Hebrew words within English.
        QCOMPARE(orderOf({{"שלום"}, {"good"}, {"day"}, {"עולם"}}), QString("3120"));
        QCOMPARE(orderOf({{"say"}, {"שלום"}, {"עולם"}, {"now"}}), QString("0213"));
        QVERIFY(stripWordsOf(sequenceOf({{"שלום"}, {"good"}})).isRightToLeft);
    }

    void theSecondTextOfAPairBeginsALine() {
        core::Sequence pair = sequenceOf({{"a"}, {"[SEP]"}, {"b"}, {"c"}});
        pair.tokenTypes = {0, 0, 1, 1};
        const StripWords words = stripWordsOf(pair);
        QVERIFY(words.words[2].startsLine);
        QVERIFY(!words.words[3].startsLine);
    }

    void zerosAreToldApart() {
        QCOMPARE(weightText(0.0F), QString("0"));
        QCOMPARE(weightText(0.001F), QString("0.00"));
        QCOMPARE(weightText(0.563F), QString("0.56"));
        QVERIFY(isShownAsZero(0.001F) && isShownAsZero(0.0F) && !isShownAsZero(0.0051F));
    }
};

HEADLIGHT_WIDGET_TEST(StripContentTest)
#include "tst_strip_content.moc"
