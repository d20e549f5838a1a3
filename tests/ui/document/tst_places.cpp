// Selections and edits in complete transformers: the selection always exists, every parameter can
// be edited and undone, and masks belong to their attention module.
#include "core/analysis/nearest_stage.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/document/figure_caption.h"
#include "ui/text/attention_names.h"

using core::Block;
using core::Stack;
using ui::InputSide;
using ui::MatrixId;

class PlacesTest : public QObject {
    Q_OBJECT

    static QString fileOf(const QString &name) { return QDir(HEADLIGHT_SESSIONS).filePath(name); }
    static QStringList sessions() {
        return QDir(HEADLIGHT_SESSIONS).entryList({"*.headlight"}, QDir::Files);
    }

  private slots:
    void whateverIsSelectedExists() {
        for (const QString &name : sessions()) {
            const ui::DocumentState state = test::opened(fileOf(name), 0).state;
            for (const Stack stack :
                 {Stack::Main, Stack::Encoder, Stack::Decoder, Stack::SourceEmbeddings})
                for (const Block block : {Block::SelfAttention, Block::CrossAttention})
                    for (const core::Index layer : {-1, 0, 1, 99})
                        for (const core::StageInfo &info : core::allStages()) {
                            core::Selection wild;
                            wild.setAttention({layer, block, stack});
                            wild.stage = info.stage;
                            wild.sequence = wild.head = 99;
                            wild.query = wild.key = 6;
                            wild.dimension = 9;
                            const core::Selection fitting = ui::fittingSelection(wild, state);
                            QVERIFY(
                                core::hasStage(state.model, fitting.stage, fitting.attention()));
                            const core::Input &input = state.input;
                            const core::AttentionId attention = fitting.attention();
                            QVERIFY(!fitting.query ||
                                    *fitting.query < input.queries(attention).length());
                            QVERIFY(!fitting.key || *fitting.key < input.keys(attention).length());
                            QVERIFY(fitting == ui::fittingSelection(fitting, state));
                        }
        }
    }

    void aStageThatIsThereStays() {
        const ui::DocumentState state = test::opened(fileOf("encoder_decoder.headlight")).state;
        core::Selection cross;
        cross.setAttention({1, Block::CrossAttention, Stack::Decoder});
        cross.stage = core::Stage::Key;
        cross.key = 5; // exists only in the source, which is one token longer than the target
        QVERIFY(ui::fittingSelection(cross, state) == cross);
        cross.setAttention({1, Block::CrossAttention, Stack::Encoder});
        QVERIFY(ui::fittingSelection(cross, state).block == Block::SelfAttention);
        cross.stage = core::Stage::UnrotatedQuery; // this model has no rotary embedding
        QVERIFY(ui::fittingSelection(cross, state).stage == core::Stage::Query);
    }

    void threePlaces() {
        const auto places = [](const char *name) {
            QStringList words;
            const ui::DocumentState state = test::opened(fileOf(name)).state;
            for (const core::AttentionId place : ui::placesOf(state.model))
                words << ui::placeText(place);
            return words;
        };
        QCOMPARE(places("encoder_decoder.headlight"),
                 QStringList({"encoder", "decoder", "cross-attention"}));
        QCOMPARE(places("decoder_rotary.headlight"), QStringList("self-attention"));
        QVERIFY(places("cross_attention_only.headlight").contains("cross-attention"));
    }

    void layersThatShareTheirWeightsChangeTogether() {
        ui::OpenedSource opened = test::opened(fileOf("encoder_prenorm.headlight"));
        ui::DocumentState &state = opened.state;
        state.model.parameters.main.layers.resize(1);
        state.model.config.layerCount = 3;
        const core::ParameterId id{0, core::ParameterKind::Query};
        const QString name = ui::nameOf({MatrixId::Kind::Parameter, id, 0, 0}, state);
        QVERIFY(test::says(name, "layers 0–2"));
        core::Selection last;
        last.layer = 2;
        last.stack = state.model.mainStack();
        for (const MatrixId &matrix : ui::matricesOf(state, last))
            QCOMPARE(matrix.parameter.layer, core::Index(0));
        const auto change = test::valueOf(ui::edits::setCells(
            state, {MatrixId::Kind::Parameter, id, std::nullopt, 0}, {{0, 0, 2}}));
        const core::TracePointer before = test::passOf(state);
        const core::TracePointer after = test::passOf(change.state());
        for (core::Index layer = 0; layer < 3; ++layer)
            QVERIFY(before->stage(core::Stage::Query, layer).values() !=
                    after->stage(core::Stage::Query, layer).values());
    }

    void aGainIsAddedAsOnes() {
        ui::OpenedSource opened = test::opened(fileOf("encoder_prenorm.headlight"));
        core::ParameterId id;
        id.which = core::ParameterKind::FinalNormGain;
        parameterOf(opened.state.model.parameters, id) = nullptr;
        const auto change = test::valueOf(ui::edits::addBias(opened.state, id));
        const core::Parameter &gain = parameterOf(change.state().model.parameters, id);
        QVERIFY(gain && gain->columns() == opened.state.model.config.width);
        QCOMPARE((*gain)(0, 0), 1.0f);
        id.which = core::ParameterKind::GateBias; // this model has no gate
        QVERIFY(!ui::edits::addBias(opened.state, id).ok());
    }

    void masksBelongToTheirAttention() {
        OpenDocument document(fileOf("encoder_decoder.headlight"));
        const core::Input before = document.state().input;
        core::Selection selection = document.selection();
        selection.setAttention({0, Block::CrossAttention, Stack::Decoder});
        document.select(selection);
        QVERIFY(test::setMasks(document, {core::WindowMask{1, true}}).ok());
        QVERIFY(document.state().input.masks == before.masks);
        QVERIFY(document.state().input.encoderMasks == before.encoderMasks);
        QVERIFY(document.state().input.crossMasks != before.crossMasks);
        const core::Index lastKey = before.source->length() - 1;
        const core::Index lastQuery = before.batch->length() - 1;
        QVERIFY(ui::edits::setMaskCells(document.state(), 0, {{lastQuery, lastKey}},
                                        ui::edits::CellMaskEdit::Hide, selection.attention())
                    .ok());
        QVERIFY(!ui::edits::setMaskCells(document.state(), 0, {{lastQuery, lastKey + 1}},
                                         ui::edits::CellMaskEdit::Hide, selection.attention())
                     .ok());
        document.undoStack().undo();
        QVERIFY(document.state().input == before);
    }

    void positionsTakeTheirTablesWithThem() {
        for (const char *name : {"t5_like.headlight", "encoder_postnorm.headlight"}) {
            OpenDocument document(fileOf(name));
            const core::Model before = document.state().model;
            QVERIFY(test::setPositions(document, core::Positions::None).ok());
            QVERIFY(!document.state().model.parameters.main.positions);
            QVERIFY(!document.state().model.parameters.main.positionBias);
            QVERIFY(test::setPositions(document, before.config.positions).ok());
            QVERIFY(document.state().model == before);
            QVERIFY(!document.isEdited());
        }
    }

    void bothTexts() {
        OpenDocument document(fileOf("encoder_decoder.headlight"));
        const core::Input before = document.state().input;
        QVERIFY(test::typeText(document, "the dog sleeps", InputSide::Source).ok());
        QCOMPARE((*document.state().input.source)[0].text, std::string("the dog sleeps"));
        QVERIFY(document.state().input.batch == before.batch);
        QVERIFY(document.isEdited());
        document.undoStack().undo();
        QVERIFY(core::sameNumbers(document.state().input.source, before.source));
        const QString caption =
            ui::suggestedCaption(document.session(), document.state(), document.selection());
        QVERIFY(test::says(caption, "attending to"));
        OpenDocument plain("cat");
        QVERIFY(!test::typeText(plain, "a", InputSide::Source).ok());
    }
};

HEADLIGHT_GUILESS_TEST(PlacesTest)
#include "tst_places.moc"
