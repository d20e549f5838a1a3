// Edits of the mask: layers, individual cells on top of them, and one entry per cell.
#include "tests/ui/document/document_fixture.h"

using core::HeadState;
using ui::edits::CellMaskEdit;
using ui::edits::MaskId;

namespace {

core::Mask maskOf(const DocumentState &state, Index sequence = 0) {
    const core::Batch &batch = *state.input.batch;
    return {state.input.masks, sequence, batch.length(), batch.length(), batch[sequence].length};
}

} // namespace

class MaskEditsTest : public QObject {
    Q_OBJECT

  private slots:
    void layersGoBeneathTheCells() {
        DocumentState state = test::opened("cat").state;
        state = test::done(ui::edits::setMaskCells(state, 0, {{0, 3}}, CellMaskEdit::Show));
        state = test::done(ui::edits::addLayer(state, core::CausalMask{}));
        state = test::done(ui::edits::addLayer(state, core::DiagonalMask{}));
        QCOMPARE(state.input.masks.size(), std::size_t(3));
        QVERIFY(std::holds_alternative<core::CellMask>(state.input.masks.back()));
        QVERIFY(!maskOf(state).hidden(0, 3));
        QVERIFY(maskOf(state).hidden(0, 4) && maskOf(state).hidden(1, 1));
        QVERIFY(!ui::edits::addLayer(state, core::CausalMask{}).ok());
        QVERIFY(!ui::edits::addLayer(state, core::WindowMask{0, false}).ok());
        QVERIFY(!ui::edits::addLayer(state, core::BlockMask{0}).ok());
        QVERIFY(!ui::edits::addLayer(state, core::PrefixMask{-1}).ok());
        const auto replaced = ui::edits::replaceLayer(state, 1, core::WindowMask{2, true});
        QCOMPARE(replaced->words().text(),
                 QString("Mask layer: diagonal off → window of 2 tokens both ways"));
        state = test::done(ui::edits::removeLayer(test::done(replaced), 0));
        QCOMPARE(state.input.masks.size(), std::size_t(2));
        QVERIFY(!ui::edits::removeLayer(state, 2).ok());
        QVERIFY(!ui::edits::replaceLayer(state, 2, core::CausalMask{}).ok());
    }

    void aCellHasOneEntryHoweverOftenItIsSet() {
        DocumentState state = test::opened("cat").state;
        for (int i = 0; i < 20; ++i)
            for (const CellMaskEdit wish : {CellMaskEdit::Hide, CellMaskEdit::Show})
                state = test::done(ui::edits::setMaskCells(state, 0, {{1, 2}, {3, 0}}, wish));
        QCOMPARE(ui::edits::countMaskCells(state.input.masks), std::size_t(2));
        QVERIFY(ui::edits::wishOf(state.input.masks, 0, {1, 2}) == CellMaskEdit::Show);
        state =
            test::done(ui::edits::setMaskCells(state, 0, {{1, 2}, {3, 0}}, CellMaskEdit::Follow));
        QVERIFY(state.input.masks.empty());
    }

    void paintingBackLeavesNothing() {
        DocumentState state = test::opened("cat").state;
        state = test::done(ui::edits::addLayer(state, core::CausalMask{}));
        const DocumentState before = state;
        state = test::done(ui::edits::paintMaskCells(state, 0, {{0, 1}, {2, 2}}, false));
        QCOMPARE(ui::edits::countMaskCells(state.input.masks),
                 std::size_t(1)); // the other cell was already hidden
        QVERIFY(maskOf(state).hidden(2, 2));
        state = test::done(ui::edits::paintMaskCells(state, 0, {{2, 2}}, true));
        QVERIFY(state == before);
    }

    void aCellIsItsSequencesOwn() {
        DocumentState state = test::opened("bank").state;
        QCOMPARE(state.input.batch->count(), 2);
        state = test::done(ui::edits::setMaskCells(state, 1, {{0, 1}}, CellMaskEdit::Hide));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
        // The file sets the cell for all sequences. Then one of them follows the layers again.
        state.input.masks = {core::CellMask{{{std::nullopt, 0, 1, false}}}};
        state = test::done(ui::edits::setMaskCells(state, 0, {{0, 1}}, CellMaskEdit::Follow));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
        state.input.masks = {core::CellMask{{{std::nullopt, 0, 1, false}}}};
        state = test::done(ui::edits::setMaskCells(state, 0, {{0, 1}}, CellMaskEdit::Show));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
    }

    void theLastWordOfAFileCounts() {
        DocumentState state = test::opened("bank").state;
        state.input.masks = {
            core::CellMask{{{0, 0, 1, true}, {std::nullopt, 0, 1, false}, {1, 0, 0, false}}}};
        const bool hidden = maskOf(state, 0).hidden(0, 1);
        state = test::done(ui::edits::setMaskCells(state, 1, {{1, 1}}, CellMaskEdit::Hide));
        QCOMPARE(maskOf(state, 0).hidden(0, 1), hidden);
        QVERIFY(maskOf(state, 1).hidden(0, 0) && maskOf(state, 1).hidden(1, 1));
    }

    void aRowMaySeeNothing() {
        DocumentState state = test::opened("cat").state;
        const auto change = test::valueOf(ui::edits::setMaskRow(state, 0, 2, CellMaskEdit::Hide));
        QCOMPARE(change.words().text(), QString("Mask, whole row sat: hidden"));
        QVERIFY(maskOf(change.state()).seesNothing(2));
        QVERIFY(!maskOf(change.state()).seesNothing(1));
        QVERIFY(ui::edits::clearMaskCells(change.state())->state().input.masks.empty());
        QVERIFY(!ui::edits::clearMaskCells(state).ok());
    }

    void whatCannotBeIsAnError() {
        const DocumentState state = test::opened("cat").state;
        QVERIFY(!ui::edits::setMaskCells(state, 1, {{0, 0}}, CellMaskEdit::Hide).ok());
        QVERIFY(!ui::edits::setMaskCells(state, 0, {}, CellMaskEdit::Hide).ok());
        QVERIFY(!ui::edits::setMaskCells(state, 0, {{0, 99}}, CellMaskEdit::Hide).ok());
        QVERIFY(!ui::edits::paintMaskCells(state, 0, {{-1, 0}}, true).ok());
        QVERIFY(!ui::edits::setMaskRow(state, 0, 99, CellMaskEdit::Hide).ok());
        QVERIFY(!ui::edits::setMaskRow(state, 9, 0, CellMaskEdit::Hide).ok());
    }

    void settingsAreSaidInWords() {
        const DocumentState state = test::opened("cat").state;
        const auto textOf = [](const core::Result<ui::Change> &change) {
            return change ? change->words().text() : QString();
        };
        QCOMPARE(textOf(ui::edits::setTemperature(state, 0.5f)), QString("Temperature: 1 → 0.5"));
        QCOMPARE(textOf(ui::edits::setScale(state, {core::Scale::Kind::Number, 3})),
                 QString("Scaling: ÷√d → ÷3"));
        QCOMPARE(textOf(ui::edits::setSoftmax(state, false)), QString("Softmax off"));
        QCOMPARE(textOf(ui::edits::setMasking(state, {-1e9f, false})),
                 QString("Masking: −∞ before softmax → −1e9 before softmax"));
        QCOMPARE(textOf(ui::edits::setMasking(state, {-INFINITY, true})),
                 QString("Masking: −∞ before softmax → after softmax"));
        QCOMPARE(textOf(ui::edits::setPositions(state, core::Positions::Sinusoidal,
                                                state.model.parameters)),
                 QString("Positions on"));
        QCOMPARE(textOf(ui::edits::setHead(state, 0, 1, HeadState::Mean)),
                 QString("Head 1: on → its mean"));
    }

    void whatNoMechanismCanBeIsAnError() {
        const DocumentState state = test::opened("cat").state;
        for (const float bad : {0.0f, -1.0f, NAN, INFINITY}) {
            QVERIFY(!ui::edits::setTemperature(state, bad).ok());
            QVERIFY(!ui::edits::setScale(state, {core::Scale::Kind::Number, bad}).ok());
        }
        QVERIFY(!ui::edits::setMasking(state, {1, false}).ok());
        QVERIFY(!ui::edits::setMasking(state, {NAN, false}).ok());
        QVERIFY(!ui::edits::setHead(state, 0, 9, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setHead(state, 9, 0, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setHeads(state, 9, HeadState::Zero).ok());
        QVERIFY(!ui::edits::setScores(state, {}).ok());
        QVERIFY(!ui::edits::setScores(state, {{0, 0, 0, 0, 99, 1}}).ok());
        QVERIFY(!ui::edits::setScores(state, {{0, 0, 0, 0, 0, NAN}}).ok());
        QVERIFY(!ui::edits::removeScores(state, {{0, 0, 0, 0, 0, 1}}).ok());
        QVERIFY(!ui::edits::clearInterventions(state).ok());
    }

    void scoresAndHeadsComeAndGo() {
        DocumentState state = test::opened("cat").state;
        auto change = ui::edits::setScores(state, {{0, 0, 1, 2, 0, 4}});
        QVERIFY(change.ok());
        QCOMPARE(change->words().text(),
                 QString("Override: score sat → The, head 1: computed → 4"));
        state = change->state();
        change = ui::edits::setScores(state, {{0, 0, 1, 2, 0, 5}, {0, 0, 1, 2, 1, 6}});
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(state.input.interventions.scores.size(), std::size_t(2));
        change = ui::edits::removeScores(state, {{0, 0, 1, 2, 0, 0}});
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(state.input.interventions.scoreAt(0, 0, 1, 2, 1), std::optional<float>(6));
        QVERIFY(!state.input.interventions.scoreAt(0, 0, 1, 2, 0));
        change = ui::edits::setHeads(state, 0, HeadState::Uniform);
        QVERIFY(change.ok());
        state = change->state();
        QCOMPARE(static_cast<core::Index>(state.input.interventions.heads.size()),
                 state.model.config.heads);
        change = ui::edits::clearInterventions(state);
        QVERIFY(change.ok());
        QVERIFY(change->state().input.interventions.empty());
    }
};

HEADLIGHT_GUILESS_TEST(MaskEditsTest)
#include "tst_mask_edits.moc"
