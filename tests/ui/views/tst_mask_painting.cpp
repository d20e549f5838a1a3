// Painting the mask by mouse and by keyboard, and the context menu.
#include "tests/ui/views/view_fixture.h"
#include "ui/views/cell_text.h"

namespace {

template <typename View>
struct MaskFixture : test::Fixture<View> {
    using test::Fixture<View>::document;
    using test::Fixture<View>::view;

    explicit MaskFixture(const QString &source = "cat", core::AttentionId attention = {})
        : test::Fixture<View>(source, {}, {1100, 800}) {
        core::Selection selection =
            test::placed({.stage = Stage::AttentionWeights}, document.selection());
        selection.setAttention(attention);
        document.select(selection);
        (void)view.figure();
        view.setMaskEditing(true);
    }
    HeatmapGeometry cells() { return view.shownHeatmap().places; }
    QPoint at(core::Index row, core::Index column) {
        return cells().cellRect(row, column).center().toPoint();
    }
    void move(QPoint to, Qt::KeyboardModifiers modifiers = {}) {
        test::Fixture<View>::move(to, Qt::LeftButton, modifiers);
    }
    void press(core::Index row, core::Index column) {
        QTest::mousePress(&view, Qt::LeftButton, {}, at(row, column));
    }
    void release() { QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(1, 1)); }
    core::Mask mask() const { return {document.state().input.masks, 0, 6, 6, 6}; }
    QAction *action(core::Index row, core::Index column, const QString &text) {
        m_menu = view.editMenu(at(row, column));
        for (QAction *each : m_menu->actions())
            if (each->text() == text)
                return each;
        return nullptr;
    }

  private:
    std::unique_ptr<QMenu> m_menu;
};

int hiddenCells(const core::Mask &mask) {
    int count = 0;
    for (core::Index query = 0; query < mask.queries(); ++query)
        for (core::Index key = 0; key < mask.keys(); ++key)
            count += mask.hidden(query, key) ? 1 : 0;
    return count;
}

} // namespace

class MaskPaintingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aLineSkipsNoCell() {
        const auto line = lineOfCells({0, 0}, {2, 5});
        QCOMPARE(line.size(), std::size_t(6));
        for (std::size_t i = 1; i < line.size(); ++i) {
            QVERIFY(std::abs(line[i].query - line[i - 1].query) <= 1);
            QVERIFY(std::abs(line[i].key - line[i - 1].key) <= 1);
        }
        QVERIFY((lineOfCells({3, 1}, {3, 1}) == std::vector<edits::MaskId>{{3, 1}}));
        QCOMPARE(lineOfCells({5, 4}, {0, 4}).size(), std::size_t(6));
        QCOMPARE(rectangleOfCells({3, 1}, {1, 2}).size(), std::size_t(6));
    }

    void aFastDragHidesEveryCellAsOneStep() {
        MaskFixture<CloseUpView> fixture;
        fixture.press(0, 0);
        fixture.move(fixture.at(0, 5));           // a single move across six cells
        QCOMPARE(hiddenCells(fixture.mask()), 6); // already before the button is released
        fixture.move(fixture.at(2, 5));
        fixture.release();
        QCOMPARE(hiddenCells(fixture.mask()), 8);
        QCOMPARE(fixture.document.undoStack().count(), 1);
        fixture.settle();
        fixture.press(0, 1); // the first cell is hidden, so the drag unhides cells
        fixture.move(fixture.at(0, 3));
        fixture.release();
        QCOMPARE(hiddenCells(fixture.mask()), 5);
        QCOMPARE(fixture.document.undoStack().count(), 2);
        fixture.document.undoStack().undo();
        fixture.document.undoStack().undo();
        QVERIFY(fixture.document.state().input.masks.empty());
    }

    void shiftIsARectangle() {
        MaskFixture<HeadsView> fixture;
        fixture.press(1, 1);
        fixture.move(fixture.at(4, 4), Qt::ShiftModifier);
        QCOMPARE(hiddenCells(fixture.mask()), 16);
        fixture.move(fixture.at(2, 3), Qt::ShiftModifier);
        QCOMPARE(hiddenCells(fixture.mask()), 6);
        fixture.release();
        QCOMPARE(fixture.document.undoStack().count(), 1);
    }

    void escapeCancelsThenLeaves() {
        MaskFixture<CloseUpView> fixture;
        QSignalSpy left(&fixture.view, &FigureView::maskEditingLeft);
        fixture.press(1, 1);
        fixture.move(fixture.at(1, 4));
        fixture.key(Qt::Key_Escape);
        fixture.release();
        QVERIFY(fixture.document.state().input.masks.empty());
        QVERIFY(!fixture.document.undoStack().canUndo());
        QVERIFY(left.isEmpty());
        fixture.key(Qt::Key_Escape);
        QCOMPARE(left.count(), 1);
        fixture.view.setMaskEditing(false);
        fixture.press(1, 1); // without mask editing, a press selects
        fixture.release();
        QVERIFY(fixture.document.state().input.masks.empty());
        QCOMPARE(fixture.selection().query, test::some(1));
    }

    void keysToggleTheSelectedCell() {
        MaskFixture<CloseUpView> fixture;
        QSignalSpy play(&fixture.view, &FigureView::playRequested);
        test::select(fixture.document, {.query = 3, .key = 2});
        for (const int key : {Qt::Key_Return, Qt::Key_Space}) {
            fixture.key(static_cast<Qt::Key>(key));
            QCOMPARE(fixture.mask().hidden(3, 2), key == Qt::Key_Return);
        }
        QVERIFY(play.isEmpty());
        QVERIFY(fixture.document.state().input.masks.empty());
    }

    void aSmallHeatmapIsPaintedToo() {
        MaskFixture<HeadsView> fixture;
        const HeatmapGeometry tile = fixture.view.geometry().tileCells(1);
        const QPoint cell = tile.cellRect(2, 4).center().toPoint();
        fixture.click(cell);
        QVERIFY(fixture.mask().hidden(2, 4));
    }

    void vectorsHaveNoMask() {
        MaskFixture<WholeView> fixture;
        const WholeGeometry geometry = fixture.view.places().map;
        QTest::mouseClick(
            &fixture.view, Qt::LeftButton, {},
            geometry.node({Stage::Query, {}})->cells().cellRect(2, 3).center().toPoint());
        QVERIFY(fixture.document.state().input.masks.empty());
        QVERIFY(fixture.selection().stage == Stage::Query);
    }

    void everyKeyOfAnotherSequenceIsPainted_data() {
        test::addColumns<QString, core::Stack, core::Block>({"file", "stack", "block"});
        QTest::newRow("more keys") << "cross_attention_only" << core::Stack::Main
                                   << core::Block::CrossAttention; // 3 queries, 8 keys
        QTest::newRow("more queries") << "encoder_decoder" << core::Stack::Decoder
                                      << core::Block::CrossAttention; // 7 queries, 6 keys
        QTest::newRow("the decoder")
            << "encoder_decoder" << core::Stack::Decoder << core::Block::SelfAttention;
        QTest::newRow("the encoder")
            << "t5_like" << core::Stack::Encoder << core::Block::SelfAttention;
    }

    /// Paints up to the last query and key, by mouse, by keys and in the menu.
    void everyKeyOfAnotherSequenceIsPainted() {
        QFETCH(QString, file);
        QFETCH(core::Stack, stack);
        QFETCH(core::Block, block);
        const core::AttentionId attention(0, block, stack);
        MaskFixture<CloseUpView> fixture(test::sessionPath(file), attention);
        Document &document = fixture.document;
        QVERIFY(document.selection().attention() == attention);
        const core::Index rows = document.state().input.queries(attention).length();
        const core::Index columns = document.state().input.keys(attention).length();
        QCOMPARE(fixture.cells().rows, rows);
        QCOMPARE(fixture.cells().columns, columns);
        const auto wish = [&](core::Index row, core::Index column) {
            return edits::wishOf(document.state().input.masksOf(attention), 0, {row, column});
        };
        const auto isHidden = [&](core::Index row, core::Index column) {
            const core::Batch &keys = document.state().input.keys(attention);
            return core::Mask(document.state().input.masksOf(attention), 0, rows, columns,
                              keys[0].length)
                .hidden(row, column);
        };
        const bool was = isHidden(rows - 1, 0);
        fixture.press(rows - 1, 0);
        fixture.move(fixture.at(rows - 1, columns - 1));
        fixture.release();
        for (core::Index column = 0; column < columns; ++column)
            QCOMPARE(isHidden(rows - 1, column), !was);
        document.undoStack().undo();
        QVERIFY(test::settled(document));
        QVERIFY(fixture.action(rows - 1, columns - 1, "Hide this key from the query"));
        fixture.action(rows - 1, columns - 1, "Hide this key from the query")->trigger();
        QCOMPARE(wish(rows - 1, columns - 1), edits::CellMaskEdit::Hide);
        document.undoStack().undo();
        QVERIFY(test::settled(document));
        (void)fixture.view.figure();
        test::select(document, {.query = rows - 1, .key = columns - 1});
        const bool before = isHidden(rows - 1, columns - 1);
        fixture.key(Qt::Key_Return);
        QCOMPARE(isHidden(rows - 1, columns - 1), !before);
        // The masks of the other attention modules are unchanged.
        const core::Input &input = document.state().input, &session = document.session().input;
        QCOMPARE(input.masks != session.masks,
                 block == core::Block::SelfAttention && stack != core::Stack::Encoder);
        QCOMPARE(input.encoderMasks != session.encoderMasks, stack == core::Stack::Encoder);
        QCOMPARE(input.crossMasks != session.crossMasks, block == core::Block::CrossAttention);
    }

    void theMenuHidesShowsAndFollows() {
        MaskFixture<CloseUpView> fixture;
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}).ok());
        fixture.settle();
        fixture.action(0, 3, "Show this key to the query")->trigger();
        QVERIFY(!fixture.mask().hidden(0, 3) && fixture.mask().hidden(0, 4));
        fixture.settle();
        const QString words = cellText(*fixture.document.trace(), fixture.selection(), 0, 3);
        QVERIFY(words.endsWith("(shown by a cell edit)"));
        fixture.action(2, 1, "Hide this key from the query")->trigger();
        QVERIFY(fixture.mask().hidden(2, 1));
        fixture.settle();
        QVERIFY(cellText(*fixture.document.trace(), fixture.selection(), 2, 1)
                    .contains("a single-cell edit hides it"));
        fixture.action(0, 3, "Follow the mask")->trigger();
        QVERIFY(fixture.mask().hidden(0, 3));
    }

    /// Hover texts add the ids of equal words, and of no others.
    void wordsThatReadAlike() {
        Document document;
        document.open(test::opened(test::sessionPath("words_alike")));
        QVERIFY(test::settled(document));
        const core::Trace &trace = *document.trace();
        core::Selection place = document.selection(); // a selection of the attention weights
        QVERIFY(cellText(trace, place, 8, 2).startsWith("bank (#4) attends to bank (#8): "));
        QVERIFY(cellText(trace, place, 8, 5).startsWith("bank (#4) attends to river: "));
        place.stage = core::Stage::Embeddings;
        QVERIFY(cellText(trace, place, 2, 0).contains(" of bank (#8), dimension 0: "));
        place.stage = core::Stage::Logits;
        QVERIFY(cellText(trace, place, 5, 4).contains(" at river, word “bank (#4)”: "));
        QVERIFY(cellText(trace, place, 5, 6).contains("word “river”: "));
    }

    void theMenuSwitchesHeadsAndAsksForScores() {
        MaskFixture<HeadsView> fixture;
        QSignalSpy score(&fixture.view, &FigureView::scoreEditRequested);
        fixture.action(1, 2, "Override this score")->trigger();
        QCOMPARE(score.count(), 1);
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Scores, .key = 2}));
        (void)fixture.view.figure();
        fixture.action(1, 2, "Head 0: zeros")->trigger();
        QVERIFY(fixture.document.state().input.interventions.stateOf(0, 0) ==
                core::HeadState::Zero);
        QVERIFY(!fixture.action(1, 2, "Clear the override of this score"));
        Edit edit{fixture.document.state(), {"score", {}, {}}};
        edit.state.input.interventions.setScore({0, 0, 0, 1, 2, 9});
        QVERIFY(fixture.document.apply(checked(std::move(edit))).ok());
        fixture.action(1, 2, "Clear the override of this score")->trigger();
        QVERIFY(fixture.document.state().input.interventions.scores.empty());
    }
};

HEADLIGHT_WIDGET_TEST(MaskPaintingTest)
#include "tst_mask_painting.moc"
