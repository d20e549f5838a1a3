// The document: every change is one undo step, refused changes change nothing, and traces that are
// out of date are marked.
#include "tests/ui/document/document_fixture.h"

class DocumentTest : public QObject {
    Q_OBJECT

  private slots:
    void typingIsOneStepUntilItEnds() {
        OpenDocument document("sentence");
        for (const char *text : {"a", "a b", "a b c"})
            QVERIFY(test::typeText(document, text).ok());
        QCOMPARE(document.undoStack().count(), 1);
        const int anew = document.newGesture();
        QVERIFY(test::typeText(document, "a b c d", ui::InputSide::Own, anew).ok());
        QCOMPARE(document.undoStack().count(), 2);
    }

    void onlyTheSelectedSequenceOfABatchIsRetyped() {
        OpenDocument document("batch");
        test::select(document, {.sequence = 5});
        QVERIFY(test::typeText(document, "one two").ok());
        const core::Batch &batch = *document.state().input.batch;
        QCOMPARE(batch.count(), 6);
        QCOMPARE(batch.length(), 8);
        QCOMPARE(batch[5].length, 2);
        QCOMPARE(batch[0].length, 8);
    }

    void whatIsBackAsItWasIsNoEdit() {
        OpenDocument document("cat");
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        QVERIFY(document.isEdited());
        QVERIFY(test::setMasks(document, {}).ok());
        QVERIFY(!document.isEdited());
        QVERIFY(test::typeText(document, "other words").ok());
        QVERIFY(test::typeText(document, "The cat sat on the mat").ok());
        QVERIFY(!document.isEdited());
    }

    /// Only edits mark recomputed stages; a lesson step does not. Going to another step or opening
    /// another source removes the marks.
    void onlyEditsMarkRecomputedStages() {
        OpenDocument document("scores");
        QVERIFY(document.goToStep(5).ok());
        QVERIFY(settled(document));
        const auto &marked = document.recomputedStages().stages();
        QVERIFY(marked.empty());
        QVERIFY(document.goToStep(6).ok()); // this step has a longer text
        QVERIFY(document.traceIsStale());
        QVERIFY(settled(document));
        QVERIFY(marked.empty());
        test::find<QTimer>(document, "recomputedTime")->setInterval(test::kPatience);
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(settled(document));
        QVERIFY(document.recomputedStages().contains({Stage::MaskedScores, {}}));
        QVERIFY(!document.recomputedStages().contains({Stage::Scores, {}}));
        QVERIFY(document.goToStep(5).ok());
        QVERIFY(settled(document));
        QVERIFY(marked.empty());
        QVERIFY(test::typeText(document, "money bank").ok());
        QVERIFY(settled(document));
        QVERIFY(!marked.empty());
        document.open(test::opened("cat"));
        QVERIFY(marked.empty());
    }

    /// Another edit during a slow pass counts, and a cancelled pass is not slow.
    void aPassIsSlowUntilItEnds() {
        test::ReadyDocument document("sentence");
        const ui::SlowPass &pass = document.slowPass();
        auto *delay = test::find<QTimer>(document, "slowPassDelay");
        const auto mayChange = [&](Stage stage) { return pass.mayChange({stage, {}}); };
        QVERIFY(!delay->isActive() && !pass.isSlow());
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(!pass.isSlow() && !mayChange(Stage::MaskedScores));
        QVERIFY(test::expire(*delay));
        QVERIFY(pass.isSlow() && mayChange(Stage::MaskedScores) && !mayChange(Stage::Scores));
        QSignalSpy changed(&pass, &ui::SlowPass::changed);
        QVERIFY(test::typeText(document, "one two").ok());
        QVERIFY(mayChange(Stage::Scores) && !changed.isEmpty());
        document.cancelComputation();
        QVERIFY(!pass.isSlow() && !delay->isActive() && !mayChange(Stage::Scores));
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(test::expire(*delay));
        QVERIFY(settled(document));
        QVERIFY(!pass.isSlow() && !delay->isActive());
    }

    void cancellingGoesBackOverSeveralSteps() {
        test::ReadyDocument document("sentence");
        const ui::DocumentState before = document.state();
        QString words;
        connect(&document, &Document::changed, this, [&words](const ui::ChangeEvent &event) {
            if (const auto *cancelled = std::get_if<ui::ComputationCancelled>(&event))
                words = cancelled->words;
        });
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(test::typeText(document, QString("word ").repeated(4000)).ok());
        document.cancelComputation();
        QVERIFY(!document.traceIsStale());
        QVERIFY(document.state() == before);
        QVERIFY(document.trace()->input() == document.state().input);
        QVERIFY(!document.isModified());
        QVERIFY(test::says(words, {"3 steps", "Redo"}));
        QCOMPARE(document.undoStack().index(), 0);
        QCOMPARE(document.undoStack().count(), 3); // the undone steps can be redone
        document.undoStack().redo();
        QVERIFY(settled(document));
        QVERIFY(document.trace()->mask(0).hidden(2, 2));
    }

    void cancellingAnUndoGoesForward() {
        test::ReadyDocument document("sentence");
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        QVERIFY(settled(document));
        const ui::DocumentState shown = document.state();
        document.undoStack().undo();
        document.undoStack().undo();
        QVERIFY(document.traceIsStale());
        document.cancelComputation();
        QVERIFY(!document.traceIsStale());
        QVERIFY(document.state() == shown);
        QCOMPARE(document.undoStack().index(), 2);
    }

    /// The shown text is an intermediate state of an undo step, which later typing has extended.
    void cancellingWhileTypingGoesBackToTheLastTextThatWasComputed() {
        test::ReadyDocument document("sentence");
        QVERIFY(test::typeText(document, "one two").ok());
        QVERIFY(settled(document));
        QVERIFY(test::typeText(document, "one two " + QString("word ").repeated(4000)).ok());
        QCOMPARE(document.undoStack().count(), 1);
        document.cancelComputation();
        QVERIFY(!document.traceIsStale());
        QCOMPARE(QString::fromStdString((*document.state().input.batch)[0].text),
                 QString("one two"));
        document.undoStack().undo();
        QVERIFY(document.state().input.batch->length() > 4000); // the cancelled text
        document.cancelComputation();
        QCOMPARE(document.state().input.batch->length(), core::Index(2));
        QVERIFY(!document.traceIsStale());
    }

    /// The shown state cannot be reached by redo, because another edit replaced it.
    void cancellingAfterUndoAndAnotherEdit() {
        test::ReadyDocument document("sentence");
        QVERIFY(test::setMasks(document, {core::DiagonalMask{}}).ok());
        QVERIFY(settled(document));
        const ui::DocumentState shown = document.state();
        document.undoStack().undo();
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        document.cancelComputation();
        QVERIFY(!document.traceIsStale());
        QVERIFY(document.state() == shown);
        document.undoStack().undo();
        QVERIFY(document.state().input.masks.empty());
        QVERIFY(document.state().model.config.scale.kind == core::Scale::Kind::Off);
        QVERIFY(settled(document));
    }

    void aLessonsStepIsCancelledToo() {
        test::ReadyDocument document("bank");
        QVERIFY(test::typeText(document, QString("word ").repeated(4000)).ok());
        QVERIFY(document.goToStep(1).ok());
        document.cancelComputation();
        QCOMPARE(document.state().lessonStep, core::Index(0));
        QVERIFY(!document.isEdited());
        QVERIFY(!document.traceIsStale());
    }
};

HEADLIGHT_GUILESS_TEST(DocumentTest)
#include "tst_document.moc"
