// New sessions of every kind of model: what they compute, and that the file stores all of it.
#include "core/formats/session/data/words.h"
#include "tests/ui/document/document_fixture.h"

using ui::NewKind;
using ui::NewSession;

namespace {

NewSession wanted(NewKind kind) {
    NewSession session = ui::usualSession(kind);
    session.text = "die Katze trinkt Milch";
    if (ui::hasSource(kind))
        session.sourceText = "the cat drinks cold milk";
    return session;
}

} // namespace

class NewSessionTest : public QObject {
    Q_OBJECT

    void compare(const ui::OpenedSource &a, const ui::OpenedSource &b) {
        QVERIFY(a.state.model.config == b.state.model.config);
        core::Session base = a.session;
        base.model = a.state.model;
        base.input = a.state.input;
        QVERIFY(core::differenceOf(base, b.state.model, b.state.input) == core::StatePatch{});
        QCOMPARE(a.selection, b.selection);
        QCOMPARE(a.session.json, b.session.json);
    }

  private slots:
    void aDecoderSeesNoFutureAndAnEncoderDoes() {
        for (const NewKind kind : {NewKind::Encoder, NewKind::Decoder, NewKind::EncoderDecoder}) {
            test::ReadyDocument document(*ui::makeSession(wanted(kind)));
            core::Selection at = document.selection();
            at.block = core::Block::SelfAttention;
            const core::SharedMatrix weights =
                document.trace()->matrix(core::Stage::AttentionWeights, at.attention(), 0, 0);
            QCOMPARE(weights(0, 3) > 0.0f, kind == NewKind::Encoder);
        }
    }

    void theDecodersWordsAreThoseOfTheText() {
        const core::Result<ui::OpenedSource> made =
            ui::makeSession(wanted(NewKind::EncoderDecoder));
        const core::Model &model = made->state.model;
        QCOMPARE(model.vocabulary->words(),
                 (std::vector<std::string>{"[PAD]", "[UNK]", "die", "Katze", "trinkt", "Milch"}));
        QCOMPARE(
            model.sourceVocabulary->words(),
            (std::vector<std::string>{"[PAD]", "[UNK]", "the", "cat", "drinks", "cold", "milk"}));
    }

    void paddingIsHiddenWhereThereIsSome() {
        NewSession session = wanted(NewKind::EncoderDecoder);
        session.sourceText = "the cat [PAD] [PAD]";
        test::ReadyDocument document(*ui::makeSession(session));
        for (const core::AttentionId attention :
             {core::AttentionId(0, core::Block::SelfAttention, core::Stack::Encoder),
              core::AttentionId(1, core::Block::CrossAttention, core::Stack::Decoder)}) {
            const core::SharedMatrix weights =
                document.trace()->matrix(core::Stage::AttentionWeights, attention, 0, 0);
            QCOMPARE(weights(1, 3), 0.0f);
            QVERIFY(weights(1, 1) > 0);
        }
    }

    void attentionAloneIsWhatItAlwaysWas() {
        const core::Result<ui::OpenedSource> made =
            ui::makeSession({.text = "one", .width = 2, .heads = 1, .seed = 5});
        const core::Model &model = made->state.model;
        const auto byHand = test::valueOf(core::readSession(R"({
            "headlight": 1, "batch": {"sequences": [{"text": "one"}]},
            "model": {"width": 2, "heads": 1, "head_size": 2,
              "embeddings": {"others": {"random": {"seed": 9}}},
              "layers": [{"self_attention": {
                "query": {"random": {"seed": 5}}, "key": {"random": {"seed": 6}},
                "value": {"random": {"seed": 7}}, "output": {"random": {"seed": 8}}}}]}})"));
        for (const core::ParameterId &id : core::allParameters(model.parameters))
            QVERIFY(core::sameNumbers(core::parameterOf(model.parameters, id),
                                      core::parameterOf(byHand.model.parameters, id)));
        QCOMPARE(model.embeddings->vectorOf("one"), byHand.model.embeddings->vectorOf("one"));
    }

    /// Every kind with every combination of choices can be created or is refused with a reason. The
    /// created sessions have all numbers and can be saved and opened again.
    void everyCombinationIsPossibleOrSaysWhy() {
        int possible = 0, impossible = 0;
        constexpr int activations = std::size(core::Words<core::Activation>::all);
        constexpr int places = std::size(core::Words<core::NormPosition>::all);
        for (const NewKind kind : ui::kNewKinds)
            for (int choice = 0; choice < 4 * 6 * activations * places; ++choice) {
                NewSession session = wanted(kind);
                session.width = 12;
                session.heads =
                    choice % 3 == 0 ? 4 : 2; // head sizes 3, which rotary embeddings refuse, or 6
                session.keyValueHeads = choice % 5 == 0 ? 1 : 0;
                session.norm = core::NormKind(choice % 4);
                session.positions = core::Positions(choice / 4 % 6);
                session.feedForward.activation = core::Activation(choice / 24 % activations);
                session.feedForward.width = choice % 7 == 0 ? 0 : 9;
                session.feedForward.gated = choice % 2 == 0;
                session.normPlace = core::NormPosition(choice / (24 * activations));
                session.residual = choice % 11 != 0;
                session.queryKeyNorm = core::QueryKeyNorm(choice % 3);
                session.parallel = choice % 13 < 5;
                session.sharedNorm = choice % 2 == 1;
                session.valueSize = choice % 17 == 0 ? 5 : 0;
                session.scoreCap.limit = choice % 19 == 0 ? 0.5F : 0;
                session.logitCap.limit = choice % 23 == 0 ? 2.5F : 0;
                const core::Result<ui::OpenedSource> made = ui::makeSession(session);
                const bool odd = session.positions == core::Positions::Rotary && session.heads == 4;
                const bool noSelf =
                    kind == NewKind::CrossAttention && core::needsSelfAttention(session.positions);
                QCOMPARE(!made.ok(), odd || noSelf);
                if (!made) {
                    ++impossible;
                    QVERIFY(QString::fromStdString(made.error().where).startsWith("model."));
                    continue;
                }
                ++possible;
                Document document;
                document.open(*made);
                compare(*made, test::reopened(document));
                const core::Session &base = made->session;
                const auto anew = test::valueOf(core::readSession(core::writeNewSession(
                    base, base.model, base.input, base.minimumLength, base.view)));
                QVERIFY(anew.model.config == base.model.config);
                QVERIFY(core::differenceOf(base, anew.model, anew.input) == core::StatePatch{});
            }
        QVERIFY(possible > 500);
        QVERIFY(impossible > 50);
    }
};

HEADLIGHT_GUILESS_TEST(NewSessionTest)
#include "tst_new_session.moc"
