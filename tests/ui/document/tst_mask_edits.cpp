// Edits of the mask: layers, individual cells on top of them, and one entry per cell.
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/document/edits/mask_edits.h"

using namespace headlight;
using core::Index;
using ui::DocumentState;
using ui::edits::CellMaskEdit;
using ui::edits::MaskId;

namespace {

core::Mask maskOf(const DocumentState &state, Index sequence = 0) {
    const core::Batch &batch = *state.input.batch;
    return {state.input.masks, sequence, batch.length(), batch.length(), batch[sequence].length};
}

DocumentState done(const core::Result<ui::Change> &change) {
    if (!change)
        qFatal("%s", change.error().text().c_str());
    return change->state();
}

} // namespace

class MaskEditsTest : public QObject {
    Q_OBJECT

  private slots:
    void layersGoBeneathTheCells() {
        DocumentState state = test::opened("cat").state;
        state = done(ui::edits::setMaskCells(state, 0, {{0, 3}}, CellMaskEdit::Show));
        state = done(ui::edits::addLayer(state, core::CausalMask{}));
        state = done(ui::edits::addLayer(state, core::DiagonalMask{}));
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
        state = done(ui::edits::removeLayer(done(replaced), 0));
        QCOMPARE(state.input.masks.size(), std::size_t(2));
        QVERIFY(!ui::edits::removeLayer(state, 2).ok());
        QVERIFY(!ui::edits::replaceLayer(state, 2, core::CausalMask{}).ok());
    }

    void aCellHasOneEntryHoweverOftenItIsSet() {
        DocumentState state = test::opened("cat").state;
        for (int i = 0; i < 20; ++i)
            for (const CellMaskEdit wish : {CellMaskEdit::Hide, CellMaskEdit::Show})
                state = done(ui::edits::setMaskCells(state, 0, {{1, 2}, {3, 0}}, wish));
        QCOMPARE(ui::edits::countMaskCells(state.input.masks), std::size_t(2));
        QVERIFY(ui::edits::wishOf(state.input.masks, 0, {1, 2}) == CellMaskEdit::Show);
        state = done(ui::edits::setMaskCells(state, 0, {{1, 2}, {3, 0}}, CellMaskEdit::Follow));
        QVERIFY(state.input.masks.empty());
    }

    void paintingBackLeavesNothing() {
        DocumentState state = test::opened("cat").state;
        state = done(ui::edits::addLayer(state, core::CausalMask{}));
        const DocumentState before = state;
        state = done(ui::edits::paintMaskCells(state, 0, {{0, 1}, {2, 2}}, false));
        QCOMPARE(ui::edits::countMaskCells(state.input.masks),
                 std::size_t(1)); // the other one was already hidden
        QVERIFY(maskOf(state).hidden(2, 2));
        state = done(ui::edits::paintMaskCells(state, 0, {{2, 2}}, true));
        QVERIFY(state == before);
    }

    void aCellIsItsSequencesOwn() {
        DocumentState state = test::opened("bank").state;
        QCOMPARE(state.input.batch->count(), 2);
        state = done(ui::edits::setMaskCells(state, 1, {{0, 1}}, CellMaskEdit::Hide));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
        // The file sets the cell for all sequences. Then one of them follows the layers again.
        state.input.masks = {core::CellMask{{{std::nullopt, 0, 1, false}}}};
        state = done(ui::edits::setMaskCells(state, 0, {{0, 1}}, CellMaskEdit::Follow));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
        state.input.masks = {core::CellMask{{{std::nullopt, 0, 1, false}}}};
        state = done(ui::edits::setMaskCells(state, 0, {{0, 1}}, CellMaskEdit::Show));
        QVERIFY(!maskOf(state, 0).hidden(0, 1) && maskOf(state, 1).hidden(0, 1));
    }

    void theLastWordOfAFileCounts() {
        DocumentState state = test::opened("bank").state;
        state.input.masks = {
            core::CellMask{{{0, 0, 1, true}, {std::nullopt, 0, 1, false}, {1, 0, 0, false}}}};
        const bool hidden = maskOf(state, 0).hidden(0, 1);
        state = done(ui::edits::setMaskCells(state, 1, {{1, 1}}, CellMaskEdit::Hide));
        QCOMPARE(maskOf(state, 0).hidden(0, 1), hidden);
        QVERIFY(maskOf(state, 1).hidden(0, 0) && maskOf(state, 1).hidden(1, 1));
    }

    void aRowMaySeeNothing() {
        DocumentState state = test::opened("cat").state;
        const auto change = ui::edits::setMaskRow(state, 0, 2, CellMaskEdit::Hide);
        QVERIFY(change.ok());
        QCOMPARE(change->words().text(), QString("Mask, the whole row sat: hidden"));
        QVERIFY(maskOf(change->state()).seesNothing(2));
        QVERIFY(!maskOf(change->state()).seesNothing(1));
        QVERIFY(ui::edits::clearMaskCells(change->state())->state().input.masks.empty());
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
};

HEADLIGHT_GUILESS_TEST(MaskEditsTest)
#include "tst_mask_edits.moc"
